package sarif

import (
	"encoding/json"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

func checkHostile(t *testing.T, r *report.Report) {
	t.Helper()
	var back log
	out := sample.Written(t, Write, r)
	if err := json.Unmarshal([]byte(out), &back); err != nil {
		t.Error(err)
		return
	}
	if n := len(back.Runs[0].Results); n != len(r.Findings)+len(r.Exempted)+len(r.Known) {
		t.Errorf("%d results", n)
	}
	validate(t, out)
}

// TestGolden also holds the golden files to the standard.
func TestGolden(t *testing.T) {
	for name, r := range sample.All() {
		out := sample.Written(t, Write, r)
		validate(t, out)
		golden.Check(t, "testdata/"+name+".sarif", out)
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
	checkHostile(t, sample.HostileAudit(a, b))
	if t.Failed() {
		t.Fatalf("with %q and %q", a, b)
	}
}
