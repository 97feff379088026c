package gitlab

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

func checkHostile(t *testing.T, r *report.Report) {
	t.Helper()
	if n := len(decoded(t, sample.Written(t, Write, r))); n != len(r.Findings)+len(r.Problems) {
		t.Errorf("%d issues", n)
	}
}

func TestGolden(t *testing.T) {
	for name, r := range sample.All() {
		golden.Check(t, "testdata/"+name+".json", sample.Written(t, Write, r))
	}
}

var hostile = []func(a, b string) *report.Report{sample.HostileReport, sample.HostileChange}

func TestHostile(t *testing.T) { sample.CheckHostile(t, checkHostile, hostile...) }

func FuzzHostile(f *testing.F) { sample.FuzzHostile(f, checkHostile, hostile...) }
