//go:build system

package kernel_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
)

// fixedJVM is a Pod of which `fix` changes the JVM, and a load that fills the heap and the direct memory it then has.
type fixedJVM struct {
	limitMiB int
	cpu      string // its limit
	flags    string
	writes   []string // flags that the fix adds
	load     string
}

var fixedJVMs = []fixedJVM{
	// The heap grows from a quarter of the limit (J6), as far as the most that is assumed beside it leaves room. Direct
	// memory keeps its cap: what it was by itself.
	{4096, "", "", []string{"-XX:MaxRAMPercentage=50.0", "-XX:MaxDirectMemorySize="}, "live=1300 direct=800"},
	{2048, "", "-XX:+UseParallelGC", []string{"-XX:MaxRAMPercentage=", "-XX:MaxDirectMemorySize=512m"}, "live=350 direct=400"},
	// A limit of CPU goes, and its processors stay: 2048 MiB have room for G1's books.
	{2048, "2", "-Xmx1g", []string{"-XX:ActiveProcessorCount=2"}, "live=700 direct=200"},
}

// TestFixedJVMsLive: what `fix` writes gets no JVM OOMKilled.
func TestFixedJVMsLive(t *testing.T) {
	found := releases(t)
	at := slices.IndexFunc(found, func(j jdks.JDK) bool { return j.Feature == 17 })
	if at < 0 {
		t.Fatal("no JDK 17; run tests/harness/jdks/install.sh")
	}
	for _, c := range fixedJVMs {
		t.Run(fmt.Sprintf("%d MiB %s", c.limitMiB, c.flags), func(t *testing.T) {
			flags := written(t, c)
			for _, flag := range c.writes {
				if !slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, flag) }) {
					t.Fatalf("%v lacks %s", flags, flag)
				}
			}
			g := newGroup(t, cgroup.Limits{Memory: int64(c.limitMiB) * mib})
			t.Cleanup(g.Close)
			j := startJVM(t, g, found[at].Java, flags, c.load+" garbage=40 lives=30 seconds=5")
			code := j.run(t)
			kills, err := g.Kills()
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v: charged %.0f MiB", flags, inMiB(t, g.Charged))
			if kills > 0 || code != 0 {
				t.Errorf("%v: exit code %d, %d kills: %v", flags, code, kills, j.said)
			}
		})
	}
}

// written are the flags of a JVM after its Pod was fixed.
func written(t *testing.T, c fixedJVM) []string {
	t.Helper()
	command := []any{"java"}
	for _, flag := range strings.Fields(c.flags) {
		command = append(command, flag)
	}
	limit := fmt.Sprintf("%dMi", c.limitMiB)
	limits := map[string]any{"memory": limit}
	if c.cpu != "" {
		limits["cpu"] = c.cpu
	}
	answer, err := defaults.Engine(t).Fix(context.Background(), engine.Review{Manifest: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "load", "annotations": map[string]any{
			"headroom.dev/workload-class": "latency-sensitive", "headroom.dev/cpu-average": "500m",
		}},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": "load", "image": "eclipse-temurin:17", "command": append(command, "Load"),
			"resources": map[string]any{"requests": map[string]any{"cpu": "500m", "memory": limit}, "limits": limits},
		}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Object == nil {
		t.Fatal("nothing was fixed")
	}
	container := answer.Object["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)
	if kept := container["resources"].(map[string]any)["limits"].(map[string]any)["cpu"]; kept != nil {
		t.Fatalf("limits.cpu is %v, and its class has none", kept)
	}
	var flags []string
	variables, _ := container["env"].([]any)
	for _, e := range variables {
		if variable := e.(map[string]any); variable["name"] == "JAVA_TOOL_OPTIONS" {
			flags = append(flags, strings.Fields(variable["value"].(string))...)
		}
	}
	for _, word := range container["command"].([]any)[1:] {
		if word != "Load" {
			flags = append(flags, word.(string))
		}
	}
	return flags
}
