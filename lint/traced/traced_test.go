package traced

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

const values = `replicas: 2
image: {tag: "1"}
cpuLimit: 500m
resources:
  limits:
    cpu: 2
    memory: 1Gi
  requests:
    memory: "512Mi"
javaOpts: -Xmx900m
env:
  - name: GC
    value: -XX:+UseG1GC
sidecar:
  resources: {}
heapMB: 300
podAnnotations:
  headroom.dev/workload-class: batch
enabled: true
`

// object is what a chart renders of some values, written as Helm's templates would write it.
func object(t *testing.T, marked []byte) map[string]any {
	t.Helper()
	var v map[string]any
	if err := yaml.Unmarshal(marked, &v); err != nil {
		t.Fatal(err)
	}
	if v["replicas"] != 2 || v["enabled"] != true {
		t.Errorf("what is no value of a container is marked: %s", marked)
	}
	at := func(keys ...string) any {
		var here any = v
		for _, key := range keys {
			here = here.(map[string]any)[key]
		}
		return here
	}
	return map[string]any{
		"metadata": map[string]any{"annotations": v["podAnnotations"]},
		"containers": []any{
			map[string]any{
				"name": "a", "image": "x", "resources": at("resources"),
				"env": []any{
					map[string]any{"name": "JAVA_TOOL_OPTIONS", "value": at("javaOpts")},
					at("env").([]any)[0],
					map[string]any{"name": "HEAP", "value": "-Xmx" + string(must(yaml.Marshal(at("heapMB"))))},
				},
			},
			map[string]any{"name": "b", "image": "y", "resources": at("sidecar", "resources")},
			map[string]any{"name": "c", "image": "z", "resources": map[string]any{"limits": map[string]any{
				"cpu": at("cpuLimit"), "memory": at("resources", "limits", "memory"),
			}}},
			map[string]any{"name": "d", "image": "z"},
		},
	}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

func TestLine(t *testing.T) {
	v, err := Read([]byte(values), nil)
	if err != nil {
		t.Fatal(err)
	}
	rendered := object(t, v.Marked)
	for pointer, want := range map[string]int{
		"/containers/0/resources/limits/cpu":                 6,
		"/containers/0/resources/limits/memory":              7,
		"/containers/0/resources/requests/memory":            9,
		"/containers/0/resources/requests/cpu":               9, // is not there: what there is of the requests
		"/containers/0/resources":                            4,
		"/containers/0":                                      4,
		"/containers/0/env/0/value":                          10,
		"/containers/0/env/1/value":                          13,
		"/containers/0/env/2/value":                          16,
		"/containers/1":                                      15,
		"/containers/1/resources/limits/memory":              15,
		"/containers/2/resources":                            3, // two values that have nothing in common: the first
		"/containers/3":                                      0,
		"/containers/0/name":                                 0,
		"/containers/9":                                      0,
		"/metadata/annotations/headroom.dev~1workload-class": 18,
		"": 0,
	} {
		if got := v.Line(rendered, pointer); got != want {
			t.Errorf("%s: line %d, wanted %d", pointer, got, want)
		}
	}
	if v.Line(rendered, "no pointer") != 0 || v.Line(map[string]any{"a": "73409999"}, "/a") != 0 {
		t.Error("what is no mark has a line")
	}
}

// What only the saved values had is taken out.
func TestGone(t *testing.T) {
	v, err := Read([]byte("a: {b: 1}\n"), []byte("a: {b: 2, c: 3}\nd: {e: 1}\n"))
	if err != nil {
		t.Fatal(err)
	}
	var now map[string]any
	if err := yaml.Unmarshal(v.Text, &now); err != nil {
		t.Fatal(err)
	}
	c, there := now["a"].(map[string]any)["c"]
	if d, is := now["d"]; !there || c != nil || !is || d != nil {
		t.Errorf("%s", v.Text)
	}
	if v, err := Read(nil, []byte("a: 1\n")); err != nil || !strings.Contains(string(v.Text), "a: null") {
		t.Errorf("an empty file: %v, %s", err, v.Text)
	}
	if v, err := Read([]byte("[]\n"), []byte("a: 1\n")); err != nil || strings.Contains(string(v.Text), "a") {
		t.Errorf("no map: %v, %s", err, v.Text)
	}
	if _, err := Read([]byte("a: [\n"), nil); err == nil {
		t.Error("broken values are read")
	}
}
