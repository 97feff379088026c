package engine

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestFixOfNothingWrong(t *testing.T) {
	e := newEngine(t)
	for _, text := range anyJSON {
		object, ok := decodeJSON(t, text).(map[string]any)
		if !ok {
			continue
		}
		fixed, err := e.Fix(context.Background(), Review{Manifest: object})
		if err != nil || len(fixed.Patch) > 0 {
			t.Errorf("%s: %+v, %v", text, fixed.Patch, err)
		}
	}
}

func TestWantedAreEachOnce(t *testing.T) {
	set := func(path, value string) Change { return Change{Kind: changeSet, Path: []any{path}, Value: value} }
	flags := func(flags ...string) Change { return Change{Kind: changeJVMFlags, Path: []any{"c"}, Flags: flags} }
	variable := func(name string) Change {
		return Change{Kind: changeEnv, Path: []any{"c"}, Name: name, Flags: []string{"none"}}
	}
	result := Result{Findings: []Finding{
		{Rule: "A", Container: "one", Changes: []Change{set("x", "1"), set("y", "1")}},
		{Rule: "B", Container: "one", Changes: []Change{set("x", "2"), flags("-A"), flags("-B", "-C"), variable("N")}},
		{Rule: "C", Container: "two", Changes: []Change{flags("-A"), variable("M"), set("z", "")}},
	}}
	places := func(list []todo) string {
		var text []string
		for _, c := range list {
			text = append(text, fmt.Sprint(c.rule, c.container, Pointer(c.Path), c.Name, c.Flags))
		}
		return strings.Join(text, " ")
	}
	for _, tc := range []struct {
		name   string
		chosen choice
		want   string
	}{
		{"all", choice{}, "Aone/x[] Aone/y[] Bone/c[-A] Bone/c[-B -C] Bone/cN[none] Ctwo/cM[none] Ctwo/z[]"},
		{"one rule", choice{only: map[string]bool{"A": true}}, "Aone/x[] Aone/y[]"},
		{"no rule", choice{only: map[string]bool{}}, ""},
		{"without a container", choice{without: map[string]bool{"one": true}}, "Ctwo/c[-A] Ctwo/cM[none] Ctwo/z[]"},
		{"a rule without its container", choice{only: map[string]bool{"A": true}, without: map[string]bool{"one": true}}, ""},
	} {
		if got := places(wanted(result, tc.chosen)); got != tc.want {
			t.Errorf("%s: %s, not %s", tc.name, got, tc.want)
		}
	}
}

func TestRecordGoesOnFromTheFirst(t *testing.T) {
	for _, tc := range []struct {
		name  string
		given []Applied
		want  []Applied
	}{
		{
			"two places",
			[]Applied{{Rule: "A", Path: "/a", New: "1"}, {Rule: "A", Path: "/b", New: "2"}},
			[]Applied{{Rule: "A", Path: "/a", New: "1"}, {Rule: "A", Path: "/b", New: "2"}},
		},
		{
			"a value twice",
			[]Applied{{Rule: "A", Path: "/b"}, {Rule: "A", Path: "/a", Old: "0", New: "1"}, {Rule: "B", Path: "/a", Old: "1", New: "2"}},
			[]Applied{{Rule: "A", Path: "/b"}, {Rule: "A", Path: "/a", Old: "0", New: "2"}},
		},
		{
			"flags twice",
			[]Applied{{Rule: "A", Path: "/a", Added: "-A"}, {Rule: "A", Path: "/a", Added: "-B"}},
			[]Applied{{Rule: "A", Path: "/a", Added: "-B -A"}},
		},
		{
			"flags of two rules",
			[]Applied{{Rule: "A", Path: "/a", Added: "-A"}, {Rule: "B", Path: "/a", Added: "-B"}},
			[]Applied{{Rule: "A", Path: "/a", Added: "-A"}, {Rule: "B", Path: "/a", Added: "-B"}},
		},
	} {
		var list []Applied
		for _, a := range tc.given {
			list = record(list, a)
		}
		if !slices.Equal(list, tc.want) {
			t.Errorf("%s: %+v, not %+v", tc.name, list, tc.want)
		}
	}
}

func TestFreshAreNewOrMoreSevere(t *testing.T) {
	of := func(rule, container, severity string) Finding {
		return Finding{Rule: rule, Container: container, Severity: severity}
	}
	before := Result{
		Findings: []Finding{of("A", "one", SeverityInfo), of("A", "one", SeverityWarning), of("A", "two", SeverityError), of("A", "two", SeverityInfo)},
		Exempted: []Finding{of("B", "one", SeverityError)},
	}
	for _, tc := range []struct {
		after Finding
		want  bool
	}{
		{of("A", "one", SeverityInfo), false},
		{of("A", "one", SeverityWarning), false},
		{of("A", "one", SeverityError), true},
		{of("A", "two", SeverityError), false},
		{of("A", "three", SeverityInfo), false},
		{of("A", "three", SeverityWarning), true},
		{of("B", "one", SeverityError), false},
		{of("B", "two", SeverityWarning), true},
	} {
		worse := fresh(before, Result{Findings: []Finding{tc.after}, Exempted: []Finding{of("C", "four", SeverityError)}})
		if worse[tc.after.Container] != tc.want || len(worse) > 1 || worse["four"] {
			t.Errorf("%+v: %v", tc.after, worse)
		}
	}
}

func TestDrop(t *testing.T) {
	applied := []Applied{{Container: "one"}, {Container: "one"}, {Container: "two"}}
	for _, tc := range []struct {
		worse []string
		want  int
		left  string
	}{
		{[]string{"one"}, 2, "[before one]"},
		{[]string{"two", "three"}, 1, "[before three two]"},
		{[]string{"three"}, 3, "[before one two]"}, // the rule that made the change is not known
	} {
		without, worse := map[string]bool{"before": true}, map[string]bool{}
		for _, name := range tc.worse {
			worse[name] = true
		}
		n := drop(applied, worse, without)
		left := []string{}
		for _, name := range slices.Sorted(maps.Keys(without)) {
			if without[name] {
				left = append(left, name)
			}
		}
		if n != tc.want || fmt.Sprint(left) != tc.left {
			t.Errorf("%v worse: %d dropped, without %v", tc.worse, n, left)
		}
	}
}

// withNothingSet is what several fixes are for.
const withNothingSet = `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": {"template": {
	"metadata": {"annotations": {"headroom.dev/workload-class": "latency-sensitive"}}, "spec": {"containers": [
	{"name": "app", "resources": {"requests": {"cpu": "1", "memory": "256Mi"}, "limits": {"cpu": "2", "memory": "512Mi"}}},
	{"name": "side", "resources": {"requests": {"cpu": "1", "memory": "256Mi"}, "limits": {"cpu": "2", "memory": "512Mi"}}}]}}}}`

func TestFix(t *testing.T) {
	e := newEngine(t)
	manifest := decodeJSON(t, withNothingSet).(map[string]any)
	fixed, err := e.Fix(t.Context(), Review{Manifest: manifest})
	if err != nil {
		t.Fatal(err)
	}
	if text := jsonOf(t, manifest); text != jsonOf(t, decodeJSON(t, withNothingSet)) {
		t.Errorf("the manifest has become %s", text)
	}
	if len(fixed.Applied) < 2 || fixed.Dropped != 0 {
		t.Fatalf("%+v", fixed)
	}
	if !slices.IsSortedFunc(fixed.Applied, func(a, b Applied) int { return strings.Compare(a.Path, b.Path) }) {
		t.Errorf("changes are not sorted: %+v", fixed.Applied)
	}
	for _, a := range fixed.Applied {
		if a.Rule == "" || a.Container == "" {
			t.Errorf("whose change is %+v?", a)
		}
	}
	after, err := e.Evaluate(t.Context(), Review{Manifest: fixed.Object, Around: &Context{}})
	if err != nil || !reflect.DeepEqual(after, fixed.After) || len(after.Findings) >= len(fixed.Before.Findings) {
		t.Errorf("%+v, %v\nnot %+v", after, err, fixed.After)
	}
	if want := patchOf(manifest, fixed.Object); !reflect.DeepEqual(fixed.Patch, want) {
		t.Errorf("patch %+v, not %+v", fixed.Patch, want)
	}
	again, err := e.Fix(t.Context(), Review{Manifest: fixed.Object})
	if err != nil || again.Patch != nil || again.Object != nil || again.Applied != nil || !reflect.DeepEqual(again.Before, again.After) {
		t.Errorf("a second time: %+v, %v", again, err)
	}
	none, err := e.FixOnly(t.Context(), Review{Manifest: manifest}, map[string]bool{"HR000": true})
	if err != nil || none.Patch != nil || none.Object != nil || len(none.After.Findings) != len(fixed.Before.Findings) {
		t.Errorf("by no rule: %+v, %v", none, err)
	}
}

// A List is one object to be fixed only where something is known around it.
func TestFixOfWhatLooksLikeAList(t *testing.T) {
	list := map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{decodeJSON(t, withNothingSet)}}
	fixed, err := newEngine(t).Fix(t.Context(), Review{Manifest: list})
	if err != nil || len(fixed.Before.Findings) > 0 || fixed.Patch != nil {
		t.Errorf("%+v, %v", fixed, err)
	}
}
