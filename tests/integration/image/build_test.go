//go:build integration

package image

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

const module = "github.com/headroom-dev/headroom"

// commitTime is when the staged commits were made, and commit what git calls them.
var (
	commitTime = time.Date(2026, time.March, 4, 5, 6, 7, 0, time.UTC)
	commit     string
)

// platform is one whose binary this machine can run, if it runs Linux at all. `make image`
// builds the others too, by the same code.
func platform() v1.Platform { return v1.Platform{OS: "linux", Architecture: runtime.GOARCH} }

// sources are the files of this module that go into the program, below its root.
var sources = sync.OnceValues(func() ([]string, error) {
	out, err := exec.Command("go", "list", "-deps", "-json=Dir,Module,GoFiles,IgnoredGoFiles,EmbedFiles",
		module+"/cmd/headroom").Output()
	if err != nil {
		return nil, err
	}
	root := repo.Root()
	files := []string{"go.mod", "go.sum", "LICENSE"}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			Dir                                 string
			Module                              *struct{ Main bool }
			GoFiles, IgnoredGoFiles, EmbedFiles []string
		}
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if p.Module == nil || !p.Module.Main {
			continue
		}
		dir, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		for _, list := range [][]string{p.GoFiles, p.IgnoredGoFiles, p.EmbedFiles} {
			for _, name := range list {
				files = append(files, filepath.Join(dir, name))
			}
		}
	}
})

// staged are the sources as they were when they were first asked for: somebody who edits a
// file while the tests run makes no second commit of it.
var staged = sync.OnceValues(func() (map[string][]byte, error) {
	files, err := sources()
	if err != nil {
		return nil, err
	}
	contents := map[string][]byte{}
	for _, file := range files {
		if contents[file], err = os.ReadFile(repo.Path(file)); err != nil {
			return nil, err
		}
	}
	return contents, nil
})

// stage makes a checkout of its own with one commit, so that a test neither changes this one
// nor depends on what stands uncommitted in it.
func stage(t *testing.T) string {
	t.Helper()
	contents, err := staged()
	check(t, err)
	dir := t.TempDir()
	for file, content := range contents {
		target := filepath.Join(dir, file)
		check(t, os.MkdirAll(filepath.Dir(target), 0o755))
		check(t, os.WriteFile(target, content, 0o644))
	}
	check(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("/dist/\n"), 0o644))
	git(t, dir, "init", "-q", "--object-format=sha1")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "stage")
	commit = git(t, dir, "rev-parse", "HEAD")
	return dir
}

func git(t *testing.T, dir string, arguments ...string) string {
	t.Helper()
	return run(t, dir, "git", arguments...)
}

type built struct{ archive, digest string }

var digest = regexp.MustCompile(`@(sha256:[0-9a-f]{64})`)

// build does what `make image` does, in a staged checkout.
func build(t *testing.T, dir, reference string, more ...string) built {
	t.Helper()
	tool := filepath.Join(t.TempDir(), "container")
	if err := program.Compile(t.Context(), tool, "./tools/container"); err != nil {
		t.Fatal(err)
	}
	arguments := append([]string{"-platforms", platform().String(), "-version", "v1.2.3", "-image", reference}, more...)
	out := run(t, dir, tool, arguments...)
	found := digest.FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("no digest in %q", out)
	}
	return built{filepath.Join(dir, "dist", "headroom-image.tar"), found[1]}
}

// run runs a program in dir, with nothing of the caller's git settings.
func run(t *testing.T, dir, name string, arguments ...string) string {
	t.Helper()
	return strings.TrimSpace(program.Output(t, program.Staged(t, dir, commitTime, name, arguments...)))
}
