package decision

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/policies/engine"
)

func newDecider(t testing.TB, config string) *Decider {
	t.Helper()
	o := Options{Deadline: time.Minute} // the tests' machine may be busy
	if config != "" {
		o.Config = []byte("apiVersion: headroom.dev/v1alpha1\nkind: Config\n" + config)
	}
	d, err := New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	today := time.Now() // a day that ends meanwhile makes every question a new one
	d.now = func() time.Time { return today }
	return d
}

// whole is the verdict on an object with nothing left out, as JSON, but for its name.
func whole(t testing.TB, d *Decider, s seed, object map[string]any) string {
	t.Helper()
	manifest := plain(t, object)
	child(manifest, "metadata")["namespace"] = "shop"
	fixed, err := d.current.Load().judge.Fix(t.Context(), engine.Review{Manifest: manifest, Around: s.around})
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	patch, err := fixed.Recorded(manifest)
	if err != nil {
		t.Fatal(err)
	}
	return verdict(t, lean(fixed.Before.Findings, manifest), fixed.Before.Skipped, patch)
}

func verdict(t testing.TB, findings []engine.Finding, skipped []engine.Skip, patch any) string {
	t.Helper()
	findings, skipped = slices.Clone(findings), slices.Clone(skipped)
	for i := range findings {
		findings[i].Resource.Name, findings[i].Figures, findings[i].Changes = "", nil, nil
	}
	for i := range skipped {
		skipped[i].Resource.Name = ""
	}
	text := jsonOf(t, patch)
	if text == "null" || text == "[]" {
		text = ""
	}
	return jsonOf(t, []any{findings, skipped}) + text
}

func (s seed) request(t testing.TB, object map[string]any) Request {
	return Request{Object: jsonOf(t, object), Name: "a", Namespace: "shop", Around: s.around, Fingerprint: "f"}
}

// What is left out of the key is also left out of what is judged. This shows that it makes
// no difference: the verdict is that of the whole object, as the linter gives it.
func TestWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	d := newDecider(t, "")
	for _, s := range seeds(t) {
		want := whole(t, d, s, s.object)
		request := s.request(t, s.object)
		mutation, err := d.Mutate(t.Context(), request)
		if err != nil {
			t.Fatalf("%s: %v", s.name, err)
		}
		var patch any
		if mutation.Patch != nil {
			patch = json.RawMessage(mutation.Patch)
		}
		if got := verdict(t, mutation.Before, mutation.Skipped, patch); got != want {
			t.Errorf("%s:\n got %s\nwant %s", s.name, got, want)
		}
		judged, err := d.Validate(t.Context(), request)
		if err != nil || !reflect.DeepEqual(judged.Findings, mutation.Before) {
			t.Errorf("%s: %v, to validate differs from to mutate", s.name, err)
		}
	}
}

// Every field of every object is changed in turn. Where the key stays the same, so must
// the verdict on the whole object.
func TestNoFieldIsMissingFromTheKey(t *testing.T) {
	t.Parallel()
	d := newDecider(t, "")
	kept, tried, changed := map[string]int{}, map[string]int{}, 0
	for _, s := range seeds(t) {
		before := ""
		key := keyOf(t, d, s.request(t, s.object))
		for _, v := range variants(s.object) {
			if keyOf(t, d, s.request(t, v.object)) != key {
				changed++
				continue
			}
			kept[v.place]++
			if tried[v.place+v.how]++; tried[v.place+v.how] > 1 {
				continue // on one object; TestWhatIsLeftOut removes all of them from every object
			}
			if before == "" {
				before = whole(t, d, s, s.object)
			}
			if after := whole(t, d, s, v.object); after != before {
				t.Errorf("%s: %s changes the verdict and not the key\nfrom %s\n  to %s", s.name, v.place, before, after)
			}
		}
	}
	t.Logf("%d changes that change the key, and these do not: %v", changed, slices.Sorted(maps.Keys(kept)))
	for _, place := range []string{
		"/metadata/name", "/metadata/labels/app", "/spec/volumes/0/persistentVolumeClaim/claimName", "/spec/hostname",
	} {
		if kept[place] == 0 {
			t.Errorf("%s is part of the key: replicas of one template are decided each", place)
		}
	}
	if changed < 10000 {
		t.Errorf("only %d changes changed a key", changed)
	}
}

func keyOf(t testing.TB, d *Decider, r Request) [sha256.Size]byte {
	t.Helper()
	_, key, err := d.key(d.current.Load(), r)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

type variant struct {
	place  string // and those alike
	how    string
	object map[string]any
}

// values are put in the place of fields. Most of them mean something to a policy that would
// read them there.
var values = []any{
	"x", nil, json.Number("7"), "limits.cpu",
	[]any{"x"},
	map[string]any{"x": "y"},
	map[string]any{"resource": "limits.cpu"},
	[]any{map[string]any{"downwardAPI": map[string]any{"items": []any{map[string]any{
		"resourceFieldRef": map[string]any{"resource": "limits.cpu"},
	}}}}},
	map[string]any{
		"kubernetes.io/os": "windows", "headroom.dev/workload-class": "batch", "controller": true, "kind": "Job",
	},
}

// alike are places of which one stands for all.
var alike = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`/\d+`), "/0"},
	{regexp.MustCompile(`/labels/.+`), "/labels/app"},
	{regexp.MustCompile(`^/spec/jobTemplate/spec/template|^/spec/template`), ""},
	{regexp.MustCompile(`/initContainers/`), "/containers/"},
}

// variants are the object with each of its fields replaced, removed and added to.
func variants(object map[string]any) []variant {
	var all []variant
	walk(object, nil, func(path []string) {
		place := "/" + strings.Join(path, "/")
		for _, same := range alike {
			place = same.pattern.ReplaceAllString(place, same.with)
		}
		for i, value := range values {
			copied := deep(object)
			edit(copied, path, func(parent map[string]any, key string) { parent[key] = value })
			all = append(all, variant{place, fmt.Sprint(i), copied})
		}
		removed, added, grown := deep(object), deep(object), false
		edit(removed, path, func(parent map[string]any, key string) { delete(parent, key) })
		edit(added, path, func(parent map[string]any, key string) {
			if inner, ok := parent[key].(map[string]any); ok {
				inner["headroom.dev/workload-class"] = "batch"
				inner["resources"] = map[string]any{"limits": map[string]any{"cpu": "9"}}
				grown = true
			}
		})
		all = append(all, variant{place, "removed", removed})
		if grown {
			all = append(all, variant{place, "added", added})
		}
	})
	return all
}

// walk visits the path of every field, those in lists included.
func walk(value any, path []string, visit func([]string)) {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			here := append(slices.Clone(path), key)
			visit(here)
			walk(value[key], here, visit)
		}
	case []any:
		for i := range value {
			walk(value[i], append(slices.Clone(path), fmt.Sprint(i)), visit)
		}
	}
}

func deep(object map[string]any) map[string]any {
	return deepValue(object).(map[string]any)
}

func deepValue(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(value))
		for key, entry := range value {
			out[key] = deepValue(entry)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i := range value {
			out[i] = deepValue(value[i])
		}
		return out
	default:
		return value
	}
}

func edit(root map[string]any, path []string, change func(map[string]any, string)) {
	var at any = root
	for _, step := range path[:len(path)-1] {
		switch value := at.(type) {
		case map[string]any:
			at = value[step]
		case []any:
			var index int
			fmt.Sscan(step, &index)
			at = value[index]
		}
	}
	change(at.(map[string]any), path[len(path)-1])
}
