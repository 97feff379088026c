//go:build integration

// Package ci runs what stands in action.yml, ci/, .pre-commit-hooks.yaml and plugin.yaml as the
// systems run it that they are made for, with the headroom of this tree.
package ci

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

var (
	root   string // of this repository
	binary string // the headroom that was built of it
)

func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "gh" {
		os.Exit(standIn(os.Args[1:]))
	}
	root = repo.Root()
	os.Exit(program.Main(m, &binary))
}

const limited = program.Limited

var (
	sound = program.Sound
	write = program.Write
)

// uneven has one error that fix fixes, HR302.
var uneven = strings.Replace(sound, "requests: {cpu: \"1\", memory: 1Gi}", "requests: {cpu: \"1\", memory: 512Mi}", 1)

// named is a workload of another name.
func named(text, name string) string {
	return strings.Replace(text, "{name: cart}", "{name: "+name+"}", 1)
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// process is what a command printed, both streams in their order, and how it ended.
type process struct {
	output string
	code   int
}

// start runs a command with an environment of its own.
func start(t *testing.T, dir string, environment []string, name string, arguments ...string) process {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir, command.Env = dir, environment
	out, err := command.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatalf("%s: %v", name, err)
	}
	return process{string(out), command.ProcessState.ExitCode()}
}

// clean is the environment of a machine that knows nothing of who runs the test.
func clean(t *testing.T) []string {
	t.Helper()
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(),
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
	}
}
