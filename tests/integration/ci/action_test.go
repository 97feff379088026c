//go:build integration

package ci

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// push is the event of a commit on the main branch.
func push() map[string]any {
	return map[string]any{"event_name": "push", "token": "t0ken", "event": map[string]any{}}
}

// pullEvent is the event of a pull request.
func pullEvent(p pull) map[string]any {
	return map[string]any{"event_name": "pull_request", "token": "t0ken", "event": map[string]any{
		"pull_request": map[string]any{
			"number": 1.0, "base": map[string]any{"sha": p.base}, "head": map[string]any{"sha": p.head},
		},
	}}
}

// judge runs the action on a folder of files, after a push.
func judge(t *testing.T, files, inputs map[string]string) ran {
	t.Helper()
	r := newRepository(t, files)
	all := map[string]string{"binary": binary}
	for name, value := range inputs {
		all[name] = value
	}
	return job{t: t, workspace: r.checkout(git(t, r.dir, "rev-parse", "HEAD"), "1"), inputs: all, github: push()}.run()
}

// uris are the files that a SARIF file names.
func uris(t *testing.T, file string) []string {
	t.Helper()
	var sarif struct {
		Runs []struct {
			Results []struct {
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(read(t, file)), &sarif); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, result := range sarif.Runs[0].Results {
		names = append(names, result.Locations[0].PhysicalLocation.ArtifactLocation.URI)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// expect holds what is left of a run against what every run has to leave.
func (r ran) expect(t *testing.T, code int, annotations ...string) {
	t.Helper()
	if r.code != code || (code == 0) != (r.failed == "") {
		t.Errorf("exit code %d in %q, want %d:\n%s", r.code, r.failed, code, r.log)
	}
	found := r.annotations()
	for _, want := range annotations {
		if !slices.ContainsFunc(found, func(line string) bool { return strings.Contains(line, want) }) {
			t.Errorf("no annotation has %q:\n%s", want, strings.Join(found, "\n"))
		}
	}
}

func TestActionOnWhatIsSound(t *testing.T) {
	r := judge(t, map[string]string{"deploy/cart.yaml": sound, ".github/workflows/ci.yml": "on: push\n"}, nil)
	r.expect(t, 0)
	for name, want := range map[string]string{
		"exit-code": "0", "errors": "0", "warnings": "0", "infos": "0", "problems": "0",
	} {
		if r.outputs[name] != want {
			t.Errorf("output %s is %q", name, r.outputs[name])
		}
	}
	if !strings.Contains(r.summary, "**headroom") || !strings.Contains(r.summary, "1 workload") {
		t.Errorf("the summary is %q", r.summary)
	}
	if len(r.annotations()) != 0 || len(r.used) != 0 || !slices.Contains(r.skipped, "Upload to code scanning") {
		t.Errorf("more was done than asked for: %v, skipped %v, log:\n%s", r.used, r.skipped, r.log)
	}
}

func TestActionOnFindings(t *testing.T) {
	r := judge(t, map[string]string{"deploy/cart.yaml": limited, "other/cart.yaml": named(limited, "other")},
		map[string]string{"paths": "deploy", "sarif": "true", "category": "shop"})
	r.expect(t, 1, "::error file=deploy/cart.yaml,line=13,title=HR202 latency-cpu-limit")
	if r.failed != "Verdict" || r.outputs["exit-code"] != "1" || r.outputs["errors"] != "1" ||
		r.outputs["problems"] != "0" {
		t.Errorf("%q failed, outputs %v", r.failed, r.outputs)
	}
	for _, want := range []string{"HR202", "deploy/cart.yaml:1", "limits.cpu"} {
		if !strings.Contains(r.summary, want) {
			t.Errorf("the summary lacks %q:\n%s", want, r.summary)
		}
	}
	if r.summary != read(t, r.outputs["markdown-file"]) {
		t.Error("the summary is not the Markdown file")
	}
	if got := uris(t, r.outputs["sarif-file"]); !slices.Equal(got, []string{"deploy/cart.yaml"}) {
		t.Errorf("SARIF names %v", got)
	}
	if !strings.Contains(read(t, r.outputs["json-file"]), `"rule": "HR202"`) {
		t.Error("the JSON file lacks the finding")
	}
	for uses, with := range r.used {
		if with["sarif_file"] != r.outputs["sarif-file"] || with["category"] != "shop" ||
			!filepath.IsAbs(with["checkout_path"]) {
			t.Errorf("%s was given %v", uses, with)
		}
	}
	if len(r.used) != 1 {
		t.Errorf("used %v", r.used)
	}
}

func TestActionFailsOnWhatItIsToldTo(t *testing.T) {
	files := map[string]string{"deploy/cart.yaml": limited}
	judge(t, files, map[string]string{"fail-on": "never"}).expect(t, 0, "HR202")
	// Nothing says its class, which is a warning.
	unsaid := strings.Replace(sound, "annotations: {headroom.dev/workload-class: latency-sensitive}", "labels: {}", 1)
	files = map[string]string{"deploy/cart.yaml": unsaid}
	judge(t, files, nil).expect(t, 0, "::warning file=deploy/cart.yaml", "HR101")
	judge(t, files, map[string]string{"fail-on": "info"}).expect(t, 1, "HR101")
	r := judge(t, files, map[string]string{"fail-on": "loud"})
	r.expect(t, 2, "::error title=headroom did not run::", "loud")
	if !strings.Contains(r.summary, "did not run") || r.outputs["sarif-file"] != "" {
		t.Errorf("summary %q, outputs %v", r.summary, r.outputs)
	}
}

func TestActionOnBrokenYAML(t *testing.T) {
	files := map[string]string{"deploy/cart.yaml": limited, "deploy/b.yaml": "a: [\n"}
	r := judge(t, files, map[string]string{"sarif": "true"})
	r.expect(t, 2, "::error file=deploy/b.yaml", "HR202")
	if r.outputs["problems"] != "1" || r.outputs["errors"] != "1" || len(r.used) != 1 {
		t.Errorf("outputs %v, used %v", r.outputs, r.used)
	}
	judge(t, map[string]string{"a.yaml": sound}, map[string]string{"paths": "gone"}).expect(t, 2, "gone")
}

func TestActionTakesAValueALine(t *testing.T) {
	files := map[string]string{
		"my deploy/cart 1.yaml": limited, "b/--config=x.yaml": named(limited, "b"), "c/c.yaml": named(limited, "c"),
		"a b.yaml": milder,
	}
	r := judge(t, files, map[string]string{
		"paths": "my deploy/cart 1.yaml\r\n\n  b  \n", "args": "--fail-on  info\n--verbose\n--config\ta b.yaml\n",
	})
	r.expect(t, 1, "file=my deploy/cart 1.yaml", "file=b/--config=x.yaml", "::warning")
	if strings.Contains(r.log, "c/c.yaml") {
		t.Errorf("more was judged than asked for:\n%s", r.log)
	}
	// After a path that looks like a flag comes no flag.
	judge(t, files, map[string]string{"paths": "--no-config\nc"}).expect(t, 2, "--no-config", "c/c.yaml")
}

// milder makes HR202 a warning.
const milder = "apiVersion: headroom.dev/v1alpha1\nkind: Config\nrules: {HR202: {severity: warning}}\n"

// In a repository of several projects, names count from its root, and each has its own config.
func TestActionInAFolder(t *testing.T) {
	files := map[string]string{
		"services/headroom.yaml":               milder,
		"services/cart/deploy.yaml":            limited,
		"services/cart/chart/Chart.yaml":       "apiVersion: v2\nname: chart\nversion: 1.0.0\n",
		"services/cart/chart/templates/a.yaml": named(limited, "charted"),
		"services/cart/k/kustomization.yaml":   "resources: [a.yaml]\n",
		"services/cart/k/a.yaml":               named(limited, "built"),
		"other/deploy.yaml":                    named(limited, "other"),
	}
	r := judge(t, files, map[string]string{"working-directory": "services/cart", "fail-on": "warning"})
	r.expect(t, 1, "::warning file=services/cart/deploy.yaml,line=13,title=HR202")
	if strings.Contains(r.log, "other/deploy.yaml") {
		t.Errorf("more was judged than asked for:\n%s", r.log)
	}
	if got := uris(t, r.outputs["sarif-file"]); !slices.Contains(got, "services/cart/deploy.yaml") {
		t.Errorf("SARIF names %v", got)
	}
	r = judge(t, files, map[string]string{
		"working-directory": "services/cart", "helm-chart": "chart", "kustomize": "./k", "fail-on": "warning",
	})
	r.expect(t, 1, "charted", "built")
	if strings.Contains(r.log, "services/cart/deploy.yaml") {
		t.Errorf("more was judged than asked for:\n%s", r.log)
	}
	judge(t, files, map[string]string{"working-directory": "no such"}).expect(t, 2, "there is no")
}

func TestActionBaseline(t *testing.T) {
	files := map[string]string{"deploy/cart.yaml": limited, "deploy/other.yaml": named(sound, "other")}
	dir := t.TempDir()
	write(t, dir, files)
	if p := start(t, dir, clean(t), binary, "lint", "deploy", "--write-baseline"); p.code != 0 {
		t.Fatalf("no baseline: %s", p.output)
	}
	files["headroom-baseline.yaml"] = read(t, filepath.Join(dir, "headroom-baseline.yaml"))
	inputs := map[string]string{"baseline": "headroom-baseline.yaml", "paths": "deploy"}
	judge(t, files, inputs).expect(t, 0)
	files["deploy/other.yaml"] = named(limited, "other")
	judge(t, files, inputs).expect(t, 1, "deploy/other.yaml")
}

var pinned = regexp.MustCompile(`(?m)uses: [\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)

// What the file promises: inputs that are used, steps of others at one commit, and no expression
// where a shell would run what is in it.
func TestActionFile(t *testing.T) {
	a, whole := loadAction(t), read(t, filepath.Join(root, "action.yml"))
	if a.Runs.Using != "composite" || a.Name == "" || len(a.Description) > 125 || a.Branding.Icon == "" {
		t.Errorf("using %q, name %q, description of %d signs", a.Runs.Using, a.Name, len(a.Description))
	}
	for name, input := range a.Inputs {
		if !strings.Contains(whole, "inputs."+name) || input.Description == "" {
			t.Errorf("input %s is not used, or not described", name)
		}
	}
	for _, s := range a.Runs.Steps {
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %s has an expression in its script: %s", s.Name, s.Run)
		}
	}
	if uses := strings.Count(whole, "uses: "); uses != len(pinned.FindAllString(whole, -1)) {
		t.Errorf("%d steps of others are not all at a commit with its version", uses)
	}
	for _, used := range regexp.MustCompile(`inputs\.([\w-]+)`).FindAllStringSubmatch(whole, -1) {
		if _, ok := a.Inputs[used[1]]; !ok {
			t.Errorf("there is no input %s", used[1])
		}
	}
}
