package engine

import (
	"bytes"
	"encoding/json"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
)

// FuzzPatch: the patch from one object to another, applied by a library that is not ours,
// gives the other; and from there, there is nothing left to patch.
func FuzzPatch(f *testing.F) {
	f.Add([]byte(`{"a":{"b/c~d":1},"l":[1]}`), []byte(`{"a":{"b/c~d":2},"l":[1,{"x":"y"}]}`))
	f.Add([]byte(`{"resources":null}`), []byte(`{"resources":{"requests":{"cpu":"1"}},"env":[]}`))
	f.Add([]byte(`{"":[1]}`), []byte(`{"":[2]}`))
	f.Add([]byte(`{"":{"":[1]}}`), []byte(`{"":{"":[2,{"":3}]}}`))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		from, to := object(first), object(second)
		if from == nil || to == nil {
			return
		}
		patch := patchOf(from, to)
		if len(patchOf(to, to)) > 0 {
			t.Fatal("an object differs from itself")
		}
		raw, err := json.Marshal(from)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(patch)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := jsonpatch.DecodePatch(text)
		if err != nil {
			t.Fatal(err)
		}
		if len(patch) > 0 {
			if raw, err = decoded.Apply(raw); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		want, err := json.Marshal(to)
		if err != nil || !jsonpatch.Equal(raw, want) {
			t.Fatalf("%s makes %s, not %s", text, raw, want)
		}
	})
}

// object reads an object that has no null, which no change ever sets.
func object(text []byte) map[string]any {
	var value map[string]any
	if json.Unmarshal(text, &value) != nil || bytes.Contains(text, []byte("null")) {
		return nil
	}
	return value
}
