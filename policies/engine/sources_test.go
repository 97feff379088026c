package engine_test

import (
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

// inSources are flags that a variable or a file out of sight may turn out to hold.
var inSources = []string{
	"", "-Xmx64m", "-Xmx512m", "-Xmx3g", "-Xms1g", "-XX:MaxRAMPercentage=30.0", "-XX:MaxRAMPercentage=90.0", "-XX:MaxHeapSize=1g",
	"-XX:ActiveProcessorCount=1", "-XX:ActiveProcessorCount=16", "-XX:ConcGCThreads=6", "-XX:ParallelGCThreads=1", "-XX:+UseSerialGC",
	"-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:CICompilerCount=12", "-XX:CICompilerCount=1", "-XX:-TieredCompilation",
	"-XX:MaxMetaspaceSize=64m", "-XX:MaxDirectMemorySize=1g", "-XX:ReservedCodeCacheSize=32m -XX:InitialCodeCacheSize=32m", "-Xss16m",
	"-XX:-UseContainerSupport", "-XX:+IgnoreUnrecognizedVMOptions", "-XX:MaxRAM=8g", "-XX:TieredStopAtLevel=1", "-javaagent:/agent.jar", "-Da=b",
}

// ofSources are the variables that a Secret or ConfigMap may turn out to set as a whole, and keys that are picked.
var ofSources = []string{
	"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "JAVA_OPTS", "CATALINA_OPTS", "ES_JAVA_OPTS", "KAFKA_HEAP_OPTS", "JVM_OPTS",
	"GOMAXPROCS", "GOMEMLIMIT", "WEB_CONCURRENCY", "NODE_OPTIONS",
}

// ofFiles are the keys under which option files lie, and the one that a variable picks.
var ofFiles = []string{"jvm.options", "args", "start.sh", "picked"}

// In place of any Secret or ConfigMap that is not in the input comes one with any content. What was called an error is
// one, and what was changed does no harm: no JVM stops to start, no variable is lost, and no rule says more.
func TestWhateverASourceHolds(t *testing.T) {
	ctx := context.Background()
	e, err := engine.New(ctx, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(search.Seed(t, 32), 9))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	rounds, changed, errors := search.Rounds(20000), 0, 0
	if !search.Whole() {
		rounds = min(rounds, 500)
	}
	for range rounds {
		pod, data := sourcedPod(pick), contents(pick)
		around, err := engine.NewContext("shop", map[string][]map[string]any{"config_maps": {
			{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "read"}, "data": data},
		}})
		if err != nil {
			t.Fatal(err)
		}
		fixed, err := e.Fix(ctx, engine.Review{Manifest: pod})
		if err != nil {
			t.Fatal(err)
		}
		judge := func(pod map[string]any) map[string]engine.Finding {
			result, err := e.Evaluate(ctx, engine.Review{Manifest: readable(pod).(map[string]any), Around: around})
			if err != nil {
				t.Fatal(err)
			}
			return worstOf(result.Findings)
		}
		was := judge(pod)
		for _, f := range fixed.Before.Findings {
			if f.Severity != engine.SeverityError {
				continue
			}
			errors++
			if !stays(f, was) {
				t.Errorf("%s\nbeside %v\n%s is no error: %s", jsonText(t, pod), data, f.Rule, f.Message)
			}
		}
		if fixed.Object == nil {
			continue
		}
		changed++
		for rule, f := range judge(fixed.Object) {
			if f.Severity != engine.SeverityInfo && gravity[f.Severity] > gravity[was[rule].Severity] {
				t.Errorf("%s\nbecame %s\nbeside %v\nnew is %s, %s: %s", jsonText(t, pod), jsonText(t, fixed.Object), data, rule, f.Severity, f.Message)
			}
		}
		for name := range variables(fixed.Object) {
			if !variables(pod)[name] && brought(pod, data)[name] {
				t.Errorf("%s\nbecame %s\n%s of the source is lost", jsonText(t, pod), jsonText(t, fixed.Object), name)
			}
		}
	}
	t.Logf("%d objects beside contents of sources: %d changed, %d errors", rounds, changed, errors)
	if changed < rounds/50 || errors == 0 {
		t.Errorf("only %d of %d objects were changed, and %d errors were said", changed, rounds, errors)
	}
}

// variables are the names in the environment of a Pod's container.
func variables(pod map[string]any) map[string]bool {
	names := map[string]bool{}
	env, _ := onlyContainer(pod)["env"].([]any)
	for _, entry := range env {
		names[entry.(map[string]any)["name"].(string)] = true
	}
	return names
}

// brought are the variables that envFrom brings.
func brought(pod, data map[string]any) map[string]bool {
	names := map[string]bool{}
	sources, _ := onlyContainer(pod)["envFrom"].([]any)
	for _, source := range sources {
		prefix, _ := source.(map[string]any)["prefix"].(string)
		for name := range data {
			names[prefix+name] = true
		}
	}
	return names
}

func onlyContainer(pod map[string]any) map[string]any {
	return pod["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
}

var gravity = map[string]int{engine.SeverityInfo: 1, engine.SeverityWarning: 2, engine.SeverityError: 3}

// worstOf has the gravest finding of each rule.
func worstOf(findings []engine.Finding) map[string]engine.Finding {
	worst := map[string]engine.Finding{}
	for _, f := range findings {
		if gravity[f.Severity] > gravity[worst[f.Rule].Severity] {
			worst[f.Rule] = f
		}
	}
	return worst
}

// stays says that an error is one still. HR303 and HR304 speak of one budget. What HR202 says of threads that are not
// counted begins with "When": counted, they may be fewer than use the quota up for sure.
func stays(f engine.Finding, is map[string]engine.Finding) bool {
	switch {
	case f.Rule == "HR303" || f.Rule == "HR304":
		return is["HR303"].Severity == engine.SeverityError || is["HR304"].Severity == engine.SeverityError
	case f.Rule == "HR202" && strings.Contains(f.Message, ". When "):
		return gravity[is[f.Rule].Severity] >= gravity[engine.SeverityWarning]
	}
	return is[f.Rule].Severity == engine.SeverityError
}

// sourcedPod is a Pod whose container takes flags from one or two sources that are not in the input.
func sourcedPod(pick func(...string) string) map[string]any {
	pod := unreadPod(pick)
	pod = withImage(pod, pick("app:1", "eclipse-temurin:21", "eclipse-temurin:8u302-jre", "tomcat:10", "elasticsearch:8.11.0", "cassandra:4.1",
		"confluentinc/cp-kafka:7.5.0", "golang:1.25", "node:20"))
	spec := pod["spec"].(map[string]any)
	container := onlyContainer(pod)
	delete(container, "envFrom")
	limits := container["resources"].(map[string]any)["limits"].(map[string]any)
	limits["memory"] = pick("256Mi", "512Mi", "1Gi", "2Gi", "8Gi")
	reference := func() map[string]any { return map[string]any{"name": "unread"} }
	for range 1 + len(pick("", " ")) {
		switch pick("whole", "whole", "picked", "file", "script", "expanded") {
		case "whole":
			source := map[string]any{pick("secretRef", "configMapRef"): reference()}
			if prefix := pick("", "", "", "JAVA_", "DB_"); prefix != "" {
				source["prefix"] = prefix
			}
			container["envFrom"] = []any{source}
		case "picked":
			from := reference()
			from["key"] = "picked"
			env, _ := container["env"].([]any)
			container["env"] = append(env, map[string]any{
				"name": pick(ofSources...), "valueFrom": map[string]any{pick("secretKeyRef", "configMapKeyRef"): from},
			})
		case "expanded":
			from, before := reference(), pick("", "-Xmx300m ", "-Xmx9g -Da=")
			from["key"] = "picked"
			container["env"] = []any{
				map[string]any{"name": "MORE", "valueFrom": map[string]any{pick("secretKeyRef", "configMapKeyRef"): from}},
				map[string]any{"name": pick("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS"), "value": before + "$(MORE)"},
			}
			if pick("", " ") != "" {
				container["command"] = []any{"java", "$(MORE)", "-jar", "a.jar"}
			}
		case "file":
			container["command"] = append([]any{"java"}, append(words(pick("@/options/args", "-XX:VMOptionsFile=/options/jvm.options",
				"-XX:Flags=/options/jvm.options", "-Xmx300m @/options/args", "-XX:+UseSuchGC @/options/args")), "-jar", "a.jar")...)
			mount(pick, spec, container, "/options")
		case "script":
			if pick("", " ") != "" {
				container["command"] = []any{"sh", "/options/start.sh"}
				container["args"] = append([]any{"java"}, words(pick("-Xmx300m", "-Xmx9g", "-XX:+UseSuchGC", "-Xms2g -Xmx1g")+" -jar a.jar")...)
			} else {
				delete(container, "command")
			}
			mount(pick, spec, container, pick("/options", "/usr/share/elasticsearch/config/jvm.options.d", "/opt/cassandra/conf", "/etc/cassandra"))
		}
	}
	return pod
}

// mount puts the source into a folder of the container.
func mount(pick func(...string) string, spec, container map[string]any, folder string) {
	volume := map[string]any{"name": "options", "configMap": map[string]any{"name": "unread"}}
	if pick("", " ") != "" {
		volume = map[string]any{"name": "options", "secret": map[string]any{"secretName": "unread"}}
	}
	spec["volumes"] = []any{volume}
	container["volumeMounts"] = []any{map[string]any{"name": "options", "mountPath": folder}}
}

// contents are one to three entries of what a source may hold.
func contents(pick func(...string) string) map[string]any {
	flags := func() string { return strings.TrimSpace(pick(inSources...) + " " + pick(inSources...)) }
	data := map[string]any{"DATABASE": "postgres"}
	for range 1 + len(pick("", " ", "  ")) {
		switch key := pick(append(slices.Clone(ofSources), ofFiles...)...); key {
		case "GOMAXPROCS", "WEB_CONCURRENCY":
			data[key] = pick("1", "3", "64")
		case "GOMEMLIMIT":
			data[key] = pick("64MiB", "300MiB", "9GiB")
		case "NODE_OPTIONS":
			data[key] = pick("--max-old-space-size=100", "--max-old-space-size=9000")
		case "jvm.options", "args":
			data[key] = strings.ReplaceAll(flags(), " ", "\n")
		case "start.sh":
			data[key] = pick("exec java "+flags()+" -jar a.jar", "export JAVA_TOOL_OPTIONS='"+flags()+"'\nexec java -jar a.jar", "exec /app/server")
		default:
			data[key] = flags()
		}
	}
	if data["picked"] == nil {
		data["picked"] = flags()
	}
	prefixed := map[string]any{}
	for name, value := range data {
		prefixed[strings.TrimPrefix(name, "JAVA_")] = value // of envFrom with this prefix
	}
	maps.Copy(data, prefixed)
	return data
}

// readable is a copy in which every source is a ConfigMap of the input.
func readable(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, inner := range v {
			switch key {
			case "secretRef", "configMapRef":
				out["configMapRef"] = map[string]any{"name": "read"}
			case "secretKeyRef", "configMapKeyRef":
				out["configMapKeyRef"] = map[string]any{"name": "read", "key": inner.(map[string]any)["key"]}
			case "secret", "configMap":
				out["configMap"] = map[string]any{"name": "read"}
			default:
				out[key] = readable(inner)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = readable(inner)
		}
		return out
	}
	return value
}

func jsonText(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
