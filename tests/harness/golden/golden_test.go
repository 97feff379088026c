package golden_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/golden"
)

// failure is a test that keeps what it is told.
type failure struct {
	testing.TB
	said string
}

func (f *failure) Helper()                           {}
func (f *failure) Errorf(format string, args ...any) { f.said = fmt.Sprintf(format, args...) }

func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "words.txt")
	golden.Write(t, file, "one\ntwo\n")
	golden.Check(t, file, "one\ntwo\n")
	f := &failure{TB: t}
	golden.Check(f, file, "one\nthree\n")
	if !strings.Contains(f.said, "-two\n+three\n") {
		t.Errorf("the difference is not shown: %q", f.said)
	}
}
