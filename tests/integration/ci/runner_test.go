//go:build integration

package ci

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// action is action.yml.
type action struct {
	Name, Description string
	Branding          struct{ Icon, Color string }
	Inputs            map[string]struct {
		Description, Default string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID, Name, If, Uses, Run, Shell string
	Env, With                      map[string]string
}

func loadAction(t *testing.T) action {
	t.Helper()
	var a action
	if err := yaml.UnmarshalStrict([]byte(read(t, filepath.Join(root, "action.yml"))), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// job is a workflow's job with one step, the action.
type job struct {
	t         *testing.T
	workspace string
	inputs    map[string]string
	github    map[string]any    // the github context; what it lacks is null
	env       map[string]string // of the runner, over what it has by itself
	path      string            // a folder in front of PATH
}

// ran is what is left of it.
type ran struct {
	log, summary string
	outputs      map[string]string
	used         map[string]map[string]string // steps with `uses`, and what they were given
	skipped      []string
	failed       string // name of the step that failed
	code         int    // its exit code
	binaryPath   string // what GITHUB_PATH puts in front of PATH
}

// run runs the steps as the runner does: each script a file, `bash --noprofile --norc -eo
// pipefail FILE`, in the workspace, with files for outputs, environment, path and summary.
func (j job) run() ran {
	j.t.Helper()
	a := loadAction(j.t)
	temp := filepath.Join(j.t.TempDir(), "runner temp")
	if err := os.MkdirAll(temp, 0o755); err != nil {
		j.t.Fatal(err)
	}
	inputs, steps := map[string]any{}, map[string]any{}
	context := map[string]any{"inputs": inputs, "github": j.github, "steps": steps}
	for name := range j.inputs {
		if _, known := a.Inputs[name]; !known {
			j.t.Fatalf("the action has no input %s", name)
		}
	}
	for name, input := range a.Inputs {
		inputs[name] = fill(j.t, input.Default, context)
		if value, given := j.inputs[name]; given {
			inputs[name] = value
		}
	}
	result := ran{outputs: map[string]string{}, used: map[string]map[string]string{}}
	for _, s := range a.Runs.Steps {
		if !j.wanted(s, context, result.failed == "") {
			result.skipped = append(result.skipped, s.Name)
			continue
		}
		values := map[string]string{}
		for name, value := range s.Env {
			values[name] = fill(j.t, value, context)
		}
		if s.Uses != "" {
			with := map[string]string{}
			for name, value := range s.With {
				with[name] = fill(j.t, value, context)
			}
			result.used[s.Uses] = with
			continue
		}
		outputs := j.step(s, temp, values, &result)
		steps[s.ID] = map[string]any{"outputs": outputs}
	}
	for name, output := range a.Outputs {
		result.outputs[name] = fill(j.t, output.Value, context)
	}
	return result
}

// wanted says whether a step runs: without a status function, only while nothing has failed.
func (j job) wanted(s actionStep, context map[string]any, status bool) bool {
	j.t.Helper()
	if s.If == "" {
		return status
	}
	e := &expression{context: context, status: status}
	condition := s.If
	if hole := exprHole.FindStringSubmatch(condition); hole != nil {
		condition = hole[1]
	}
	value, err := e.evaluate(condition)
	if err != nil {
		j.t.Fatal(err)
	}
	return truth(value) && (e.asked || status)
}

func (j job) step(s actionStep, temp string, values map[string]string, result *ran) map[string]any {
	j.t.Helper()
	if s.Shell != "bash" {
		j.t.Fatalf("step %s has shell %q", s.Name, s.Shell)
	}
	files := map[string]string{}
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"} {
		files[name] = filepath.Join(j.t.TempDir(), strings.ToLower(name))
		write(j.t, filepath.Dir(files[name]), map[string]string{filepath.Base(files[name]): ""})
	}
	script := filepath.Join(temp, "script.sh")
	write(j.t, temp, map[string]string{"script.sh": s.Run})
	environment := map[string]string{
		"GITHUB_ACTION_PATH": root, "GITHUB_WORKSPACE": j.workspace, "GITHUB_REPOSITORY": "shop/cart",
		"GITHUB_ACTIONS": "true", "CI": "true", "RUNNER_TEMP": temp, "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64",
	}
	maps.Copy(environment, files)
	maps.Copy(environment, j.env)
	maps.Copy(environment, values)
	list := clean(j.t)
	for name, value := range environment {
		list = append(list, name+"="+value)
	}
	path := os.Getenv("PATH")
	if only, given := j.env["PATH"]; given {
		path = only
	}
	for _, folder := range []string{j.path, result.binaryPath} {
		if folder != "" {
			path = folder + string(os.PathListSeparator) + path
		}
	}
	list = append(list, "PATH="+path)
	p := start(j.t, j.workspace, list, "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
	result.log += p.output
	result.summary += read(j.t, files["GITHUB_STEP_SUMMARY"])
	if folder := strings.TrimSpace(read(j.t, files["GITHUB_PATH"])); folder != "" {
		result.binaryPath = folder
	}
	if p.code != 0 {
		result.failed, result.code = s.Name, p.code
	}
	return outputLines(j.t, read(j.t, files["GITHUB_OUTPUT"]))
}

// outputLines reads NAME=VALUE. A value of several lines needs another form, which no step uses.
func outputLines(t *testing.T, content string) map[string]any {
	t.Helper()
	values := map[string]any{}
	for line := range strings.Lines(content) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok || !regexp.MustCompile(`^[a-z-]+$`).MatchString(name) {
			t.Fatalf("a line of GITHUB_OUTPUT is %q", line)
		}
		values[name] = value
	}
	return values
}

// annotations are the commands that the runner would have taken out of the log, in order.
func (r ran) annotations() []string {
	var found []string
	stopped := ""
	for line := range strings.Lines(r.log) {
		line = strings.TrimSpace(line)
		switch {
		case stopped != "":
			if line == "::"+stopped+"::" {
				stopped = ""
			}
		case strings.HasPrefix(line, "::stop-commands::"):
			stopped = strings.TrimPrefix(line, "::stop-commands::")
		case strings.HasPrefix(line, "::"):
			found = append(found, line)
		}
	}
	return found
}
