//go:build integration

package launch_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
)

// ofImages are variables that images set for their JVMs, each with a flag that has to stay in force. Of a node with 16
// processors is what starts there: the test's own machine may have two.
var ofImages = []struct{ name, flags, kept string }{
	{"JAVA_TOOL_OPTIONS", "-Xmx96m", "MaxHeapSize"},
	{"JAVA_TOOL_OPTIONS", "-XX:+UseG1GC -XX:ConcGCThreads=4", "ConcGCThreads"},
	{"JAVA_TOOL_OPTIONS", "-XX:+UseParallelGC -XX:ParallelGCThreads=3", "ParallelGCThreads"},
	{"JAVA_TOOL_OPTIONS", "-XX:MaxRAMPercentage=30.0", "MaxRAMPercentage"},
	{"JAVA_TOOL_OPTIONS", "-XX:ReservedCodeCacheSize=48m -XX:InitialCodeCacheSize=16m", "ReservedCodeCacheSize"},
	{"JAVA_TOOL_OPTIONS", "-XX:CICompilerCount=12", "CICompilerCount"},
	{"JDK_JAVA_OPTIONS", "-XX:ParallelGCThreads=1", "ParallelGCThreads"},
	{"JDK_JAVA_OPTIONS", "-XX:+UseSerialGC -Xmx64m", "MaxHeapSize"},
	{"_JAVA_OPTIONS", "-XX:+UseG1GC -XX:ParallelGCThreads=8 -XX:ConcGCThreads=4", "ConcGCThreads"},
	{"_JAVA_OPTIONS", "-Xmx128m", "MaxHeapSize"},
}

// What an image that was not read sets is in force behind every change, and the JVM starts: of all JDKs of this machine.
func TestImagesKeepTheirFlags(t *testing.T) {
	found, err := jdks.Find()
	if err != nil {
		t.Fatal(err)
	}
	e := defaults.Engine(t)
	started, changed := 0, 0
	for _, jdk := range found {
		for _, line := range []string{"", "-XX:+UseSerialGC", "-XX:ConcGCThreads=1", "-XX:CICompilerCount=2"} {
			given := append(append([]string{"java"}, strings.Fields(line)...), strings.Fields(printing)...)
			fixed := commandAfter(t, e, jdk, given)
			if len(fixed) == len(given) {
				continue
			}
			changed++
			for _, image := range ofImages {
				before, ok := printed(t, jdk, given, image.name+"=-XX:ActiveProcessorCount=16 "+image.flags, image.kept)
				if !ok {
					continue // the image's own flags do not go with those of the manifest
				}
				after, ok := printed(t, jdk, fixed, image.name+"="+image.flags, image.kept)
				started++
				if !ok || after != before {
					t.Errorf("JDK %d, %q beside %s=%s: starts %t, %s was %s and is %s",
						jdk.Feature, fixed, image.name, image.flags, ok, image.kept, before, after)
				}
			}
		}
	}
	say("%d starts beside what images set, %d commands were changed", started, changed)
	if changed == 0 {
		t.Error("no command was changed")
	}
}

// commandAfter is the command of a service with a CPU limit, whose image was not read, behind its fixes.
func commandAfter(t *testing.T, e *engine.Engine, jdk jdks.JDK, command []string) []string {
	t.Helper()
	version := fmt.Sprint(jdk.Feature)
	if jdk.Feature == 8 {
		version = "8u312"
	}
	pod := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "app", "annotations": map[string]any{
			"headroom.dev/workload-class": "latency-sensitive", "headroom.dev/cpu-average": "700m", "jvm.headroom.dev/app": "version=" + version,
		}},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": "app", "image": "registry.example.com/app:1", "command": anys(command), "resources": map[string]any{
				"requests": map[string]any{"cpu": "1", "memory": "4Gi"}, "limits": map[string]any{"cpu": "2", "memory": "4Gi"},
			},
		}}},
	}
	fixed, err := e.Fix(context.Background(), engine.Review{Manifest: pod})
	if err != nil {
		t.Fatal(err)
	}
	if fixed.Object == nil {
		return command
	}
	container := fixed.Object["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
	if container["env"] != nil {
		t.Errorf("variables were set over those of an image that was not read: %v", container["env"])
	}
	var words []string
	for _, word := range container["command"].([]any) {
		words = append(words, word.(string))
	}
	return words
}

// printed is the value of a flag as the JVM itself prints it; not ok where it does not start.
func printed(t *testing.T, jdk jdks.JDK, command []string, variable, flag string) (string, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), answerIn)
	defer cancel()
	cmd := exec.CommandContext(ctx, jdk.Java, command[1:]...)
	cmd.Env = []string{variable, "LC_ALL=C", "PATH=" + filepath.Dir(jdk.Java)}
	output, err := cmd.Output()
	if ctx.Err() != nil {
		t.Fatalf("no answer in %s", answerIn)
	}
	if err != nil {
		return "", false
	}
	match := regexp.MustCompile(`(?m)^ *\w+ ` + flag + ` +:?= (\S+)`).FindSubmatch(output)
	if match == nil {
		return "", false
	}
	return string(match[1]), true
}
