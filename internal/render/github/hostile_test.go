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

func TestHostile(t *testing.T) { sample.CheckHostile(t, checkHostile, sample.HostileReport) }

func FuzzHostile(f *testing.F) { sample.FuzzHostile(f, checkHostile, sample.HostileReport) }
