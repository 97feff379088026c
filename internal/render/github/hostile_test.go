package github

import (
	"regexp"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

var githubLine = regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]*,line=\d+,)?title=[^,:]*::`)

func checkHostile(t *testing.T, r *report.Report) {
	t.Helper()
	out := sample.Written(t, Write, r)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 4 {
		t.Errorf("%d lines:\n%s", len(lines), out)
	}
	for _, line := range lines[:len(lines)-1] {
		if !githubLine.MatchString(line) {
			t.Errorf("GitHub cannot read %q", line)
		}
	}
}

func TestGolden(t *testing.T) {
	for name, r := range sample.All() {
		golden.Check(t, "testdata/"+name+".txt", sample.Written(t, Write, r))
	}
}

func TestHostile(t *testing.T) {
	for a, b := range sample.Pairs() {
		checkStrings(t, a, b)
	}
}

func FuzzHostile(f *testing.F) {
	sample.Seed(f)
	f.Fuzz(checkStrings)
}

func checkStrings(t *testing.T, a, b string) {
	t.Helper()
	checkHostile(t, sample.HostileReport(a, b))
	if t.Failed() {
		t.Fatalf("with %q and %q", a, b)
	}
}
