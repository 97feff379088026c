//go:build integration

package ci

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

type hook struct {
	ID, Name, Description, Entry, Language string
	Args                                   []string
	TypesOr                                []string `json:"types_or"`
	Exclude                                string
	RequireSerial                          bool `json:"require_serial"`
}

func hooks(t *testing.T) []hook {
	t.Helper()
	var all []hook
	if err := yaml.UnmarshalStrict([]byte(read(t, filepath.Join(root, ".pre-commit-hooks.yaml"))), &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// commits is a repository with files that are about to be committed, some of them no concern of a hook's.
func commits(t *testing.T) (r *repository, hook func(id string) process) {
	t.Helper()
	r = newRepository(t, map[string]string{"untouched.yaml": limited})
	environment := append(clean(t), "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH"),
		"GOPROXY=off", "GOFLAGS=-mod=mod", "HEADROOM_OF_THIS_TEST="+binary)
	if program := filepath.Join(root, ".tools", "pre-commit", "bin", "pre-commit"); exists(program) {
		t.Log("with " + strings.TrimSpace(start(t, root, environment, program, "--version").output))
		environment = append(environment, "PRE_COMMIT_HOME="+t.TempDir())
		return r, func(id string) process {
			write(t, r.dir, map[string]string{".pre-commit-config.yaml": "repos: [{repo: 'file://" + published(t).dir +
				"', rev: v1.2.3, hooks: [{id: " + id + "}]}]\n"})
			git(t, r.dir, "add", "--all")
			return start(t, r.dir, environment, program, "run", "--verbose")
		}
	}
	t.Log("pre-commit is not installed, which needs a Python: the hooks run with the files that it would give them")
	return r, func(id string) process {
		git(t, r.dir, "add", "--all")
		return imitated(t, r, id, environment)
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// imitated runs a hook as pre-commit does. The files that are staged, are of the types and are not
// excluded come after the entry and its arguments. It fails where the hook does, or where a file
// has changed.
func imitated(t *testing.T, r *repository, id string, environment []string) process {
	t.Helper()
	all := hooks(t)
	h := all[slices.IndexFunc(all, func(h hook) bool { return h.ID == id })]
	command := append(strings.Fields(h.Entry), h.Args...)
	exclude := regexp.MustCompile(h.Exclude)
	for _, name := range strings.Split(git(t, r.dir, "diff", "--staged", "--name-only", "--no-ext-diff", "-z"), "\x00") {
		extension := strings.TrimPrefix(strings.Replace(filepath.Ext(name), ".yml", ".yaml", 1), ".")
		if name != "" && slices.Contains(h.TypesOr, extension) && !exclude.MatchString(name) {
			command = append(command, name)
		}
	}
	before := git(t, r.dir, "diff")
	// The headroom of a golang hook is in front of PATH, as that of this test is.
	p := start(t, r.dir, environment, command[0], command[1:]...)
	if p.code == 0 && git(t, r.dir, "diff") != before {
		p.code = 1
	}
	return p
}

// handsOn is a program that hands on to the one that was built of this tree.
const handsOn = `package main

import (
	"os"
	"syscall"
)

func main() {
	panic(syscall.Exec(os.Getenv("HEADROOM_OF_THIS_TEST"), os.Args, os.Environ()))
}
`

// published is this project as pre-commit clones it, but for its sources. Compiling them anew takes
// minutes, and `go install ./...` installs a program that is handed on to the one built.
func published(t *testing.T) *repository {
	t.Helper()
	r := newRepository(t, map[string]string{
		".pre-commit-hooks.yaml": read(t, filepath.Join(root, ".pre-commit-hooks.yaml")),
		"go.mod":                 "module example.com/headroom\n\ngo 1.21\n",
		"cmd/headroom/main.go":   handsOn,
	})
	git(t, r.dir, "tag", "v1.2.3")
	return r
}

func TestPreCommitHooks(t *testing.T) {
	r, run := commits(t)
	files := map[string]string{
		"my deploy/cart 1.yaml": uneven, "README.md": "x", "chart/templates/x.yaml": "{{ .Values.x }}\n",
		"--config=x.yaml": named(sound, "odd"), ".github/workflows/ci.yml": "on: push\n",
	}
	write(t, r.dir, files)
	for _, id := range []string{"headroom", "headroom-system"} {
		p := run(id)
		if p.code != 1 || !strings.Contains(p.output, "my deploy/cart 1.yaml") || !strings.Contains(p.output, "HR302") {
			t.Errorf("%s: exit code %d:\n%s", id, p.code, p.output)
		}
		for _, other := range []string{"untouched.yaml", "templates", "config file"} {
			if strings.Contains(p.output, other) {
				t.Errorf("%s has judged %s:\n%s", id, other, p.output)
			}
		}
	}
	for _, id := range []string{"headroom-fix", "headroom-fix-system"} {
		write(t, r.dir, files)
		if p := run(id); p.code == 0 {
			t.Errorf("%s lets a file pass that it has changed:\n%s", id, p.output)
		}
		if text := read(t, filepath.Join(r.dir, "my deploy/cart 1.yaml")); text != sound {
			t.Errorf("after %s it is\n%s", id, text)
		}
		for _, again := range []string{id, strings.Replace(id, "-fix", "", 1)} {
			if p := run(again); p.code != 0 {
				t.Errorf("after %s, %s: exit code %d:\n%s", id, again, p.code, p.output)
			}
		}
	}
	if read(t, filepath.Join(r.dir, "untouched.yaml")) != limited {
		t.Error("a file that is no part of the commit was changed")
	}
}

// A golang hook has the programs that `go install ./...` makes of the module.
func TestPreCommitBuilds(t *testing.T) {
	for _, h := range hooks(t) {
		program := strings.Fields(h.Entry)[0]
		if !exists(filepath.Join(root, "cmd", program, "main.go")) || h.Description == "" || !h.RequireSerial ||
			!slices.Contains([]string{"golang", "system"}, h.Language) {
			t.Errorf("hook %+v", h)
		}
	}
}
