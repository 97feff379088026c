package wanted

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestWays(t *testing.T) {
	for text, want := range map[string][]Way{
		"at most -XX:MaxRAMPercentage=33.0 (-Xmx258m) under this limit, or -Xmx538m and limits.memory of 1152Mi": {
			{Flags: []string{"-Xmx258m"}},
			{Flags: []string{"-XX:MaxRAMPercentage=33.0"}},
			{Flags: []string{"-Xmx538m"}, Limit: "1152Mi"},
		},
		"limits.memory of 640Mi (and requests.memory)":                                         {{Limit: "640Mi", Other: true}},
		"at most ZOO_HEAP_SIZE=512 (-Xmx512m) under this limit":                                {{Sizes: map[string]string{"ZOO_HEAP_SIZE": "512"}, Flags: []string{"-Xmx512m"}}},
		"-Xmx1m in KAFKA_HEAP_OPTS and limits.memory of 9Mi":                                   {{Flags: []string{"-Xmx1m"}, Place: "KAFKA_HEAP_OPTS", Limit: "9Mi"}},
		"limits.memory: 1250Mi or more (peak / 0.8)":                                           {{Limit: "1250Mi"}},
		"limits.memory, then the share of it that HR303 has room":                              nil,
		"set -XX:MaxDirectMemorySize in JVM_OPTS, then set HEAP":                               nil,
		"-XX:MaxMetaspaceSize=256m and native= in the annotation x":                            {{Flags: []string{"-XX:MaxMetaspaceSize=256m"}, Facts: []string{"native="}}},
		"annotate direct= and native= (headroom diagnose POD shows them), then set -XX:A in B": {{Facts: []string{"direct=", "native="}}},
	} {
		if got := Ways(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, not %v", text, got, want)
		}
	}
}

func TestFollow(t *testing.T) {
	const before = `{"spec": {"containers": [{"name": "a", "command": ["sh", "-c", "exec java -XX:MaxHeapSize=9g a.jar"],
		"env": [{"name": "X", "value": "-Xms9g"}], "resources": {"requests": {"memory": "1Gi"}, "limits": {"memory": "1Gi"}}}]}}`
	const after = `{"metadata": {"annotations": {"jvm.headroom.dev/a": "native=25Mi"}},
		"spec": {"containers": [{"name": "a", "command": ["sh", "-c", "exec java -Xmx1m a.jar"],
		"env": [{"name": "X", "value": "-Xms1m"}, {"name": "_JAVA_OPTIONS", "value": "-Xmx1m -Xms1m -Xss1m"}],
		"resources": {"requests": {"memory": "2Gi"}, "limits": {"memory": "2Gi"}}}]}}`
	var object, want map[string]any
	for text, into := range map[string]*map[string]any{before: &object, after: &want} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	Follow(object, "a", Way{Flags: []string{"-Xmx1m", "-Xms1m", "-Xss1m"}, Limit: "2Gi", Other: true, Facts: []string{"native="}})
	if !reflect.DeepEqual(object, want) {
		got, _ := json.Marshal(object)
		t.Errorf("%s", got)
	}
}

// What a text names as the place is changed, and nothing else.
func TestFollowInPlace(t *testing.T) {
	const before = `{"metadata": {}, "spec": {"containers": [{"name": "a",
		"env": [{"name": "S", "value": "9"}, {"name": "O", "value": "-Xms1m -Xmx9m"}]}]}}`
	for name, want := range map[string]struct {
		way        Way
		size, opts string
	}{
		"a size": {Way{Sizes: map[string]string{"S": "512"}}, "512", "-Xms1m -Xmx9m"},
		"flags":  {Way{Place: "O", Flags: []string{"-Xmx2m", "-Xss1m"}}, "9", "-Xms1m -Xmx2m -Xss1m"},
	} {
		var object map[string]any
		if err := json.Unmarshal([]byte(before), &object); err != nil {
			t.Fatal(err)
		}
		Follow(object, "a", want.way)
		env := object["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)["env"].([]any)
		if len(env) != 2 || env[0].(map[string]any)["value"] != want.size || env[1].(map[string]any)["value"] != want.opts {
			t.Errorf("%s: %v", name, env)
		}
	}
}
