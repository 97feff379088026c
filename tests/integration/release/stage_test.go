//go:build integration

// Package release makes releases as `make release` does, looks at every file, and sends them to
// a registry and back through the programs that people have.
package release

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

const (
	root   = "../../.."
	module = "github.com/headroom-dev/headroom"
)

// commitTime is when the staged commits were made.
var commitTime = time.Date(2026, time.March, 4, 5, 6, 7, 0, time.UTC)

// host is the platform whose program this machine can run.
var host = runtime.GOOS + "/" + runtime.GOARCH

// program builds a program of this module once for all tests.
func compiled(t *testing.T, name string) string {
	t.Helper()
	made, err := programs(name)
	check(t, err)
	return made
}

var (
	scratch  string
	building sync.Mutex
	built    = map[string]string{}
)

func programs(name string) (string, error) {
	building.Lock()
	defer building.Unlock()
	if built[name] != "" {
		return built[name], nil
	}
	file := filepath.Join(scratch, filepath.Base(name))
	if err := program.Compile(context.Background(), file, name); err != nil {
		return "", err
	}
	built[name] = file
	return file, nil
}

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "headroom-release-test"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(scratch)
		return m.Run()
	}())
}

// sources are the files of this checkout without the tests, as they were when they were first
// asked for: somebody who edits one meanwhile makes no second commit of it. What git ignores it
// leaves out when they are staged.
var sources = sync.OnceValues(func() (map[string]string, error) {
	skipped := []string{".git", ".tools", "bin", "dist", "tests"}
	files, checkout := map[string]string{}, os.DirFS(root)
	err := fs.WalkDir(checkout, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(skipped, name):
			return fs.SkipDir
		case !entry.Type().IsRegular() || strings.HasSuffix(name, "_test.go") || name == ".git": // a file where this is a worktree
			return nil
		}
		content, err := fs.ReadFile(checkout, name)
		files[name] = string(content)
		return err
	})
	return files, err
})

// stage makes a checkout of its own with one commit, in dir; changes go over the files.
func stage(t *testing.T, dir string, changes map[string]string) string {
	t.Helper()
	files, err := sources()
	check(t, err)
	files = maps.Clone(files)
	maps.Copy(files, changes)
	for name, content := range files {
		target := filepath.Join(dir, name)
		check(t, os.MkdirAll(filepath.Dir(target), 0o755))
		check(t, os.WriteFile(target, []byte(content), 0o644))
	}
	run(t, dir, "git", "init", "-q", "--object-format=sha1")
	run(t, dir, "git", "add", ".")
	run(t, dir, "git", "commit", "-q", "-m", "stage")
	return dir
}

// make does what `make release` does, and says where the release lies.
func makeRelease(t *testing.T, dir string, arguments ...string) (folder, said string) {
	t.Helper()
	out := run(t, dir, compiled(t, module+"/tools/release"), append([]string{"-sbom", program.Tool(t, "sbom")}, arguments...)...)
	return filepath.Join(dir, "dist", "release"), out
}

// ofHost is a release for this machine's platform, made once; other, the same commit in another
// folder and another time zone.
var ofHost, other = once("first", "TZ=UTC"), once("second/with/a/longer/name", "TZ=Asia/Kathmandu")

func once(folder, zone string) func(t *testing.T) string {
	var made string
	return func(t *testing.T) string {
		t.Helper()
		if made == "" {
			dir := filepath.Join(scratch, folder)
			check(t, os.MkdirAll(dir, 0o755))
			stage(t, dir, nil)
			name, value, _ := strings.Cut(zone, "=")
			t.Setenv(name, value)
			made, _ = makeRelease(t, dir, "-platforms", host)
		}
		return made
	}
}

func command(t *testing.T, dir, name string, arguments ...string) *exec.Cmd {
	t.Helper()
	return program.Staged(t, dir, commitTime, name, arguments...)
}

// run runs a program in dir, and gives what it says.
func run(t *testing.T, dir, name string, arguments ...string) string {
	t.Helper()
	return program.Output(t, command(t, dir, name, arguments...))
}

// fails runs a program that has to fail, and gives all that it says.
func fails(t *testing.T, dir, name string, arguments ...string) string {
	t.Helper()
	out, err := command(t, dir, name, arguments...).CombinedOutput()
	if err == nil {
		t.Fatalf("%s %s did not fail:\n%s", name, strings.Join(arguments, " "), out)
	}
	return string(out)
}

func read(t *testing.T, elements ...string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(elements...))
	check(t, err)
	return content
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
