//go:build integration

package gatekeeper

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
	"github.com/headroom-dev/headroom/tests/harness/agree"
	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

const root = "../../.."

func line(r engine.Resource, rule, severity, container, field, message, wanted string) string {
	return fmt.Sprintf("%s %s %s/%s %s: %s %s %s %s",
		r.APIVersion, r.Kind, r.Namespace, r.Name, container, rule, severity, field, message+" Wanted: "+wanted)
}

// fromLint is what headroom lint says of a folder, in a form that can be compared and read.
func fromLint(t *testing.T, config map[string]any, dir string) []string {
	t.Helper()
	var lines []string
	for _, f := range agree.Findings(t, config, dir) {
		lines = append(lines, line(f.Resource, f.Rule, f.Severity, f.Container, f.Path, f.Message, f.Expected))
	}
	slices.Sort(lines)
	return lines
}

func lines(findings []Finding) []string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, line(f.Resource, f.Rule, f.Severity, f.Container, f.Field, f.Message, f.Wanted))
	}
	slices.Sort(lines)
	return lines
}

func compare(t *testing.T, got, want []string) {
	t.Helper()
	agree.Lines(t, "gator", got, want)
	if len(got) != len(want) {
		t.Errorf("gator has %d findings, headroom lint %d", len(got), len(want))
	}
}

func judge(t *testing.T, config map[string]any, dir string) []Finding {
	t.Helper()
	findings, err := Run(t.Context(), program.Tool(t, "gator"), dir, config)
	if err != nil {
		t.Fatal(err)
	}
	return findings
}

func TestSamples(t *testing.T) {
	dir := filepath.Join(root, "samples")
	compare(t, lines(judge(t, nil, dir)), fromLint(t, nil, dir))
}

// gator judges a List as one object of that kind. No API server sees one, as kubectl sends its
// items: both judge the items. And it shows a policy one object at a time, so that no Service is
// beside a Deployment to suggest its class.
func TestManifests(t *testing.T) {
	for _, dir := range append(repo.SaidProjects(t), repo.Path("tests/manifests")) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			items := alone(t, dir)
			compare(t, lines(judge(t, nil, items)), fromLint(t, nil, items))
		})
	}
}

// alone writes the workloads of a folder's manifests into another, the items of a List in its
// place, and not what would stand beside them.
func alone(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	options := source.Options{}
	files, problems := source.Files([]string{dir}, options)
	if len(files) == 0 || len(problems) > 0 {
		t.Fatalf("%d files in %s: %v", len(files), dir, problems)
	}
	for i, file := range files {
		var out strings.Builder
		for _, item := range source.Load(file, options) {
			if item.Problem != nil {
				t.Fatal(item.Problem)
			}
			if item.Skipped != "" {
				continue
			}
			for _, object := range objects(item.Document.Object) {
				if of, ok := object.(map[string]any); ok && slices.Contains(beside, fmt.Sprint(of["kind"])) {
					continue
				}
				text, err := yaml.Marshal(object)
				if err != nil {
					t.Fatal(err)
				}
				out.WriteString("---\n" + string(text))
			}
		}
		if err := os.WriteFile(filepath.Join(to, fmt.Sprintf("%d.yaml", i)), []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

var beside = []string{"Service", "Ingress", "HTTPRoute", "HorizontalPodAutoscaler", "VerticalPodAutoscaler", "StartupCPUBoost"}

func objects(object map[string]any) []any {
	if items, ok := object["items"].([]any); ok && object["kind"] == "List" {
		return items
	}
	return []any{object}
}

// The Constraints match no kind that Kubernetes does not have, so that a Rollout never gets as
// far as the rule that speaks of kinds like it.
const unmatched = "HR002"

// Every rule finds in its bad example what it finds elsewhere, neighbours included, and
// nothing in the good one.
func TestExamplesOfEveryRule(t *testing.T) {
	rules, err := engine.Rules()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// Gatekeeper is never given what was measured, nor a Pod as it was, nor what scales a workload.
	rules = slices.DeleteFunc(rules, func(r engine.Rule) bool {
		return strings.Contains(r.Bad, "kind: Review") || strings.Contains(r.Bad, "kind: VerticalPodAutoscaler")
	})
	for _, rule := range rules {
		write(t, dir, "good-"+rule.ID, rule.Good)
		write(t, dir, "bad-"+rule.ID, rule.Bad)
	}
	findings := judge(t, nil, dir)
	want := fromLint(t, nil, dir)
	beyond := slices.IndexFunc(want, func(l string) bool { return strings.Contains(l, ": "+unmatched+" ") })
	if beyond < 0 {
		t.Fatalf("no %s", unmatched)
	}
	compare(t, lines(findings), slices.Delete(want, beyond, beyond+1))

	fires := map[string]bool{unmatched: true}
	for _, f := range findings {
		fires[f.Rule] = true
		if strings.HasPrefix(strings.ToLower(f.Resource.Namespace+f.Resource.Name), "good") {
			t.Errorf("a good example gives %s", f.Text)
		}
		place := "container " + f.Container
		if f.Container == "" {
			place = "the workload"
		}
		if want := fmt.Sprintf("[%s] %s: %s Wanted: %s.", f.Rule, place, f.Message, f.Wanted); f.Text != want {
			t.Errorf("msg is %q, not %q", f.Text, want)
		}
	}
	for _, rule := range rules {
		if !fires[rule.ID] {
			t.Errorf("%s never fires", rule.ID)
		}
	}
}

// write puts an example into a namespace of its own: gator takes everything as one cluster.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	namespace := strings.ToLower(name)
	options := source.Options{Stdin: strings.NewReader(text)}
	files, _ := source.Files([]string{"-"}, options)
	var out strings.Builder
	for _, item := range source.Load(files[0], options) {
		if item.Document == nil {
			continue
		}
		object := item.Document.Object
		metadata, ok := object["metadata"].(map[string]any)
		if !ok {
			metadata = map[string]any{"name": namespace}
			object["metadata"] = metadata
		}
		if object["kind"] == "Namespace" {
			metadata["name"] = namespace
		} else {
			metadata["namespace"] = namespace
		}
		text, err := yaml.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString("---\n" + string(text))
	}
	if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What a headroom.yaml says holds from the Constraint's parameters.
func TestConfig(t *testing.T) {
	config, err := settings.Parse("headroom.yaml", []byte(`
apiVersion: headroom.dev/v1alpha1
kind: Config
tolerance: 0.9
matrix:
  latency-sensitive: {request: average, limit: {timesAverage: 3}}
  streaming: {request: average, limit: none}
sidecars: {names: [proxy]}
memory: {headroom: 0.5}
jvm: {threads: 100, gcPause: 40ms, inject: [metaspace]}
rules:
  HR413: {severity: off}
  memory-missing: {severity: warning}
ignore:
  - {rules: [HR304], name: article-*, reason: known}
`))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "samples")
	got := lines(judge(t, config, dir))
	compare(t, got, fromLint(t, config, dir))
	if slices.Equal(got, fromLint(t, nil, dir)) {
		t.Error("the config changes nothing")
	}
}
