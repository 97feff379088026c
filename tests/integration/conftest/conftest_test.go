//go:build integration

// Package conftest holds conftest, as it is built from its own module, to the verdicts of
// headroom lint.
package conftest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-openapi/jsonpointer"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
	"github.com/headroom-dev/headroom/tests/harness/agree"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

const root = "../../.."

// raw is a finding as its metadata have it.
type raw struct {
	Rule      string          `json:"rule"`
	Severity  string          `json:"severity"`
	Harm      string          `json:"harm"`
	Resource  engine.Resource `json:"resource"`
	Container string          `json:"container"`
	Path      []any           `json:"path"`
	Message   string          `json:"message"`
	Expected  string          `json:"expected"`
	Fixable   *bool           `json:"fixable"`
}

func (r raw) line() string {
	path := ""
	for _, step := range r.Path {
		path += "/" + jsonpointer.Escape(fmt.Sprint(step))
	}
	return line(r.Rule, r.Severity, r.Resource, r.Container, path, r.Message)
}

// entry is a finding as conftest prints it, with those that follow from it.
type entry struct {
	Msg string `json:"msg"`
	Raw struct {
		raw
		With []raw `json:"with"`
	} `json:"metadata"`
}

type outcome struct {
	Filename  string  `json:"filename"`
	Namespace string  `json:"namespace"`
	Warnings  []entry `json:"warnings"`
	Failures  []entry `json:"failures"`
}

func run(t *testing.T, arguments ...string) []outcome {
	t.Helper()
	arguments = append([]string{
		"test", "--policy", filepath.Join(root, "policies", "rego"), "--namespace", "main", "--namespace", "infos",
		"--output", "json", "--show-builtin-errors",
	}, arguments...)
	var stdout, stderr bytes.Buffer
	command := exec.CommandContext(t.Context(), program.Tool(t, "conftest"), arguments...)
	command.Stdout, command.Stderr = &stdout, &stderr
	var failed *exec.ExitError
	// Exit code 1 says that there are findings; anything else printed no outcomes.
	if err := command.Run(); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	var outcomes []outcome
	if err := json.Unmarshal(stdout.Bytes(), &outcomes); err != nil {
		t.Fatalf("conftest said %q and %q: %v", stdout.String(), stderr.String(), err)
	}
	return outcomes
}

// lines are findings in a form that can be compared and read.
func fromConftest(t *testing.T, outcomes []outcome) []string {
	t.Helper()
	var lines []string
	for _, o := range outcomes {
		for _, e := range slices.Concat(o.Failures, o.Warnings) {
			if !strings.HasPrefix(e.Msg, e.Raw.Rule+" ") || !strings.Contains(e.Msg, e.Raw.Expected) ||
				!strings.Contains(e.Msg, e.Raw.Container) || e.Raw.Fixable == nil {
				t.Errorf("msg or metadata lack rule, container or fix: %+v", e)
			}
			failure := slices.ContainsFunc(o.Failures, func(f entry) bool { return f.Msg == e.Msg })
			if failure != (e.Raw.Severity == engine.SeverityError) {
				t.Errorf("%s has severity %s, failure %v", e.Raw.Rule, e.Raw.Severity, failure)
			}
			if info := e.Raw.Severity == engine.SeverityInfo; info != (o.Namespace == "infos") {
				t.Errorf("%s has severity %s in namespace %s", e.Raw.Rule, e.Raw.Severity, o.Namespace)
			}
			lines = append(lines, e.Raw.line())
			for _, f := range e.Raw.With {
				if !strings.Contains(e.Msg, " With ") || !strings.Contains(e.Msg[strings.LastIndex(e.Msg, " With "):], f.Rule) {
					t.Errorf("%s does not name %s: %s", e.Raw.Rule, f.Rule, e.Msg)
				}
				lines = append(lines, f.line())
			}
		}
	}
	return sorted(lines)
}

// inOrder holds the warnings of one input to the order of their harm.
func inOrder(t *testing.T, entries []entry) {
	t.Helper()
	for i := 1; i < len(entries); i++ {
		before, now := entries[i-1].Raw, entries[i].Raw
		a, b := slices.Index(engine.Harms, before.Harm), slices.Index(engine.Harms, now.Harm)
		if a > b || (a == b && before.Rule > now.Rule) {
			t.Errorf("%s (%s) stands before %s (%s)", before.Rule, before.Harm, now.Rule, now.Harm)
		}
	}
}

func fromLint(t *testing.T, config map[string]any, paths ...string) []string {
	t.Helper()
	var lines []string
	for _, f := range agree.Findings(t, config, paths...) {
		lines = append(lines, line(f.Rule, f.Severity, f.Resource, f.Container, f.Path, f.Message))
	}
	return sorted(lines)
}

// alone judges each document by itself, as conftest does without --combine.
func alone(t *testing.T, paths ...string) []string {
	t.Helper()
	e := defaults.Engine(t)
	files, problems := source.Files(paths, source.Options{})
	for _, p := range problems {
		t.Error(p)
	}
	var lines []string
	for _, file := range files {
		for _, item := range source.Load(file, source.Options{}) {
			if item.Document == nil {
				continue
			}
			result, err := e.Evaluate(context.Background(), engine.Review{Manifest: item.Document.Object})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range result.Findings {
				lines = append(lines, line(f.Rule, f.Severity, f.Resource, f.Container, f.Path, f.Message))
			}
		}
	}
	return sorted(lines)
}

func line(rule, severity string, r engine.Resource, container, path, message string) string {
	return fmt.Sprintf("%s %s %s %s/%s %s %s %s", rule, severity, r.Kind, r.Namespace, r.Name, container, path, message)
}

// sorted also drops what is said twice: two files may hold the same object, and with
// --combine conftest says it once.
func sorted(lines []string) []string {
	slices.Sort(lines)
	return slices.Compact(lines)
}

var (
	wrong = filepath.Join(root, "samples", "wrong")
	own   = []string{wrong, repo.Path("tests/manifests")}
)

func TestCombinedEqualsLint(t *testing.T) {
	for _, path := range append(repo.SaidProjects(t), own...) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			outcomes := run(t, "--combine", path)
			agree.Lines(t, "conftest", fromConftest(t, outcomes), fromLint(t, nil, path))
			for _, o := range outcomes {
				inOrder(t, o.Warnings)
			}
		})
	}
}

// One run for both folders: conftest compiles the policies in each run, which takes it 7 s of CPU. The documents of
// other projects are judged alone in tests/system/conformance.
func TestEachDocumentAlone(t *testing.T) {
	agree.Lines(t, "conftest", fromConftest(t, run(t, own...)), alone(t, own...))
}

func TestGoodSamplesPass(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "samples", "*.yaml"))
	if err != nil || len(files) < 5 {
		t.Fatalf("%d samples, %v", len(files), err)
	}
	if lines := fromConftest(t, run(t, files...)); len(lines) > 0 {
		t.Errorf("findings on samples that are right:\n%s", strings.Join(lines, "\n"))
	}
}

// A headroom.yaml is what --data takes, as it stands.
func TestConfigAsData(t *testing.T) {
	file := filepath.Join(t.TempDir(), "headroom.yaml")
	text := `apiVersion: headroom.dev/v1alpha1
kind: Config
tolerance: 0.9
matrix:
  latency-sensitive: {request: average, limit: {timesAverage: 3}}
rules:
  HR413: {severity: off}
  HR301: {severity: warning}
ignore:
  - {rules: [HR304], name: article-service, reason: known}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	config, err := settings.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	got := fromConftest(t, run(t, "--combine", "--data", file, wrong))
	agree.Lines(t, "conftest", got, fromLint(t, config, wrong))
	if slices.Equal(got, fromLint(t, nil, wrong)) {
		t.Error("the config changes nothing")
	}
}
