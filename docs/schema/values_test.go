package schema

import "testing"

// What HR105 complains of and a schema can say, the schema refuses; a schema that lets
// everything through would be of no use.
func TestBadValuesAreRefused(t *testing.T) {
	schema := compiled(t, "manifest.schema.json")
	for key, values := range map[string][]any{
		"headroom.dev/workload-class":           {"Batch", "latency sensitive", "", "unclassified", 5, true},
		"class.headroom.dev/app":                {"Batch", "init"},
		"headroom.dev/cpu-average":              {"lots", "0", "-1", "1e99999999", "500 m", "", 2, "0.0", "5g"},
		"cpu-average.headroom.dev/app":          {"lots", "00", "-500m"},
		"cpu-peak.headroom.dev/app":             {"1.2.3", "0m"},
		"memory-peak.headroom.dev/app":          {"1GB", "-1Gi", "1ki", "0"},
		"headroom.dev/cpu-allocation":           {"four", "0"},
		"runtime.headroom.dev/app":              {"java", " jvm", "", "go 1.24", "go version=2", "jvm 17", "node 22"},
		"jvm.headroom.dev/app":                  {"version=x", "threads=0", "pause=20", "heap=1Gi", "threads=2,", " "},
		"cores-per-worker.headroom.dev/app":     {"0", "half"},
		"measured.headroom.dev/app":             {"lately", "", "date=2027-02-30", "date=2026-11-27 over=7", "date=2026-11-27 of=heap"},
		"inject.headroom.dev/app":               {"heap", "metaspace stack", "", "stack,"},
		"headroom.dev/cpu-pinning":              {"dynamic", ""},
		"headroom.dev/applied":                  {5},
		"ignore.headroom.dev/HR202":             {"", " ", "until=2027-02-30; x", "until=soon; x", "until=2027-01-31"},
		"ignore.headroom.dev/latency-cpu-limit": {"until=2100-02-29; x"},
		"ignore.headroom.dev/HR999":             {"known"},
		"headroom.dev/workload-clas":            {"batch"},
		"headroom.dev/mode":                     {"warn"},
		"headroom.dev/default-class":            {"batch"},
		"cpu.headroom.dev/app":                  {"1"},
	} {
		for _, value := range values {
			object := pod(map[string]any{key: value}, "app")
			if said := complaints(t, object); len(said) == 0 {
				t.Errorf("the policies take %s: %q", key, value)
			}
			if schema.Validate(generic(t, object)) == nil {
				t.Errorf("the schema takes %s: %q", key, value)
			}
		}
	}
}

func TestNamespaces(t *testing.T) {
	schema := compiled(t, "manifest.schema.json")
	for _, c := range []struct {
		label      bool
		key, value string
		good       bool
	}{
		{true, "headroom.dev/mode", "warn", true},
		{true, "headroom.dev/mode", "off", true},
		{true, "headroom.dev/mutate", "enabled", true},
		{true, "team", "news", true},
		{true, "headroom.dev/mode", "warm", false},
		{true, "headroom.dev/mutate", "true", false},
		{true, "headroom.dev/default-class", "batch", false},
		{false, "headroom.dev/default-class", "batch", true},
		{false, "headroom.dev/allowed-classes", "batch, cron,", true},
		{false, "headroom.dev/allow-ignore", "HR105, annotation-invalid,, ", true},
		{false, "headroom.dev/allow-ignore", "", true},
		{false, "headroom.dev/cpu-allocation", "16", true},
		{false, "example.com/headroom.dev", "of someone else", true},
		{false, "notheadroom.dev/mode", "of someone else", true},
		{false, "headroom.dev/allow-ignore", "HR999", false},
		{false, "headroom.dev/allowed-classes", "batch; cron", false},
		{false, "headroom.dev/cpu-allocation", "lots", false},
		{false, "headroom.dev/workload-class", "batch", false},
		{false, "class.headroom.dev/app", "batch", false},
	} {
		object := namespace(map[string]any{c.key: c.value}, nil)
		if c.label {
			object = namespace(nil, map[string]any{c.key: c.value})
		}
		if said := complaints(t, object); (len(said) == 0) != c.good {
			t.Errorf("%v: the policies say %v", c, said)
		}
		if err := schema.Validate(generic(t, object)); (err == nil) != c.good {
			t.Errorf("%v: the schema says %v", c, err)
		}
	}
}

// The schema finds annotations wherever a kind keeps its pod template.
func TestKinds(t *testing.T) {
	schema := compiled(t, "manifest.schema.json")
	wrong := map[string]any{"metadata": map[string]any{"annotations": map[string]any{"headroom.dev/cpu-average": "lots"}}}
	below := func(keys ...string) map[string]any {
		inner := wrong
		for i := range keys {
			inner = map[string]any{keys[len(keys)-1-i]: inner}
		}
		return inner
	}
	for _, c := range []struct {
		apiVersion, kind string
		fields           map[string]any
		refused          bool
	}{
		{"v1", "Pod", wrong, true},
		{"v1", "ReplicationController", below("spec", "template"), true},
		{"apps/v1", "Deployment", below("spec", "template"), true},
		{"apps/v1", "DaemonSet", wrong, true},
		{"extensions/v1beta1", "Deployment", below("spec", "template"), true},
		{"batch/v1", "Job", below("spec", "template"), true},
		{"batch/v1", "CronJob", below("spec", "jobTemplate", "spec", "template"), true},
		{"v1", "Service", wrong, false},
		{"example.com/v1", "Job", below("spec", "template"), false},
		{"apps/v1", "Deployment", map[string]any{"metadata": map[string]any{"annotations": nil}, "spec": nil}, false},
	} {
		object := map[string]any{"apiVersion": c.apiVersion, "kind": c.kind}
		for key, value := range c.fields {
			object[key] = value
		}
		if err := schema.Validate(generic(t, object)); (err != nil) != c.refused {
			t.Errorf("%s %s: %v", c.apiVersion, c.kind, err)
		}
		list := map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{object}}
		if err := schema.Validate(generic(t, list)); (err != nil) != c.refused {
			t.Errorf("a List of %s %s: %v", c.apiVersion, c.kind, err)
		}
	}
}
