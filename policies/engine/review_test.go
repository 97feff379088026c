package engine

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/headroom-dev/headroom/policies/plan"
)

func inputOf(t *testing.T, r Review) any {
	t.Helper()
	input, err := r.input()
	if err != nil {
		t.Fatal(err)
	}
	value, err := ast.JSON(plan.ToAST(input))
	if err != nil {
		t.Fatal(err)
	}
	return decodeJSON(t, jsonOf(t, value))
}

func TestInput(t *testing.T) {
	object := map[string]any{"kind": "Pod"}
	review := func(namespace, prefix, context string) string {
		return `{"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": {"kind": "Pod"}, "namespace": "` +
			namespace + `", "prefix": ` + prefix + `, "context": ` + context + `}`
	}
	for _, tc := range []struct {
		name   string
		review Review
		want   string
	}{
		{"alone", Review{Manifest: object, Prefix: []any{}, Measured: map[string]Measured{}}, `{"kind": "Pod"}`},
		{"in a namespace", Review{Manifest: object, Around: &Context{Namespace: "a"}}, review("a", `[]`, `{"config_maps": []}`)},
		{"in a list", Review{Manifest: object, Prefix: []any{"items"}}, review("", `["items"]`, `{"config_maps": []}`)},
		{
			"measured",
			Review{Manifest: object, Measured: map[string]Measured{"app": {Source: "S", Samples: 2, OOMKills: -5, Periods: 0.25}}},
			review("", `[]`, `{"config_maps": [], "measured": {"app": {"source": "S", "window_seconds": 0, "samples": 2, "age_seconds": 0,
				"cpu_average": "", "cpu_peak": "", "memory_peak": "", "periods": 0.25, "throttled": 0, "throttled_seconds": 0,
				"oom_kills": -1, "restarts": 0, "probe_kills": 0, "throttled_long_seconds": 0, "cpu_waiting_seconds": 0,
				"observed_seconds": 0, "seen_seconds": 0, "memory_growth_bytes": 0, "memory_grown_bytes": 0, "runtime": {}}}}`),
		},
	} {
		if got, want := inputOf(t, tc.review), decodeJSON(t, tc.want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %s\nnot %s", tc.name, jsonOf(t, got), jsonOf(t, want))
		}
	}
	for what, r := range map[string]Review{
		"read the object: ":             {Manifest: map[string]any{"a": make(chan int)}},
		"read the path to the object: ": {Prefix: []any{make(chan int)}},
	} {
		if _, err := r.input(); err == nil || !strings.HasPrefix(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestCounted(t *testing.T) {
	for _, tc := range []struct {
		value float64
		want  string
	}{
		{0, "0"},
		{1, "1"},
		{0.0004, "0"},
		{0.0126, "0.013"},
		{1e21, "1000000000000000000000"},
		{-0.5, "-1"},
		{-3, "-1"},
		{math.NaN(), "-1"},
		{math.Inf(1), "-1"},
		{math.Inf(-1), "-1"},
		{math.MaxFloat64, "-1"},
	} {
		if got := plan.ToAST(counted(tc.value)).String(); got != tc.want {
			t.Errorf("%v: %s, not %s", tc.value, got, tc.want)
		}
	}
	if got := plan.ToAST(counted(1e300)).String(); len(got) != 301 {
		t.Errorf("the largest is %s", got)
	}
}

// named is an object of a name.
func named(name string) map[string]any {
	return map[string]any{"metadata": map[string]any{"name": name}}
}

func TestContext(t *testing.T) {
	c, err := NewContext("a", map[string][]map[string]any{
		"owners": {{"kind": "Job"}}, "config_maps": {named("one"), named("two"), named("one"), {"metadata": nil}},
	})
	if err != nil {
		t.Fatal(err)
	}
	using := func(names ...any) map[string]any { return map[string]any{"kind": "Pod", "envFrom": names} }
	from := func(key, name string) any { return map[string]any{key: map[string]any{"name": name}} }
	for _, tc := range []struct {
		manifest map[string]any
		want     []any
	}{
		{using(), nil},
		{using(from("configMapRef", "none")), nil},
		{using(from("secretRef", "one")), nil},
		{using(from("configMapRef", "two")), []any{"two"}},
		{using(from("configMapKeyRef", "two"), from("configMapRef", "one"), from("configMapRef", "two")), []any{"one", "one", "two"}},
	} {
		input := inputOf(t, Review{Manifest: tc.manifest, Around: c}).(map[string]any)["context"].(map[string]any)
		var got []any
		for _, object := range input["config_maps"].([]any) {
			got = append(got, ResourceOf(object.(map[string]any)).Name)
		}
		if !reflect.DeepEqual(got, tc.want) || len(input["owners"].([]any)) != 1 || len(input) != 2 {
			t.Errorf("%v: %v, %v", tc.manifest, got, input)
		}
	}
	one, err := NewContext("", map[string][]map[string]any{"config_maps": {named("one")}})
	if err != nil {
		t.Fatal(err)
	}
	if got := plan.NewObject(one.pairsFor(using(from("configMapRef", "one")), "")...).Get(configMapsList).(*plan.Array).Len(); got != 1 {
		t.Errorf("of one ConfigMap %d are used", got)
	}
	for list, want := range map[string]string{"config_maps": "read the config_maps beside the object: ", "owners": "read the owners beside the object: "} {
		if _, err := NewContext("", map[string][]map[string]any{list: {{"a": make(chan int)}}}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", list, err)
		}
	}
}

func TestConfigMapsNamed(t *testing.T) {
	manifest := decodeJSON(t, `{"spec": {"containers": [
		{"envFrom": [{"configMapRef": {"name": "b"}}, {"configMapRef": {"name": 1}}, {"configMapRef": "c"}, {"secretRef": {"name": "d"}}],
		 "env": [{"valueFrom": {"configMapKeyRef": {"name": "a", "configMapRef": {"name": "inside"}}}}]},
		{"envFrom": [{"configMapRef": {"name": "b"}}], "configMapRef": [{"configMapRef": {"name": "e"}}]}]}}`).(map[string]any)
	if got, want := ConfigMapsNamed(manifest), []string{"a", "b", "e"}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	for text, want := range map[string]string{
		`["--configmap=ns/edge"]`: "[edge]", `["run", "-nginx-configmaps", "$(NS)/edge"]`: "[edge]", `["--configmap=edge"]`: "[edge]",
		`["--configmap"]`: "[]", `["--configmap="]`: "[]", `["--configmap", 1]`: "[]", `["configmap=edge"]`: "[]", `["--other=edge"]`: "[]",
	} {
		if got := fmt.Sprint(ConfigMapsNamed(map[string]any{"args": decodeJSON(t, text)})); got != want {
			t.Errorf("%s: %v, not %v", text, got, want)
		}
	}
	if got := ConfigMapsNamed(nil); got != nil {
		t.Errorf("%v", got)
	}
}

func TestAdmitted(t *testing.T) {
	quota := map[string]any{"spec": map[string]any{"hard": 1.0}, "status": map[string]any{"used": 1.0}}
	c, err := NewContext("a", map[string][]map[string]any{
		"limit_ranges": {named("l")}, "owners": {{"kind": "Other"}}, "config_maps": {named("one")},
		"resource_quotas": {quota, {"spec": "s"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	admitted := c.Admitted("b", []Owner{{Kind: "Job", Annotations: map[string]string{"x": "1"}}, {Kind: "CronJob"}})
	for list, want := range map[string]string{
		"limit_ranges":    `[{"metadata":{"name":"l"}}]`,
		"owners":          `[{"annotations":{"x":"1"},"kind":"Job"},{"annotations":{},"kind":"CronJob"}]`,
		"resource_quotas": `[{"spec":{"hard":1}},{"spec":"s"}]`,
		"config_maps":     `null`,
		"none":            `null`,
	} {
		if got := jsonOf(t, admitted.Listed(list)); got != want {
			t.Errorf("%s: %s, not %s", list, got, want)
		}
	}
	if admitted.Namespace != "b" || c.Namespace != "a" || len(c.Listed("resource_quotas")[0]) != 2 {
		t.Errorf("%+v became %+v", c, admitted)
	}
	got := plan.NewObject(admitted.pairsFor(map[string]any{"configMapRef": map[string]any{"name": "one"}}, "")...).Get(configMapsList)
	if plan.ToAST(got).String() != "[]" {
		t.Errorf("ConfigMaps %s", got)
	}
	var nothing *Context
	if got := nothing.Admitted("b", nil); got.Namespace != "b" || jsonOf(t, got.Listed("owners")) != "[]" || nothing.Listed("owners") != nil {
		t.Errorf("%+v", got)
	}
}

func TestRecorded(t *testing.T) {
	one, two := Applied{Rule: "HR1", Path: "/a", Old: "1"}, Applied{Rule: "HR2", Container: "app", Path: "/b", Added: "-A"}
	const (
		first  = `{"rule":"HR1","container":"","path":"/a","old":"1"}`
		second = `{"rule":"HR2","container":"app","path":"/b","added":"-A"}`
	)
	fixed := Fixed{Patch: []Operation{{Op: "remove", Path: "/a"}}, Applied: []Applied{one, two}}
	annotated := func(annotations map[string]any) map[string]any {
		return map[string]any{"metadata": map[string]any{"annotations": annotations}}
	}
	const key = "/metadata/annotations/headroom.dev~1applied"
	all := "[" + first + "," + second + "]"
	for _, tc := range []struct {
		name     string
		manifest map[string]any
		want     Operation
	}{
		{"no metadata", map[string]any{}, Operation{"add", "/metadata", map[string]any{"annotations": map[string]any{appliedKey: all}}}},
		{"no annotations", map[string]any{"metadata": map[string]any{}}, Operation{"add", "/metadata/annotations", map[string]any{appliedKey: all}}},
		{"annotations", annotated(map[string]any{}), Operation{"add", key, all}},
		{"a record", annotated(map[string]any{appliedKey: "[" + second + "]"}), Operation{"add", key, "[" + second + "," + first + "]"}},
		{
			"a record of others", annotated(map[string]any{appliedKey: `[{"rule": "HR0", "secret": "x"}, {"container": "x"}]`}),
			Operation{"add", key, `[{"rule":"HR0","container":"","path":""},` + first + "," + second + "]"},
		},
		{"no record", annotated(map[string]any{appliedKey: "text"}), Operation{"add", key, all}},
		{"no text", annotated(map[string]any{appliedKey: 7}), Operation{"add", key, all}},
	} {
		got, err := fixed.Recorded(tc.manifest)
		if err != nil || len(got) != 2 || got[0] != fixed.Patch[0] || !reflect.DeepEqual(got[1], tc.want) {
			t.Errorf("%s: %+v, %v\nnot %+v", tc.name, got, err, tc.want)
		}
	}
	// Beside annotations that leave no room for it, there is no record.
	room := maxAnnotations - len("a") - len(appliedKey) - len(all)
	for more, want := range map[int]int{0: 2, 1: 1} {
		text := strings.Repeat("x", room+more)
		got, err := fixed.Recorded(annotated(map[string]any{"a": text, "none": 7, appliedKey: "[]"}))
		if err != nil || len(got) != want {
			t.Errorf("%d bytes beside it: %d operations, %v", len(text), len(got), err)
		}
	}
	if got, err := (Fixed{Applied: []Applied{one}}).Recorded(nil); got != nil || err != nil {
		t.Errorf("of no patch: %+v, %v", got, err)
	}
	// Only headroom writes a record, and never a long one.
	for more, want := range map[int]int{0: 1, 1: 0} {
		text := "[" + first + "]" + strings.Repeat(" ", maxEarlier-len(first)-len("[]")+more)
		if got := earlier(map[string]any{appliedKey: text}); len(got) != want {
			t.Errorf("%d bytes: %+v", len(text), got)
		}
	}
}

// An object can be given its own autoscalers, in the place of those of its namespace.
func TestWithAutoscalers(t *testing.T) {
	scaler := func(name, target string) map[string]any {
		return map[string]any{
			"kind": "VerticalPodAutoscaler", "metadata": map[string]any{"name": name},
			"spec": map[string]any{"targetRef": map[string]any{"name": target}},
		}
	}
	all, err := NewContext("shop", map[string][]map[string]any{
		autoscalersList: {scaler("before", "cart")}, configMapsList: {{"metadata": map[string]any{"name": "settings"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	more, err := all.WithAutoscalers([]map[string]any{scaler("now", "cart"), scaler("another", "other")})
	if err != nil {
		t.Fatal(err)
	}
	names := func(c *Context) (names []string) {
		manifest := map[string]any{"metadata": map[string]any{"name": "cart"}}
		around := inputOf(t, Review{Manifest: manifest, Around: c}).(map[string]any)["context"].(map[string]any)
		for _, entry := range around[autoscalersList].([]any) {
			names = append(names, ResourceOf(entry.(map[string]any)).Name)
		}
		return names
	}
	if got := names(more); !slices.Equal(got, []string{"now"}) || len(more.found[configMapsList]) != 1 {
		t.Errorf("%v, and %v", got, more.found)
	}
	if got := names(all); !slices.Equal(got, []string{"before"}) {
		t.Errorf("the context before has %v", got)
	}
}

// Of what can be many, an object gets what its labels, its name and its Services lead to.
func TestWhatStandsBesideAnObject(t *testing.T) {
	object := func(kind, name string, spec map[string]any) map[string]any {
		return map[string]any{"kind": kind, "metadata": map[string]any{"name": name}, "spec": spec}
	}
	service := func(name string, selector map[string]any) map[string]any {
		return object("Service", name, map[string]any{"selector": selector})
	}
	backend := func(name string) map[string]any {
		return map[string]any{"rules": []any{map[string]any{"backendRefs": []any{map[string]any{"name": name}}}}}
	}
	c, err := NewContext("shop", map[string][]map[string]any{
		servicesList: {
			service("web", map[string]any{"app": "web", "tier": "front"}),
			service("api", map[string]any{"app": "api"}),
			service("all", nil),
		},
		routesList: {object("HTTPRoute", "to-web", backend("web")), object("HTTPRoute", "to-api", backend("api"))},
		autoscalersList: {
			object("HorizontalPodAutoscaler", "cpu", map[string]any{"scaleTargetRef": map[string]any{"name": "shop"}}),
			object("VerticalPodAutoscaler", "more", map[string]any{"targetRef": map[string]any{"name": "shop"}}),
			object("HorizontalPodAutoscaler", "none", nil),
		},
		"limit_ranges": {object("LimitRange", "range", nil)},
	})
	if err != nil {
		t.Fatal(err)
	}
	template := map[string]any{"template": map[string]any{"metadata": map[string]any{
		"labels": map[string]any{"app": "web", "tier": "front", "team": "a", "odd": 5},
	}}}
	for _, tc := range []struct {
		manifest map[string]any
		want     map[string][]string
	}{
		{object("Deployment", "shop", template), map[string][]string{
			"limit_ranges": {"range"}, servicesList: {"web"}, routesList: {"to-web"}, autoscalersList: {"cpu", "more"}, configMapsList: nil,
		}},
		{object("Deployment", "other", nil), map[string][]string{
			"limit_ranges": {"range"}, servicesList: nil, routesList: nil, autoscalersList: nil, configMapsList: nil,
		}},
	} {
		around := inputOf(t, Review{Manifest: tc.manifest, Around: c}).(map[string]any)["context"].(map[string]any)
		for list, want := range tc.want {
			var got []string
			entries, _ := around[list].([]any)
			for _, entry := range entries {
				got = append(got, ResourceOf(entry.(map[string]any)).Name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s %v, not %v", ResourceOf(tc.manifest).Name, list, got, want)
			}
		}
	}
	with, err := c.With([]map[string]any{object("ConfigMap", "settings", nil)})
	if err != nil {
		t.Fatal(err)
	}
	if len(with.found[configMapsList]) != 1 || len(with.found[servicesList]) != 2 || len(c.found[configMapsList]) != 0 {
		t.Errorf("with a ConfigMap: %v, and without %v", with.found, c.found)
	}
}
