//go:build integration

package conftest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/regotest"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// TestVerify runs the tests of what is conftest's own, and of one document, with conftest's own
// runner. It gives a test 5 s, and cannot be told otherwise: OPA's runner has all the others.
func TestVerify(t *testing.T) {
	policy := t.TempDir()
	if err := os.CopyFS(policy, untested{os.DirFS(repo.Path("policies/rego"))}); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, file := range []string{repo.Path("policies/rego/main/main_test.rego"), "sample_test.rego"} {
		text, err := os.ReadFile(filepath.Clean(file))
		if err != nil {
			t.Fatal(err)
		}
		count += strings.Count("\n"+string(text), "\ntest_")
		program.Write(t, policy, map[string]string{filepath.Base(file): string(text)})
	}
	command := exec.CommandContext(t.Context(), program.Tool(t, "conftest"), "verify", "--policy", policy)
	stdout, stderr, code := program.Run(t, command)
	want := fmt.Sprintf("%d tests, %d passed, 0 warnings, 0 failures", count, count)
	if code != 0 || count < 5 || !strings.Contains(stdout, want) {
		t.Errorf("exit code %d, not %q:\n%s%s", code, want, stdout, stderr)
	}
}

// untested is a folder of policies without their tests.
type untested struct{ fs.FS }

// ReadDir is for fs.WalkDir.
func (u untested) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(u.FS, name)
	var kept []fs.DirEntry
	for _, entry := range entries {
		if !regotest.IsTest(entry.Name()) {
			kept = append(kept, entry)
		}
	}
	return kept, err
}
