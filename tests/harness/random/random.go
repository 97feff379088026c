// Package random makes objects of what people write in manifests, at the edges and beyond.
package random

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// What generated objects are made of: values that people write, at the edges and beyond.
var (
	classes = []string{"latency-sensitive", "batch", "sidecar", "cron", "multi-tenant", "", "latncy"}
	cpus    = []string{
		"", "", "100m", "200m", "500m", "700m", "0.7", "1", "1500m", "1.5", "2", "2000m", "4", "8", "16", "0", "1e0", "two", "100n",
	}
	memories = []string{
		"", "128Mi", "200Mi", "249Mi", "250Mi", "512Mi", "1Gi", "1024Mi", "1791Mi", "1792Mi", "2Gi", "4Gi", "4294967296", "8Gi",
		"1e9", "512m", "0", "1G",
	}
	commands = [][]string{
		nil,
		{"java", "-jar", "a.jar"},
		{"sh", "-c", "exec java $JAVA_OPTS -jar a.jar"},
		{"/usr/bin/java", "-XX:+UseG1GC", "a.Main"},
		{"/docker-entrypoint.sh"},
		{"gunicorn", "-w", "4", "a:b"},
		{"java", "$(JAVA_TOOL_OPTIONS)", "-jar", "a.jar"},
		{"java", "-XX:CICompilerCount=3", "-jar", "a.jar"},
		{"sh", "-c", "java \"$JAVA_TOOL_OPTIONS\" -jar a.jar"},
		{"java", "@options", "-jar", "a.jar"},
	}
	images   = []string{"x", "registry:5000/x:1", "eclipse-temurin:21", "tomcat:10", "envoyproxy/envoy:v1", "golang:1.25"}
	jvmFlags = []string{
		"-Xmx1g", "-Xmx512m", "-Xms512m", "-Xms3g", "-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseZGC",
		"-XX:+UseShenandoahGC", "-XX:ParallelGCThreads=2", "-XX:ParallelGCThreads=8", "-XX:ParallelGCThreads=25",
		"-XX:ConcGCThreads=1", "-XX:ConcGCThreads=2", "-XX:ConcGCThreads=6", "-XX:CICompilerCount=2", "-XX:CICompilerCount=5",
		"-XX:ActiveProcessorCount=1", "-XX:ActiveProcessorCount=4", "-XX:MaxRAMPercentage=75.0", "-XX:MaxRAMPercentage=75",
		"-XX:MinRAMPercentage=60.0", "-XX:MaxRAMFraction=2", "-XX:MaxMetaspaceSize=128m", "-XX:MaxDirectMemorySize=64m",
		"-XX:ReservedCodeCacheSize=64m", "-Xss512k", "-XX:TieredStopAtLevel=1", "-XX:-UseContainerSupport", "-XX:MaxRAM=2g",
		"-Da=b", "-XX:+Unknown", "'-Dq=a b'", "it's", "-XX:+IgnoreUnrecognizedVMOptions", "-XX:-TieredCompilation",
		"-XX:InitialRAMPercentage=10.0", "-D" + strings.Repeat("x", 900), "$(OTHER)",
	}
	runtimes  = []string{"", "", "", "jvm", "go", "go version=1.24", "go version=1.25", "node", "python", "native", "jvm version=8", "erlang"}
	facts     = []string{"", "", "version=8", "version=11", "version=17", "version=8u181", "version=21 threads=50 native=100Mi classes=8000"}
	requested = []string{"metaspace", "direct", "code-cache", "stack", "metaspace,direct,code-cache", "nonsense"}
)

// An Object is a Pod or a workload, with what stands beside it.
type Object struct {
	Object map[string]any
	Around map[string][]map[string]any
}

// New makes an object, as it comes from the wire.
func New(t *rapid.T) Object {
	annotations := map[string]any{}
	if class := pick(t, "class", classes); class != "" {
		annotations["headroom.dev/workload-class"] = class
	}
	names := []string{"app", "side", "third"}[:rapid.IntRange(1, 3).Draw(t, "containers")]
	spec := map[string]any{"futureField": map[string]any{"a/b~c": []any{1, nil, "x"}}}
	var containers, inits []any
	for _, name := range names {
		containers = append(containers, container(t, name, annotations))
	}
	if rapid.Bool().Draw(t, "init") {
		init := container(t, "init", annotations)
		if rapid.Bool().Draw(t, "native") {
			init["restartPolicy"] = "Always"
		}
		inits = append(inits, init)
	}
	spec["containers"] = containers
	if len(inits) > 0 {
		spec["initContainers"] = inits
	}
	if rapid.IntRange(0, 5).Draw(t, "pod level") == 0 {
		spec["resources"] = resources(t, "pod")
	}
	if value := pick(t, "average", cpus); value != "" {
		annotations["headroom.dev/cpu-average"] = value
	}
	if rapid.IntRange(0, 3).Draw(t, "allocation") == 0 {
		annotations["headroom.dev/cpu-allocation"] = pick(t, "of", []string{"1", "2", "4500m"})
	}
	if rapid.IntRange(0, 9).Draw(t, "ignore") == 0 {
		rule := pick(t, "rule", []string{"HR202", "HR204", "HR402", "HR403", "HR302", "HR406", "HR307"})
		annotations["ignore.headroom.dev/"+rule] = "known"
	}
	return whole(t, spec, annotations)
}

func whole(t *rapid.T, spec, annotations map[string]any) Object {
	g := Object{Around: map[string][]map[string]any{}}
	template := map[string]any{"metadata": map[string]any{"name": "a", "annotations": annotations}, "spec": spec}
	switch kind := pick(t, "kind", []string{"Pod", "Pod", "Pod", "Deployment", "CronJob", "Job"}); kind {
	case "Pod":
		g.Object = map[string]any{"apiVersion": "v1", "kind": kind, "metadata": template["metadata"], "spec": spec}
		if rapid.IntRange(0, 3).Draw(t, "owned") == 0 {
			g.Around["owners"] = []map[string]any{
				{"kind": "ReplicaSet", "annotations": map[string]any{}},
				{"kind": "Deployment", "annotations": map[string]any{"headroom.dev/workload-class": pick(t, "of owner", classes)}},
			}
		}
	case "CronJob":
		g.Object = map[string]any{
			"apiVersion": "batch/v1", "kind": kind, "metadata": map[string]any{"name": "a"},
			"spec": map[string]any{"jobTemplate": map[string]any{"spec": map[string]any{"template": template}}},
		}
	default:
		version := map[string]string{"Deployment": "apps/v1", "Job": "batch/v1"}[kind]
		outer := map[string]any{}
		if rapid.Bool().Draw(t, "class outside") {
			outer["headroom.dev/workload-class"] = pick(t, "outer class", classes)
			delete(annotations, "headroom.dev/workload-class")
		}
		g.Object = map[string]any{
			"apiVersion": version, "kind": kind,
			"metadata": map[string]any{"name": "a", "annotations": outer}, "spec": map[string]any{"template": template},
		}
	}
	namespace(t, g.Around)
	// As it comes from the wire.
	text, err := json.Marshal(g.Object)
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	g.Object = nil
	if err := decoder.Decode(&g.Object); err != nil {
		t.Fatal(err)
	}
	return g
}

func namespace(t *rapid.T, around map[string][]map[string]any) {
	if rapid.IntRange(0, 3).Draw(t, "limit range") == 0 {
		item := map[string]any{"type": pick(t, "type", []string{"Container", "Container", "Pod"})}
		for _, key := range []string{"default", "defaultRequest", "max", "min", "maxLimitRequestRatio"} {
			if rapid.IntRange(0, 3).Draw(t, key) == 0 {
				item[key] = amounts(t, key)
			}
		}
		around["limit_ranges"] = []map[string]any{{
			"apiVersion": "v1", "kind": "LimitRange",
			"metadata": map[string]any{"name": "r"}, "spec": map[string]any{"limits": []any{item}},
		}}
	}
	if rapid.IntRange(0, 3).Draw(t, "quota") == 0 {
		hard, used := map[string]any{}, map[string]any{}
		for _, key := range []string{"requests.cpu", "limits.cpu", "cpu", "requests.memory", "memory"} {
			if rapid.IntRange(0, 2).Draw(t, key) == 0 {
				value := map[bool]string{true: "4", false: "6Gi"}[strings.Contains(key, "cpu")]
				hard[key], used[key] = value, map[bool]string{true: "2", false: "4Gi"}[strings.Contains(key, "cpu")]
			}
		}
		around["resource_quotas"] = []map[string]any{{
			"apiVersion": "v1", "kind": "ResourceQuota",
			"metadata": map[string]any{"name": "q"}, "spec": map[string]any{"hard": hard},
			"status": map[string]any{"hard": hard, "used": used},
		}}
	}
}

func container(t *rapid.T, name string, annotations map[string]any) map[string]any {
	label := func(what string) string { return what + " of " + name }
	c := map[string]any{"name": name, "image": pick(t, label("image"), images), "futureField": json.Number("12345678901234567890")}
	if command := pick(t, label("command"), commands); command != nil {
		c["command"] = list(command)
	}
	if rapid.IntRange(0, 9).Draw(t, label("has resources")) > 0 {
		c["resources"] = resources(t, name)
	}
	if env := variables(t, name); len(env) > 0 {
		c["env"] = env
	}
	if rapid.IntRange(0, 9).Draw(t, label("envFrom")) == 0 {
		c["envFrom"] = []any{map[string]any{"secretRef": map[string]any{"name": "s"}}}
	}
	note := func(key string, values []string) {
		if value := pick(t, label(key), values); value != "" {
			annotations[key+".headroom.dev/"+name] = value
		}
	}
	note("runtime", runtimes)
	note("jvm", facts)
	note("cpu-average", cpus)
	note("cpu-peak", cpus)
	if rapid.IntRange(0, 3).Draw(t, label("own class")) == 0 {
		note("class", classes)
	}
	if rapid.IntRange(0, 3).Draw(t, label("asks")) == 0 {
		note("inject", requested)
	}
	return c
}

func variables(t *rapid.T, name string) []any {
	var env []any
	for i := range rapid.IntRange(0, 3).Draw(t, "variables of "+name) {
		label := fmt.Sprintf("variable %d of %s", i, name)
		key := pick(t, label, []string{
			"JAVA_TOOL_OPTIONS", "JAVA_TOOL_OPTIONS", "JAVA_TOOL_OPTIONS", "JAVA_OPTS", "JDK_JAVA_OPTIONS",
			"_JAVA_OPTIONS", "GOMAXPROCS", "GOGC", "GOMEMLIMIT", "WEB_CONCURRENCY", "OTHER",
		})
		entry := map[string]any{"name": key}
		switch rapid.IntRange(0, 9).Draw(t, "kind of "+label) {
		case 0:
			entry["valueFrom"] = map[string]any{"secretKeyRef": map[string]any{"name": "s", "key": "k"}}
		case 1:
			entry["name"] = pick(t, "sized "+label, []string{"GOMAXPROCS", "WEB_CONCURRENCY", "OTHER"})
			entry["valueFrom"] = map[string]any{"resourceFieldRef": map[string]any{"resource": "limits.cpu"}}
		case 2: // neither
		default:
			entry["value"] = value(t, key, label)
		}
		env = append(env, entry)
	}
	return env
}

func value(t *rapid.T, key, label string) string {
	if key[0] == 'G' || key[0] == 'W' {
		return pick(t, label, []string{"1", "2", "4", "8", "100", "x"})
	}
	flags := rapid.SliceOfN(rapid.SampledFrom(jvmFlags), 0, 4).Draw(t, "flags of "+label)
	return strings.Join(flags, " ")
}

func resources(t *rapid.T, name string) map[string]any {
	r := map[string]any{"claims": []any{map[string]any{"name": "future"}}}
	for _, list := range []string{"requests", "limits"} {
		switch rapid.IntRange(0, 12).Draw(t, list+" of "+name) {
		case 0:
			r[list] = nil
		case 1: // not there
		default:
			r[list] = amounts(t, list+" of "+name)
		}
	}
	return r
}

func amounts(t *rapid.T, label string) map[string]any {
	a := map[string]any{}
	if value := pick(t, "cpu "+label, cpus); value != "" {
		a["cpu"] = value
		if rapid.IntRange(0, 9).Draw(t, "number "+label) == 0 {
			a["cpu"] = 2
		}
	}
	if value := pick(t, "memory "+label, memories); value != "" {
		a["memory"] = value
	}
	return a
}

func list(values []string) []any {
	out := make([]any, len(values))
	for i, value := range values {
		out[i] = value
	}
	return out
}

func pick[T any](t *rapid.T, label string, values []T) T {
	return rapid.SampledFrom(values).Draw(t, label)
}
