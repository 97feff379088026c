//go:build integration

// Package changed lints real git repositories with --changed-since, as a pull request's check
// does, and looks at what counts and how the program exits.
package changed

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

var binary string

func TestMain(m *testing.M) {
	search.Rapid(15, 20261121) // each judges eight folders
	os.Exit(program.Main(m, &binary))
}

// repository is a work tree on branch "change", made from a commit on "main".
type repository struct {
	t   *testing.T
	dir string
	env []string
}

// start makes a repository whose main has the files, and checks out a branch from it.
func start(t *testing.T, files map[string]string) repository {
	t.Helper()
	r := empty(t)
	r.write(files)
	r.commit("main")
	r.git("checkout", "-q", "-b", "change")
	return r
}

func empty(t *testing.T) repository {
	t.Helper()
	r := repository{t: t, dir: t.TempDir()}
	r.git("init", "-q", "-b", "main")
	for key, value := range map[string]string{
		"user.name": "A", "user.email": "a@example.org", "commit.gpgSign": "false", "core.autocrlf": "false",
		"protocol.file.allow": "always",
	} {
		r.git("config", key, value)
	}
	return r
}

// git runs git without the configuration of the machine.
func (r repository) git(arguments ...string) string {
	r.t.Helper()
	return r.gitWith("", arguments...)
}

// gitWith has a text as its input.
func (r repository) gitWith(input string, arguments ...string) string {
	r.t.Helper()
	c := exec.CommandContext(r.t.Context(), "git", arguments...)
	c.Dir, c.Stdin = r.dir, strings.NewReader(input)
	c.Env = append(program.Environment(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r repository) commit(message string) {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", message)
}

func (r repository) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

func (r repository) write(files map[string]string) {
	r.t.Helper()
	program.Write(r.t, r.dir, files)
}

// edit replaces text of a file, which must be there.
func (r repository) edit(name, old, now string) {
	r.t.Helper()
	text, err := os.ReadFile(r.path(name))
	if err != nil {
		r.t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		r.t.Fatalf("%s has no %q", name, old)
	}
	r.write(map[string]string{name: strings.ReplaceAll(string(text), old, now)})
}

type outcome struct {
	stdout, stderr string
	code           int
}

// headroom runs the program in a folder of the repository.
func (r repository) headroom(folder string, arguments ...string) outcome {
	r.t.Helper()
	c := exec.CommandContext(r.t.Context(), binary, arguments...)
	c.Dir = r.path(folder)
	c.Env = append(program.Environment(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	c.Env = append(c.Env, r.env...)
	stdout, stderr, code := program.Run(r.t, c)
	return outcome{stdout, stderr, code}
}

type counts struct{ Errors, Warnings, Infos int }

// report is the part of the JSON output that the tests look at.
type report struct {
	Findings []struct {
		Rule, File, Fingerprint, Message string
		Resource                         struct{ Kind, Name string }
		Change                           struct{ New, OnChangedLine bool }
	}
	Problems []struct{ File, Message string }
	Summary  struct{ Workloads, Known int }
	Changed  struct {
		Ref, Base             string
		New, Fixed, Elsewhere counts
		Unjudged              int
		Notes                 []string
		Workloads             []struct {
			Resource    struct{ Name string }
			File, State string
			Before, Now counts
			Fixed       []struct{ Rule string }
		}
		Suggestions []struct {
			File               string
			StartLine, EndLine int
			Text               string
		}
	}
	code int
}

// lint runs lint --changed-since main and reads its JSON.
func (r repository) lint(arguments ...string) report {
	r.t.Helper()
	return r.lintIn(".", arguments...)
}

func (r repository) lintIn(folder string, arguments ...string) report {
	r.t.Helper()
	out := r.headroom(folder, append([]string{"lint", "-o", "json", "--changed-since", "main"}, arguments...)...)
	var got report
	if err := json.Unmarshal([]byte(out.stdout), &got); err != nil {
		r.t.Fatalf("stdout %q, stderr %q: %v", out.stdout, out.stderr, err)
	}
	got.code = out.code
	return got
}

// counted lists the findings that count, as "HR202 cart new"; those that are not new have no
// third word.
func (r report) counted() []string {
	var list []string
	for _, f := range r.Findings {
		text := f.Rule + " " + f.Resource.Name
		if f.Change.New {
			text += " new"
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}

// states lists the workloads of the overview, as "cart touched".
func (r report) states() []string {
	var list []string
	for _, w := range r.Changed.Workloads {
		list = append(list, w.Resource.Name+" "+w.State)
	}
	slices.Sort(list)
	return list
}

func want(t *testing.T, what string, got []string, wanted ...string) {
	t.Helper()
	slices.Sort(wanted)
	if !slices.Equal(got, wanted) {
		t.Errorf("%s: %q, want %q", what, got, wanted)
	}
}

// deployment has one error, HR202: a CPU limit.
func deployment(name string) string {
	return strings.ReplaceAll(`apiVersion: apps/v1
kind: Deployment
metadata: {name: NAME}
spec:
  template:
    metadata:
      annotations: {headroom.dev/workload-class: latency-sensitive}
    spec:
      containers:
        - name: app
          image: shop:1
          resources:
            requests: {cpu: "1", memory: 1Gi}
            limits:
              memory: 1Gi
              cpu: "2"
`, "NAME", name)
}

// sound has no finding.
func sound(name string) string {
	return strings.Replace(deployment(name), "              cpu: \"2\"\n", "", 1)
}
