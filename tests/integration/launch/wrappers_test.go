//go:build integration

package launch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// A wrapped launch is one of wrappers.yaml.
type wrapped struct {
	Command []string   `json:"command"`
	Args    []string   `json:"args"`
	Env     []variable `json:"env"`
	Needs   []string   `json:"needs"`
	Limit   string     `json:"limit"`
}

// What the launches find in their working directory.
var files = map[string]string{
	"keep.sh":               "#!/bin/sh\nexec \"$@\"\n",
	"run.sh":                "#!/bin/sh\nexec env -i \"$@\"\n",
	"reset.sh":              "unset JAVA_TOOL_OPTIONS\n",
	"words":                 "app",
	"words2":                "JAVA_TOOL_OPTIONS=-Xss1m\n",
	"env/JAVA_TOOL_OPTIONS": "",
}

// TestLimitGoesWhereTheCountArrives fixes a container with a CPU limit and starts what the fix makes of it.
func TestLimitGoesWhereTheCountArrives(t *testing.T) {
	machine := newestOf(t, 21, 17)
	findWrappers(t)
	text, err := os.ReadFile("wrappers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []wrapped
	if err := yaml.UnmarshalStrict(text, &all); err != nil {
		t.Fatal(err)
	}
	policies := defaults.Engine(t)
	counted := map[string]int{}
	var rows strings.Builder
	for _, one := range all {
		l := launch{Name: one.line(), Command: one.Command, Args: one.Args, Env: one.Env, Needs: one.Needs}
		goes, count, fixed := one.fix(t, policies, machine)
		if goes != (one.Limit == "goes") {
			t.Errorf("%s: the limit goes: %t; listed as %q", l.Name, goes, one.Limit)
		}
		saw := "not started here"
		if absent := l.absent(); absent == "" {
			if goes {
				l.Command, l.Args, l.Env = fixed.Command, fixed.Args, fixed.Env
			} else { // as if somebody had taken the limit away by hand
				l.Env = append(l.Env, variable{"JAVA_TOOL_OPTIONS", fmt.Sprintf("-XX:ActiveProcessorCount=%d", count)})
			}
			real, output := l.start(t, machine)
			counted[one.Limit]++
			saw = sawOf(real, count)
			if goes && (len(real.JVMs) == 0 || saw != fmt.Sprint(count)) {
				t.Errorf("%s: the limit goes, and the JVM counts %s:\n%s", l.Name, saw, firstLines(output))
			}
		}
		fmt.Fprintf(&rows, "| %s | %s | %s |\n", cell(l.Name), one.Limit, saw)
	}
	say("the limit goes: %d launches, each JVM counts what the fix sets; it stays: %d launches", counted["goes"], counted["stays"])
	if counted["goes"]+counted["stays"] < 80 {
		t.Errorf("%d launches ran, want at least 80", counted["goes"]+counted["stays"])
	}
	if strings.Contains(rows.String(), "not started here") && !golden.Update() {
		return
	}
	golden.Check(t, repo.Path("docs/facts/wrappers.md"), page+rows.String())
}

// line is the launch as a shell would have it.
func (w wrapped) line() string {
	var words []string
	for _, v := range w.Env {
		words = append(words, v.Name+"="+quoted(v.Value))
	}
	for _, word := range append(w.Command, w.Args...) {
		if word != "PRINT" {
			words = append(words, quoted(word))
		}
	}
	return strings.Join(words, " ")
}

func quoted(word string) string {
	if !strings.ContainsAny(word, " \n;&|()$'\"\\") {
		return word
	}
	return "'" + strings.ReplaceAll(strings.ReplaceAll(word, " PRINT", ""), "'", `'\''`) + "'"
}

const page = `# What stands before java

A fix takes a CPU limit away only where the processor count that it sets, right behind java or in
` + "`JAVA_TOOL_OPTIONS`" + `, surely arrives at the JVM. Everything else gets the finding and no patch: set ` + "`-XX:ActiveProcessorCount`" + ` where you know that it arrives, or name
java in the command.

Each line was started with JDK 21 as the fix leaves it, or with the variable set by hand, and the JVM's own ` + "`-XX:+PrintFlagsFinal`" + ` read
(` + "`tests/integration/launch`" + `; "the node's" is ActiveProcessorCount=-1). In their directory lie ` + "`keep.sh`" + `
(` + "`exec \"$@\"`" + `), ` + "`run.sh`" + ` (` + "`exec env -i \"$@\"`" + `) and ` + "`reset.sh`" + ` (unsets the variable).

| command | CPU limit | the JVM counts |
|---|---|---|
`

func cell(name string) string {
	name = strings.NewReplacer("@JAVA@", "/path/java", "\n", " ⏎ ", "|", `\|`, "`", "'").Replace(name)
	return "`" + name + "`"
}

func sawOf(real outcome, count int) string {
	if len(real.JVMs) == 0 {
		return "nothing: no JVM started"
	}
	for _, jvm := range real.JVMs {
		if jvm.Processors != int64(count) {
			return "the node's"
		}
	}
	return strconv.Itoa(count)
}

// started is what of a container starts its process.
type started struct {
	Command, Args []string
	Env           []variable
}

// fix says whether the fix takes the limit away, which count it sets (2 where it sets none), and what it makes of the
// container.
func (w wrapped) fix(t *testing.T, policies *engine.Engine, machine jdks.JDK) (goes bool, count int, fixed started) {
	t.Helper()
	env := []any{}
	for _, v := range w.Env {
		env = append(env, map[string]any{"name": v.Name, "value": v.Value})
	}
	container := map[string]any{
		"name": "app", "image": "eclipse-temurin:21", "env": env, "command": anys(filled(w.Command, machine.Java)),
		"resources": map[string]any{
			"requests": map[string]any{"cpu": "1", "memory": "2Gi"}, "limits": map[string]any{"cpu": "2", "memory": "2Gi"},
		},
	}
	if len(w.Args) > 0 {
		container["args"] = anys(filled(w.Args, machine.Java))
	}
	manifest := map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "app", "annotations": map[string]any{
			"headroom.dev/workload-class": "latency-sensitive", "runtime.headroom.dev/app": "jvm", "headroom.dev/cpu-average": "1",
		}},
		"spec": map[string]any{"containers": []any{container}},
	}
	result, err := policies.Fix(context.Background(), engine.Review{Manifest: manifest})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(result.Patch)
	if err != nil {
		t.Fatal(err)
	}
	fixed = patched(t, manifest, text)
	goes = regexp.MustCompile(`"op":"remove","path":"/spec/containers/0/resources/limits(/cpu)?"`).Match(text)
	set := regexp.MustCompile(`-XX:ActiveProcessorCount=(\d+)`).FindSubmatch(text)
	if set == nil {
		return goes, 2, fixed
	}
	count, _ = strconv.Atoi(string(set[1]))
	return goes, count, fixed
}

// patched is the first container of a Pod after a JSON patch.
func patched(t *testing.T, pod map[string]any, patch []byte) started {
	t.Helper()
	before, err := json.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		t.Fatal(err)
	}
	after, err := steps.Apply(before)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Spec struct{ Containers []started }
	}
	if err := json.Unmarshal(after, &read); err != nil {
		t.Fatal(err)
	}
	return read.Spec.Containers[0]
}
