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

var hostile = []func(a, b string) *report.Report{sample.HostileReport, sample.HostileAudit}

func TestHostile(t *testing.T) { sample.CheckHostile(t, checkHostile, hostile...) }

func FuzzHostile(f *testing.F) { sample.FuzzHostile(f, checkHostile, hostile...) }
