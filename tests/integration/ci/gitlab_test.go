//go:build integration

package ci

import (
	"encoding/json"
	"encoding/xml"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// gitlabJob is what a pipeline makes of packaging/gitlab/headroom.gitlab-ci.yml.
type gitlabJob struct {
	Stage, Image string
	Rules        []struct{ If string }
	Variables    map[string]any
	BeforeScript []string `json:"before_script"`
	Script       []string
	Artifacts    struct {
		When    string
		Paths   []string
		Reports map[string]string
	}
}

var gitlabInput = regexp.MustCompile(`\$\[\[ inputs\.([\w-]+) \]\]`)

// gitlab includes the template with inputs: it fills them into the values of the parsed file, as
// GitLab does, so that a value cannot add a key.
func gitlab(t *testing.T, inputs map[string]string) gitlabJob {
	t.Helper()
	header, body, ok := strings.Cut(read(t, filepath.Join(root, "packaging", "gitlab", "headroom.gitlab-ci.yml")), "\n---\n")
	if !ok {
		t.Fatal("the template has no header")
	}
	var spec struct {
		Spec struct {
			Inputs map[string]struct {
				Description string
				Default     *string
				Options     []string
			}
		}
	}
	if err := yaml.UnmarshalStrict([]byte(header), &spec); err != nil {
		t.Fatal(err)
	}
	for name := range inputs {
		if _, known := spec.Spec.Inputs[name]; !known {
			t.Fatalf("the template has no input %s", name)
		}
	}
	for name, input := range spec.Spec.Inputs {
		if input.Default == nil || !strings.Contains(body, "inputs."+name+" ") {
			t.Errorf("input %s has no default, or nothing uses it", name)
		}
	}
	var tree any
	if err := yaml.Unmarshal([]byte(body), &tree); err != nil {
		t.Fatal(err)
	}
	var walk func(any) any
	filled := func(in string) string {
		return gitlabInput.ReplaceAllStringFunc(in, func(hole string) string {
			name := gitlabInput.FindStringSubmatch(hole)[1]
			input, known := spec.Spec.Inputs[name]
			if !known {
				t.Fatalf("the template uses an input that there is not: %s", name)
			}
			if value, given := inputs[name]; given {
				return value
			}
			return *input.Default
		})
	}
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			out := map[string]any{}
			for key, value := range v {
				out[filled(key)] = walk(value)
			}
			return out
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case string:
			return filled(v)
		}
		return v
	}
	text, err := yaml.Marshal(walk(tree))
	if err != nil {
		t.Fatal(err)
	}
	var jobs map[string]gitlabJob
	if err := yaml.UnmarshalStrict(text, &jobs); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.Join(append(jobs["headroom"].Script, jobs["headroom"].BeforeScript...), ""), "[[") {
		t.Error("an input stands in a script")
	}
	return jobs["headroom"]
}

// run runs the job as GitLab's runner does: before_script and script in one shell, bash where
// the image has one, else sh, which ends at the first command that fails.
func (j gitlabJob) run(t *testing.T, shell, dir string, environment ...string) process {
	t.Helper()
	lines := []string{"set -e"}
	if shell == "bash" {
		lines = []string{"set -eo pipefail", "set +o noclobber"}
	}
	lines = append(append(lines, j.BeforeScript...), j.Script...)
	env := append(clean(t), "CI=true", "GITLAB_CI=true", "CI_PROJECT_DIR="+dir)
	for name, v := range j.Variables {
		if object, ok := v.(map[string]any); ok {
			v = object["value"]
		}
		env = append(env, name+"="+text(v))
	}
	return start(t, dir, append(env, environment...), shell, "-c", strings.Join(lines, "\n"))
}

type codeQuality []struct {
	Description, Fingerprint, Severity string
	CheckName                          string `json:"check_name"`
	Location                           struct {
		Path  string
		Lines struct{ Begin int }
	}
}

func TestGitLab(t *testing.T) {
	server := releases(t, "linux_"+uname(t), nil)
	for _, shell := range []string{"bash", "sh"} {
		r := newRepository(t, before)
		p := r.pullRequest(change)
		dir := r.checkout(p.head, "0")
		inputs := map[string]string{"download-url": server.URL + "/headroom", "version": "v1.2.3"}
		job := gitlab(t, inputs)
		out := job.run(t, shell, dir, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+p.base)
		if out.code != 1 || !strings.Contains(out.output, "HR202") || strings.Contains(out.output, "old.yaml") {
			t.Errorf("%s: exit code %d:\n%s", shell, out.code, out.output)
		}
		var findings codeQuality
		report := read(t, filepath.Join(dir, job.Artifacts.Reports["codequality"]))
		if err := json.Unmarshal([]byte(report), &findings); err != nil {
			t.Fatal(err)
		}
		if len(findings) != 1 || findings[0].Location.Path != "deploy/cart.yaml" || findings[0].Location.Lines.Begin != 13 ||
			findings[0].Fingerprint == "" || findings[0].Severity == "" {
			t.Errorf("%s: Code Quality has %+v", shell, findings)
		}
		var suites struct {
			Suites []struct {
				Cases []struct{} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal([]byte(read(t, filepath.Join(dir, job.Artifacts.Reports["junit"]))), &suites); err != nil {
			t.Fatal(err)
		}
		if len(suites.Suites) == 0 || job.Artifacts.When != "always" {
			t.Errorf("JUnit has %+v, kept %s", suites, job.Artifacts.When)
		}
		// Outside merge requests, and when asked, everything is judged.
		if out := job.run(t, shell, dir); out.code != 1 || !strings.Contains(out.output, "old.yaml") {
			t.Errorf("%s: exit code %d:\n%s", shell, out.code, out.output)
		}
		inputs["scope"], inputs["fail-on"] = "all", "never"
		out = gitlab(t, inputs).run(t, shell, dir, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+p.base)
		if out.code != 0 || !strings.Contains(out.output, "old.yaml") {
			t.Errorf("%s: exit code %d:\n%s", shell, out.code, out.output)
		}
	}
}

// A merge request is judged by the config of its base, unless its own is asked for.
func TestGitLabByTheRulesOfTheBase(t *testing.T) {
	r := newRepository(t, before)
	p := r.pullRequest(map[string]string{"deploy/cart.yaml": limited, "headroom.yaml": milder})
	dir := r.checkout(p.head, "0")
	path := "PATH=" + filepath.Dir(binary) + ":" + strings.TrimPrefix(clean(t)[0], "PATH=")
	for from, code := range map[string]int{"base": 1, "head": 0} {
		for _, scope := range []string{"all", "changed"} {
			inputs := map[string]string{"version": "", "paths": "deploy/cart.yaml", "config-from": from, "scope": scope}
			out := gitlab(t, inputs).run(t, "sh", dir, path, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+p.base)
			if out.code != code {
				t.Errorf("%s, %s: exit code %d:\n%s", from, scope, out.code, out.output)
			}
		}
	}
}

func TestGitLabInputs(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"my deploy/cart 1.yaml": limited, "x.yaml": named(limited, "x"),
		"my config.yaml": milder,
	})
	own := filepath.Dir(binary)
	path := "PATH=" + own + ":" + strings.TrimPrefix(clean(t)[0], "PATH=")
	inputs := map[string]string{"version": "", "paths": "my deploy/cart 1.yaml\n", "args": "--config=my config.yaml\n\n-v"}
	out := gitlab(t, inputs).run(t, "bash", dir, path)
	if out.code != 0 || !strings.Contains(out.output, "warning  HR202") || strings.Contains(out.output, "x.yaml:") {
		t.Errorf("exit code %d:\n%s", out.code, out.output)
	}
	for _, name := range []string{"paths", "args", "fail-on", "scope", "config-from", "version", "download-url"} {
		inputs := map[string]string{"version": "", name: strings.Join(attacks, "\n")}
		for _, shell := range []string{"bash", "sh"} {
			gitlab(t, inputs).run(t, shell, dir, path)
			unharmed(t, dir)
		}
	}
}

func TestGitLabRefusesWhatWasNotReleased(t *testing.T) {
	server := releases(t, "linux_"+uname(t), func(files map[string][]byte) {
		files["headroom_linux_"+uname(t)+".tar.gz"] = []byte("another")
	})
	dir := t.TempDir()
	write(t, dir, map[string]string{"x.yaml": sound})
	// A whole release, and another than the one that was seen; and one whose list does not name the archive.
	whole := releases(t, "linux_"+uname(t), nil)
	unnamed := releases(t, "linux_"+uname(t), func(files map[string][]byte) { files["checksums.txt"] = []byte("\n") })
	for _, shell := range []string{"bash", "sh"} {
		out := gitlab(t, map[string]string{
			"download-url": whole.URL + "/headroom", "checksums-sha256": strings.Repeat("0", 64),
		}).run(t, shell, dir)
		if out.code == 0 || !strings.Contains(out.output, "checksums.txt: FAILED") || strings.Contains(out.output, "OPA") {
			t.Errorf("%s: exit code %d:\n%s", shell, out.code, out.output)
		}
		// Some sha256sum (BusyBox') are content with an empty list.
		path := "PATH=" + contentSum(t) + ":" + strings.TrimPrefix(clean(t)[0], "PATH=")
		out = gitlab(t, map[string]string{"download-url": unnamed.URL + "/headroom"}).run(t, shell, dir, path)
		if out.code == 0 || strings.Contains(out.output, "OPA") {
			t.Errorf("%s: exit code %d:\n%s", shell, out.code, out.output)
		}
		out = gitlab(t, map[string]string{"download-url": server.URL + "/headroom"}).run(t, shell, dir)
		if out.code == 0 || !strings.Contains(out.output, "FAILED") || strings.Contains(out.output, "OPA") {
			t.Errorf("%s: exit code %d:\n%s", shell, out.code, out.output)
		}
	}
}

// uname is the processor's architecture as releases name it.
func uname(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOHOSTARCH").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
