//go:build integration

package decision

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

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
			copied := engine.DeepCopy(object).(map[string]any)
			edit(copied, path, func(parent map[string]any, key string) { parent[key] = value })
			all = append(all, variant{place, fmt.Sprint(i), copied})
		}
		removed := engine.DeepCopy(object).(map[string]any)
		added, grown := engine.DeepCopy(object).(map[string]any), false
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
