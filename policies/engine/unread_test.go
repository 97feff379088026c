package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

// hidden are the variables that an image, a Secret or a ConfigMap may turn out to set.
var hidden = []map[string]any{
	{},
	{"JAVA_TOOL_OPTIONS": "-Xmx512m -javaagent:/agent.jar"},
	{"JAVA_TOOL_OPTIONS": "-XX:ActiveProcessorCount=4"},
	{"JAVA_TOOL_OPTIONS": "-XX:ConcGCThreads=6"},
	{"JAVA_TOOL_OPTIONS": "-XX:+UseG1GC -XX:ConcGCThreads=6"},
	{"JAVA_TOOL_OPTIONS": "-XX:ParallelGCThreads=1"},
	{"JAVA_TOOL_OPTIONS": "-XX:MaxRAMPercentage=30.0"},
	{"JAVA_TOOL_OPTIONS": "-XX:CICompilerCount=12"},
	{"JAVA_TOOL_OPTIONS": "-XX:ReservedCodeCacheSize=32m -XX:InitialCodeCacheSize=32m"},
	{"JDK_JAVA_OPTIONS": "-XX:ParallelGCThreads=1"},
	{"JDK_JAVA_OPTIONS": "-XX:ParallelGCThreads=8 -XX:ConcGCThreads=4"},
	{"JDK_JAVA_OPTIONS": "-XX:+UseSerialGC"},
	{"_JAVA_OPTIONS": "-XX:ConcGCThreads=8"},
	{"_JAVA_OPTIONS": "-Xmx256m"},
	{"_JAVA_OPTIONS": "-XX:CICompilerCount=12"},
	{"GOMAXPROCS": "3", "GOMEMLIMIT": "300MiB"},
}

// An image that was not read may set any of these. Whatever it sets, nothing of it is lost by a change, no JVM stops to
// start, and what was called an error is one.
func TestWhateverAnImageSets(t *testing.T) {
	references, images := map[string]any{}, map[string]any{}
	for i, environment := range hidden {
		digest := fmt.Sprintf("sha256:%d", i)
		references[fmt.Sprintf("read:%d", i)] = digest
		images[digest] = map[string]any{"entrypoint": []any{"/run.sh"}, "command": []any{}, "environment": environment, "labels": map[string]any{}}
	}
	ctx := context.Background()
	e, err := engine.New(ctx, engine.Options{ImageLock: map[string]any{"references": references, "images": images}})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(search.Seed(t, 31), 8))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	objects, tried, written := search.Rounds(20000), 0, 0
	for range objects {
		pod := unreadPod(pick)
		fixed, err := e.Fix(ctx, engine.Review{Manifest: withImage(pod, "app:1")})
		if err != nil {
			t.Fatal(err)
		}
		after := pod
		if fixed.Object != nil {
			after = fixed.Object
			written++
		}
		i := random.IntN(len(hidden))
		tried++
		read := fmt.Sprintf("read:%d", i)
		was, is := verdict(t, e, withImage(pod, read)), verdict(t, e, withImage(after, read))
		if is["HR409 error"] && !was["HR409 error"] {
			t.Fatalf("%v\nbecame %v: beside %v it does not start", pod, after, hidden[i])
		}
		for name := range hidden[i] {
			if !strings.Contains(fmt.Sprint(pod), name) && strings.Contains(fmt.Sprint(after), name) {
				t.Fatalf("%v\nbecame %v: %s of the image is lost", pod, after, name)
			}
		}
		for _, f := range fixed.Before.Findings {
			if f.Rule == "HR402" && f.Severity == engine.SeverityError && !was["HR402 error"] {
				t.Fatalf("%v: HR402 is no error beside %v", pod, hidden[i])
			}
		}
	}
	t.Logf("%d objects beside %d contents, %d changed", tried, len(hidden), written)
	if written < tried/50 { // 8 to 12 in 100, by the day
		t.Errorf("only %d of %d objects were changed", written, tried)
	}
}

func unreadPod(pick func(...string) string) map[string]any {
	container := map[string]any{"name": "app", "resources": map[string]any{
		"requests": map[string]any{"cpu": pick("200m", "1", "3"), "memory": pick("512Mi", "2Gi")},
		"limits":   map[string]any{"memory": "2Gi"},
	}}
	if cpu := pick("", "1", "4"); cpu != "" {
		container["resources"].(map[string]any)["limits"].(map[string]any)["cpu"] = cpu
	}
	flags := strings.Fields(pick("", "-Xmx512m", "-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:ConcGCThreads=1", "-XX:MaxRAMPercentage=40.0",
		"-XX:ParallelGCThreads=2 -XX:ConcGCThreads=1", "-XX:+UseParallelGC", "-XX:CICompilerCount=2"))
	line := strings.Join(append(append([]string{"java"}, flags...), "-jar", "a.jar"), " ")
	switch pick("direct", "direct", "shell", "tini", "hidden", "output") {
	case "direct":
		container["command"] = words(line)
	case "shell":
		container["command"] = []any{"sh", "-c", "exec " + line}
	case "tini":
		container["command"], container["args"] = []any{"tini", "--"}, words(line)
	case "output":
		container["command"] = []any{"sh", "-c", "java -version 2>&1 | grep -q 17; exec " + line}
	}
	if text := pick("", "", "-Da=b", "-Xmx300m"); text != "" {
		container["env"] = []any{map[string]any{"name": "JAVA_TOOL_OPTIONS", "value": text}}
	}
	if pick("", "", "secret") != "" {
		container["envFrom"] = []any{map[string]any{"secretRef": map[string]any{"name": "database"}}}
	}
	annotations := map[string]any{"headroom.dev/workload-class": pick("latency-sensitive", "batch"), "headroom.dev/cpu-average": "500m"}
	if version := pick("", "8", "8u312", "11", "17", "21", "25", "28"); version != "" {
		annotations["runtime.headroom.dev/app"] = "jvm version=" + version
	}
	annotations["inject.headroom.dev/app"] = pick("", "metaspace,direct,code-cache")
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "cart", "annotations": annotations},
		"spec": map[string]any{"containers": []any{container}},
	}
}

func words(line string) []any {
	var all []any
	for _, word := range strings.Fields(line) {
		all = append(all, word)
	}
	return all
}

// withImage is a copy of a Pod whose container has this image.
func withImage(pod map[string]any, image string) map[string]any {
	copied, _ := engine.DeepCopy(pod).(map[string]any)
	copied["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)["image"] = image
	return copied
}

// verdict has the rule and severity of each finding.
func verdict(t *testing.T, e *engine.Engine, pod map[string]any) map[string]bool {
	t.Helper()
	result, err := e.Evaluate(context.Background(), engine.Review{Manifest: pod})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range result.Findings {
		found[f.Rule+" "+f.Severity] = true
	}
	return found
}
