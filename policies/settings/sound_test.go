package settings

import (
	"maps"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestSoundAgrees changes each place of documents with every key, and asks the library that says what is wrong, too.
func TestSoundAgrees(t *testing.T) {
	others := []any{
		nil, true, -1, 0, 3, int64(-2), uint64(1) << 63, -1.0, 0.0, 0.5, 1.0, 1.5, 7e18, "", " ", "x", "-", "HR202", "10ms", "80Mi", "2027-01-31", "peak", "average",
		[]any{},
		[]any{"x"},
		[]any{"x", 1.0},
		map[string]any{},
		map[string]any{"x": "y"},
		map[string]any{"timesAverage": 2.0},
	}
	for against, texts := range map[string][]string{configSchema: {everyKey, onlyKeys}, "images.schema.json": {aLock}} {
		schema, err := compile(against)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			var document any
			if err := yaml.Unmarshal([]byte(text), &document); err != nil {
				t.Fatal(err)
			}
			n := 0
			eachChange(document, others, func(changed any) {
				n++
				got, err := sound(against, changed)
				if want := schema.Validate(changed) == nil; err != nil || got != want {
					t.Errorf("%s: %v, %v: %v", against, got, err, changed)
				}
			})
			t.Logf("%s: %d documents", against, n)
		}
	}
}

// eachChange gives a document with something else in the place of each of its values, without each of its keys, and with
// one more.
func eachChange(value any, others []any, use func(any)) {
	for _, other := range append(others, value) {
		use(other)
	}
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			changed := maps.Clone(value)
			eachChange(value[key], others, func(entry any) { changed[key] = entry; use(changed) })
			delete(changed, key)
			use(changed)
			changed["Other key"] = value[key]
			use(changed)
		}
	case []any:
		for i := range value {
			changed := slices.Clone(value)
			eachChange(value[i], others, func(entry any) { changed[i] = entry; use(changed) })
		}
	}
}

const onlyKeys = "apiVersion: headroom.dev/v1alpha1\nkind: Config\n"

func TestUnknownKeyword(t *testing.T) {
	for _, value := range []any{nil, true, 1.0, "x", []any{}, map[string]any{}} {
		if (checker{}).holds(map[string]any{"not": false}, value) {
			t.Error("it holds, whatever it means, for", value)
		}
	}
}
