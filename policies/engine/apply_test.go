package engine

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
)

func jsonOf(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestApply(t *testing.T) {
	env := []any{"spec", "containers", 0}
	const options = "JAVA_TOOL_OPTIONS"
	for _, tc := range []struct {
		name   string
		object string
		change Change
		want   string // the object as it becomes; "" where nothing changes
		said   Applied
	}{
		{"set at the top", `{"a": 1}`, Change{Kind: "set", Path: []any{"b"}, Value: "x"}, `{"a":1,"b":"x"}`, Applied{Path: "/b", New: "x"}},
		{
			"set what is there", `{"a": {"b/c": 1.5}}`,
			Change{Kind: "set", Path: []any{"a", "b/c"}, Value: "2"},
			`{"a":{"b/c":"2"}}`,
			Applied{Path: "/a/b~1c", Old: "1.5", New: "2"},
		},
		{
			"set below what is missing", `{"a": null}`,
			Change{Kind: "set", Path: []any{"a", "b", "c"}, Value: "2"},
			`{"a":{"b":{"c":"2"}}}`,
			Applied{Path: "/a/b/c", New: "2"},
		},
		{
			"set in the last of a list", `{"a": [{}, {"b": true}]}`,
			Change{Kind: "set", Path: []any{"a", 1, "b"}, Value: "2"},
			`{"a":[{},{"b":"2"}]}`,
			Applied{Path: "/a/1/b", Old: "true", New: "2"},
		},
		{"set as it is", `{"a": "2"}`, Change{Kind: "set", Path: []any{"a"}, Value: "2"}, "", Applied{}},
		{"set nowhere", `{"a": "2"}`, Change{Kind: "set", Value: "2"}, "", Applied{}},
		{
			"set an element", `{"a": ["2", 3]}`, Change{Kind: "set", Path: []any{"a", 0}, Value: "1"}, `{"a":["1",3]}`,
			Applied{Path: "/a/0", Old: "2", New: "1"},
		},
		{"set an element as it is", `{"a": ["2"]}`, Change{Kind: "set", Path: []any{"a", 0}, Value: "2"}, "", Applied{}},
		{"set an element behind the last", `{"a": ["2"]}`, Change{Kind: "set", Path: []any{"a", 1}, Value: "1"}, "", Applied{}},
		{"set an element of an element", `{"a": [["2"]]}`, Change{Kind: "set", Path: []any{"a", 0, 0}, Value: "1"}, "", Applied{}},
		{"set an element of nothing", `{"a": ["2"]}`, Change{Kind: "set", Path: []any{0}, Value: "1"}, "", Applied{}},
		{"set below a text", `{"a": "2"}`, Change{Kind: "set", Path: []any{"a", "b"}, Value: "1"}, "", Applied{}},
		{"set below a text of a text", `{"a": "2"}`, Change{Kind: "set", Path: []any{"a", "b", "c"}, Value: "1"}, "", Applied{}},
		{"set behind a list", `{"a": [{}]}`, Change{Kind: "set", Path: []any{"a", 1, "b"}, Value: "1"}, "", Applied{}},
		{"set before a list", `{"a": [{}]}`, Change{Kind: "set", Path: []any{"a", -1, "b"}, Value: "1"}, "", Applied{}},
		{"set in a list that is missing", `{}`, Change{Kind: "set", Path: []any{"a", 0, "b"}, Value: "1"}, "", Applied{}},
		{"set below a list that is missing", `{"c": {}}`, Change{Kind: "set", Path: []any{"c", "a", 0, "b"}, Value: "1"}, "", Applied{}},
		{"set by a key of a list", `{"a": [{}]}`, Change{Kind: "set", Path: []any{"a", "0", "b"}, Value: "1"}, "", Applied{}},
		{"set by an index of an object", `{"a": {"0": {}}}`, Change{Kind: "set", Path: []any{"a", 0, "b"}, Value: "1"}, "", Applied{}},
		{"set by a step of another kind", `{"a": {}}`, Change{Kind: "set", Path: []any{"a", true, "b"}, Value: "1"}, "", Applied{}},

		{"remove at the top", `{"a": "1", "b": 2}`, Change{Kind: "remove", Path: []any{"a"}}, `{"b":2}`, Applied{Path: "/a", Old: "1"}},
		{
			"remove below", `{"a": [{"b": {"c": 1}}]}`,
			Change{Kind: "remove", Path: []any{"a", 0, "b"}},
			`{"a":[{}]}`,
			Applied{Path: "/a/0/b", Old: `{"c":1}`},
		},
		{"remove a null", `{"a": null}`, Change{Kind: "remove", Path: []any{"a"}}, `{}`, Applied{Path: "/a"}},
		{"remove what is missing", `{"a": 1}`, Change{Kind: "remove", Path: []any{"b"}}, "", Applied{}},
		{"remove below what is missing", `{"a": 1}`, Change{Kind: "remove", Path: []any{"b", "c"}}, "", Applied{}},
		{"remove below a text", `{"a": "b"}`, Change{Kind: "remove", Path: []any{"a", "b"}}, "", Applied{}},
		{"remove nothing", `{"": 1}`, Change{Kind: "remove"}, "", Applied{}},
		{"remove an element", `{"": 1}`, Change{Kind: "remove", Path: []any{0}}, "", Applied{}},

		{
			"the first variable", `{"spec": {"containers": [{}]}}`,
			Change{Kind: "env", Path: env, Name: "A", Value: "1"},
			`{"spec":{"containers":[{"env":[{"name":"A","value":"1"}]}]}}`,
			Applied{Path: "/spec/containers/0/env/0", Added: "A=1"},
		},
		{
			"another variable", `{"spec": {"containers": [{"env": [7, {"name": "B"}]}]}}`,
			Change{Kind: "env", Path: env, Name: "A", Value: "1"},
			`{"spec":{"containers":[{"env":[7,{"name":"B"},{"name":"A","value":"1"}]}]}}`,
			Applied{Path: "/spec/containers/0/env/2", Added: "A=1"},
		},
		{"a variable that is there", `{"spec": {"containers": [{"env": [{"name": "A"}]}]}}`, Change{Kind: "env", Path: env, Name: "A", Value: "1"}, "", Applied{}},
		{"variables that are no list", `{"spec": {"containers": [{"env": {}}]}}`, Change{Kind: "env", Path: env, Name: "A", Value: "1"}, "", Applied{}},
		{"a variable of no container", `{"spec": {"containers": []}}`, Change{Kind: "env", Path: env, Name: "A", Value: "1"}, "", Applied{}},
		{"a variable of what is missing", `{}`, Change{Kind: "env", Path: []any{"spec"}, Name: "A", Value: "1"}, "", Applied{}},

		{
			"a flag where there is none", `{"spec": {"containers": [{}]}}`,
			Change{Kind: "jvm-flags", Path: env, Flags: []string{"-Xmx1g"}},
			`{"spec":{"containers":[{"env":[{"name":"JAVA_TOOL_OPTIONS","value":"-Xmx1g"}]}]}}`,
			Applied{Path: "/spec/containers/0/env/0", Added: "-Xmx1g"},
		},
		{
			"flags in front of the user's", `{"spec": {"containers": [{"env": [{"name": "` + options + `", "value": "-Xss1m"}]}]}}`,
			Change{Kind: "jvm-flags", Path: env, Flags: []string{"-Xmx1g", "-XX:A=1"}},
			`{"spec":{"containers":[{"env":[{"name":"JAVA_TOOL_OPTIONS","value":"-Xmx1g -XX:A=1 -Xss1m"}]}]}}`,
			Applied{Path: "/spec/containers/0/env/0/value", Added: "-Xmx1g -XX:A=1"},
		},
		{
			"flags in an empty variable, the last of its name",
			`{"spec": {"containers": [{"env": [{"name": "` + options + `", "value": "-A"}, {"name": "` + options + `", "value": ""}]}]}}`,
			Change{Kind: "jvm-flags", Path: env, Flags: []string{"-Xmx1g"}},
			`{"spec":{"containers":[{"env":[{"name":"JAVA_TOOL_OPTIONS","value":"-A"},{"name":"JAVA_TOOL_OPTIONS","value":"-Xmx1g"}]}]}}`,
			Applied{Path: "/spec/containers/0/env/1/value", Added: "-Xmx1g"},
		},
		{
			"flags of which one is there", `{"spec": {"containers": [{"env": [{"name": "` + options + `", "value": "-B -XX:A=2"}]}]}}`,
			Change{Kind: "jvm-flags", Path: env, Flags: []string{"-XX:A=1", "-XX:AB=1"}},
			`{"spec":{"containers":[{"env":[{"name":"JAVA_TOOL_OPTIONS","value":"-XX:AB=1 -B -XX:A=2"}]}]}}`,
			Applied{Path: "/spec/containers/0/env/0/value", Added: "-XX:AB=1"},
		},
		{
			"flags that are all there", `{"spec": {"containers": [{"env": [{"name": "` + options + `", "value": "-XX:A=2"}]}]}}`,
			Change{Kind: "jvm-flags", Path: env, Flags: []string{"-XX:A=1"}},
			"",
			Applied{},
		},
		{
			"flags for a variable from elsewhere", `{"spec": {"containers": [{"env": [{"name": "` + options + `", "valueFrom": {}}]}]}}`,
			Change{Kind: "jvm-flags", Path: env, Flags: []string{"-XX:A=1"}},
			"",
			Applied{},
		},
		{"no flags", `{"spec": {"containers": [{}]}}`, Change{Kind: "jvm-flags", Path: env}, "", Applied{}},
		{"flags of no container", `{"spec": 1}`, Change{Kind: "jvm-flags", Path: env, Flags: []string{"-A"}}, "", Applied{}},
		{"a change of another kind", `{"a": 1}`, Change{Kind: "replace", Path: []any{"a"}}, "", Applied{}},
	} {
		object := decodeJSON(t, tc.object).(map[string]any)
		said, ok := apply(object, tc.change)
		want := tc.want
		if want == "" {
			want = jsonOf(t, decodeJSON(t, tc.object))
		}
		if got := jsonOf(t, object); got != want || said != tc.said || ok != (tc.want != "") {
			t.Errorf("%s: %s, %+v, %t\nnot %s, %+v", tc.name, got, said, ok, want, tc.said)
		}
	}
}

func TestScalar(t *testing.T) {
	for _, tc := range []struct {
		value any
		want  string
	}{
		{nil, ""}, {"", ""}, {"1", "1"}, {2, "2"}, {true, "true"}, {[]any{1.5}, "[1.5]"}, {math.NaN(), ""},
	} {
		if got := scalar(tc.value); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.value, got, tc.want)
		}
	}
}

func TestPatch(t *testing.T) {
	for _, tc := range []struct{ from, to, want string }{
		{`{"a": 1}`, `{"a": 1}`, `null`},
		{`{"a": 1}`, `{"a": 2}`, `[{"op":"replace","path":"/a","value":2}]`},
		{`{"a": {"b/c": 1}}`, `{"a": {}}`, `[{"op":"remove","path":"/a/b~1c"}]`},
		{`{}`, `{"b": {}, "a~": 1}`, `[{"op":"add","path":"/a~0","value":1},{"op":"add","path":"/b","value":{}}]`},
		{`{"a": null}`, `{"a": {"b": 1}}`, `[{"op":"replace","path":"/a","value":{"b":1}}]`},
		{`{"l": []}`, `{"l": [1]}`, `[{"op":"replace","path":"/l","value":[1]}]`},
		{`{"l": [1]}`, `{"l": [1, 2, 3]}`, `[{"op":"add","path":"/l/-","value":2},{"op":"add","path":"/l/-","value":3}]`},
		{`{"l": [1, 2]}`, `{"l": [1, 3]}`, `[{"op":"replace","path":"/l/1","value":3}]`},
		{`{"l": [1, 2]}`, `{"l": [1]}`, `[{"op":"replace","path":"/l","value":[1]}]`},
		{`{"l": "text"}`, `{"l": [1]}`, `[{"op":"replace","path":"/l","value":[1]}]`},
	} {
		from, to := decodeJSON(t, tc.from).(map[string]any), decodeJSON(t, tc.to).(map[string]any)
		if got := jsonOf(t, patchOf(from, to)); got != tc.want {
			t.Errorf("%s to %s: %s, not %s", tc.from, tc.to, got, tc.want)
		}
	}
	// What a caller shapes as an object, and JSON as null, is replaced.
	got := patchOf(map[string]any{"a": map[string]any(nil)}, map[string]any{"a": map[string]any{"b": 1}})
	if want := `[{"op":"replace","path":"/a","value":{"b":1}}]`; jsonOf(t, got) != want {
		t.Errorf("%+v, not %s", got, want)
	}
}

func TestDeepCopy(t *testing.T) {
	given := map[string]any{
		"a": []any{1, map[string]any{"b": "c"}}, "none": map[string]any(nil), "no list": []any(nil), "empty": []any{}, "null": nil,
	}
	got := DeepCopy(given).(map[string]any)
	if !reflect.DeepEqual(got, given) {
		t.Errorf("%#v, not %#v", got, given)
	}
	got["a"].([]any)[1].(map[string]any)["b"] = "changed"
	got["a"].([]any)[0] = 2
	if want := []any{1, map[string]any{"b": "c"}}; !reflect.DeepEqual(given["a"], want) {
		t.Errorf("the original has become %v", given["a"])
	}
}
