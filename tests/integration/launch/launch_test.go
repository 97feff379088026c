//go:build integration

// Package launch_test holds what the policies say of a container's command against what really starts: JVMs behind
// wrappers and shells, with command, args and variables expanded as the kubelet does.
package launch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/rego"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// A launch is a container and what has to be known of it. In its texts PRINT stands for the flags that make a JVM print
// its own and leave, @JAVA@ for the path of java.
type launch struct {
	Name    string     `json:"name"`
	Command []string   `json:"command"`
	Args    []string   `json:"args"`
	Env     []variable `json:"env"`
	// Needs are the programs that the machine must have.
	Needs []string `json:"needs"`
	// Unknown says why the policies may leave flags or the JVM itself open.
	Unknown string `json:"unknown"`
}

type variable struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A seen JVM is what one made of its flags, or what the policies say of it: 0 and -1 where nothing sets them.
type seen struct {
	Heap       int64
	Processors int64
}

// An outcome is what came of a launch.
type outcome struct {
	JVMs    []seen
	Perhaps []seen // a branch decides whether these run
	Refused bool
	Open    bool // the policies know that they do not know
}

// wrappers is where tests/harness/wrappers/install.sh puts programs that stand before java.
var wrappers = repo.Path(".tools/wrappers")

// findWrappers puts them into this process's PATH.
func findWrappers(t *testing.T) {
	t.Helper()
	t.Setenv("PATH", os.Getenv("PATH")+":"+wrappers+"/bin:/usr/sbin:/sbin")
}

const answerIn = 10 * time.Minute

func say(format string, values ...any) {
	fmt.Fprintf(os.Stderr, "tests/integration/launch: "+format+"\n", values...)
}

func TestLaunches(t *testing.T) {
	machine := newestOf(t, 21, 17)
	findWrappers(t)
	say("JDK %d, build %s", machine.Feature, machine.Build)
	text, err := os.ReadFile("launches.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all []launch
	if err := yaml.UnmarshalStrict(text, &all); err != nil {
		t.Fatal(err)
	}
	judge := newJudge(t)
	ran, unknown := 0, 0
	for _, one := range all {
		if absent := one.absent(); absent != "" {
			say("%s: not run, %s is absent", one.Name, absent)
			continue
		}
		real, output := one.start(t, machine)
		said := judge.of(t, one, machine)
		ran++
		if one.Unknown != "" {
			unknown++
		}
		for _, difference := range differences(one, real, said) {
			t.Errorf("%s: %s\n%s", one.Name, difference, firstLines(output))
		}
	}
	say("%d launches compared, %d of them with something that no manifest shows", ran, unknown)
	if ran < 60 {
		t.Errorf("%d launches ran, want at least 60", ran)
	}
}

func newestOf(t *testing.T, features ...int) jdks.JDK {
	t.Helper()
	found, err := jdks.Find()
	if err != nil {
		t.Error(err)
	}
	for _, feature := range features {
		for _, jdk := range slices.Backward(found) {
			if jdk.Feature == feature {
				return jdk
			}
		}
	}
	t.Fatalf("none of JDK %v on this machine: run tests/harness/jdks/install.sh", features)
	return jdks.JDK{}
}

// differences between what happened and what the policies say. Every JVM that they call certain has to run, every one
// that runs has to be one of theirs, and who refuses to start has to be refused.
func differences(one launch, real, said outcome) []string {
	var all []string
	differ := func(format string, values ...any) { all = append(all, fmt.Sprintf(format, values...)) }
	if one.Unknown != "" {
		if !said.Open && len(said.JVMs)+len(said.Perhaps) > 0 {
			differ("listed as unknown (%s), and the policies leave nothing open: %+v", one.Unknown, said)
		}
		if len(real.JVMs) > 0 && len(said.JVMs)+len(said.Perhaps) == 0 {
			differ("a JVM ran, and the policies see none")
		}
		if said.Refused && !real.Refused {
			differ("starts, and HR409 says that it does not")
		}
		return all
	}
	if said.Open {
		differ("the policies leave something open, and the launch is not listed as unknown: %+v", said)
	}
	if real.Refused != said.Refused {
		differ("refused to start: %t; HR409 says %t", real.Refused, said.Refused)
	}
	if real.Refused {
		return all
	}
	for _, jvm := range said.JVMs {
		if !slices.Contains(real.JVMs, jvm) {
			differ("the policies say that %+v runs; what ran is %+v", jvm, real.JVMs)
		}
	}
	for _, jvm := range real.JVMs {
		if !slices.Contains(said.JVMs, jvm) && !slices.Contains(said.Perhaps, jvm) {
			differ("%+v ran; the policies have %+v", jvm, said)
		}
	}
	return all
}

func (l launch) absent() string {
	for _, program := range l.Needs {
		if _, err := exec.LookPath(program); err != nil {
			return program
		}
	}
	return ""
}

// filled puts the placeholders' values into words, and PRINT as two words of its own.
func filled(words []string, java string) []string {
	var all []string
	for _, word := range words {
		if word == "PRINT" {
			all = append(all, strings.Fields(printing)...)
			continue
		}
		all = append(all, strings.NewReplacer("PRINT", printing, "@JAVA@", java).Replace(word))
	}
	return all
}

const printing = "-XX:+PrintFlagsFinal -version"

var (
	heapLine       = regexp.MustCompile(`(?m)^ *size_t MaxHeapSize += (\d+)`)
	processorsLine = regexp.MustCompile(`(?m)^ *int ActiveProcessorCount += (-?\d+)`)
	refusalLine    = regexp.MustCompile(`Could not create the Java Virtual Machine|Unrecognized option|Could not find or load main class [^N]`)
)

// start runs the container's command with the variables that the kubelet would give it.
func (l launch) start(t *testing.T, machine jdks.JDK) (outcome, string) {
	t.Helper()
	var env []variable
	for _, v := range l.Env {
		env = append(env, variable{v.Name, expand(v.Value, env)})
	}
	var argv []string
	for _, word := range append(filled(l.Command, machine.Java), filled(l.Args, machine.Java)...) {
		argv = append(argv, expand(word, env))
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerIn)
	defer cancel()
	path := strings.Join([]string{filepath.Dir(machine.Java), wrappers + "/bin", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"}, ":")
	// env looks the program up in the PATH of the container.
	whole := append([]string{"-i", "PATH=" + path, "HOME=/", "LC_ALL=C", "LD_LIBRARY_PATH=" + wrappers + "/lib"}, environment(env)...)
	cmd := exec.CommandContext(ctx, "/usr/bin/env", append(whole, argv...)...)
	cmd.Dir = t.TempDir()
	for name, content := range files {
		if err := errors.Join(
			os.MkdirAll(filepath.Dir(filepath.Join(cmd.Dir, name)), 0o755),
			os.WriteFile(filepath.Join(cmd.Dir, name), []byte(content), 0o755),
		); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Stdin = strings.NewReader("")
	cmd.WaitDelay = time.Minute // a busy machine may read the output late
	output, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%s: no answer in %s", l.Name, answerIn)
	}
	if err != nil && strings.Contains(string(output), "not permitted") {
		say("%s: not permitted on this machine", l.Name)
	}
	found := outcome{Refused: refusalLine.Match(output)}
	heaps, processors := heapLine.FindAllSubmatch(output, -1), processorsLine.FindAllSubmatch(output, -1)
	for i := range min(len(heaps), len(processors)) {
		heap, _ := strconv.ParseInt(string(heaps[i][1]), 10, 64)
		count, _ := strconv.ParseInt(string(processors[i][1]), 10, 64)
		found.JVMs = append(found.JVMs, seen{heap, count})
	}
	return found, string(output)
}

func environment(env []variable) []string {
	last := map[string]string{}
	for _, v := range env {
		last[v.Name] = v.Name + "=" + v.Value
	}
	var all []string
	for _, text := range last {
		all = append(all, text)
	}
	return all
}

// expand replaces $(NAME) by the last of the variables, as the kubelet does; $$ is a $.
func expand(text string, env []variable) string {
	return reference.ReplaceAllStringFunc(text, func(ref string) string {
		if ref == "$$" {
			return "$"
		}
		for _, v := range slices.Backward(env) {
			if v.Name == ref[2:len(ref)-1] {
				return v.Value
			}
		}
		return ref
	})
}

var reference = regexp.MustCompile(`\$\$|\$\([^)]*\)`)

func firstLines(output string) string {
	var kept []string
	for line := range strings.Lines(output) {
		if len(kept) < 6 && !strings.Contains(line, "{") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// A judge evaluates the policies.
type judge struct{ query rego.PreparedEvalQuery }

func newJudge(t *testing.T) *judge {
	t.Helper()
	onlyPolicies := func(_ string, info os.FileInfo, _ int) bool {
		return !info.IsDir() && (!strings.HasSuffix(info.Name(), ".rego") || strings.HasSuffix(info.Name(), "_test.rego"))
	}
	query, err := rego.New(
		rego.Query(`answer := {
			"jvms": [{
				"heap": object.get(j, ["numbers", "MaxHeapSize"], 0),
				"processors": object.get(j, ["numbers", "ActiveProcessorCount"], -1),
				"certain": object.get(j.command, "certain", true),
				"open": count(j.unknown) > 0,
			} | some j in array.concat(data.headroom.runtime.jvm.jvms, data.headroom.runtime.jvm.others)],
			"open": count([f | some f in data.headroom.rules.jvm["jvm-flags-unknown"].report
				contains(f.message, "more than one JVM at the same time")]) > 0,
			"refusals": [f | some rule in {"jvm-will-not-start", "jvm-flags-not-read"}
				some f in data.headroom.rules.jvm[rule].report
				regex.match("not start|main class", f.message)],
		}`),
		rego.Load([]string{"../../../policies/rego/headroom"}, onlyPolicies),
		rego.StrictBuiltinErrors(true),
	).PrepareForEval(context.Background())
	if err != nil {
		t.Fatalf("compile policies: %v", err)
	}
	return &judge{query}
}

func (j *judge) of(t *testing.T, one launch, machine jdks.JDK) outcome {
	t.Helper()
	var env []any
	for _, v := range one.Env {
		env = append(env, map[string]any{"name": v.Name, "value": v.Value})
	}
	container := map[string]any{"name": "app", "image": "registry.example.com/app:1", "env": env}
	if len(one.Command) > 0 {
		container["command"] = anys(filled(one.Command, machine.Java))
	}
	if len(one.Args) > 0 {
		container["args"] = anys(filled(one.Args, machine.Java))
	}
	results, err := j.query.Eval(context.Background(), rego.EvalInput(map[string]any{
		"apiVersion": "v1",
		"kind":       "Pod",
		"metadata": map[string]any{"name": "app", "annotations": map[string]any{
			"jvm.headroom.dev/app": fmt.Sprintf("version=%d", machine.Feature),
		}},
		"spec": map[string]any{"containers": []any{container}},
	}))
	if err != nil || len(results) != 1 {
		t.Fatalf("%s: the policies are undefined: %v", one.Name, err)
	}
	text, err := json.Marshal(results[0].Bindings["answer"])
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		JVMs []struct {
			Heap, Processors int64
			Certain, Open    bool
		}
		Refusals []any
		Open     bool
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatalf("%s: %v: %s", one.Name, err, text)
	}
	said := outcome{Refused: len(answer.Refusals) > 0, Open: answer.Open}
	for _, jvm := range answer.JVMs {
		said.Open = said.Open || jvm.Open
		found := seen{jvm.Heap, jvm.Processors}
		if jvm.Certain {
			said.JVMs = append(said.JVMs, found)
		} else {
			said.Perhaps = append(said.Perhaps, found)
		}
	}
	return said
}

func anys(words []string) []any {
	all := make([]any, len(words))
	for i, word := range words {
		all[i] = word
	}
	return all
}
