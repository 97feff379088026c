package program

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// Environment is the test's own, without what a git hook or a rebase sets. With GIT_DIR, a command
// in another folder would change the repository that the test was started from.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "GIT_") })
}

// Staged is a command in a checkout that a test makes: with nothing of the caller's git settings,
// and with commits of a time that the test knows.
func Staged(t testing.TB, dir string, when time.Time, name string, arguments ...string) *exec.Cmd {
	t.Helper()
	date := when.Format(time.RFC3339)
	command := exec.CommandContext(t.Context(), name, arguments...) //nolint:gosec // what the test runs
	command.Dir = dir
	command.Env = append(Environment(), "CGO_ENABLED=0", "SOURCE_DATE_EPOCH=",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_AUTHOR_DATE="+date,
		"GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com", "GIT_COMMITTER_DATE="+date)
	return command
}

// Output is what a command prints; one that fails, fails the test.
func Output(t testing.TB, command *exec.Cmd) string {
	t.Helper()
	stdout, stderr, code := Run(t, command)
	if code != 0 {
		t.Fatalf("%s: exit code %d\n%s%s", strings.Join(command.Args, " "), code, stdout, stderr)
	}
	return stdout
}
