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
	checkHostile(t, sample.HostileChange(a, b))
	if t.Failed() {
		t.Fatalf("with %q and %q", a, b)
	}
}
