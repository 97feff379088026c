package json

import (
	"encoding/json"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

func checkHostile(t *testing.T, r *report.Report) {
	t.Helper()
	var back struct {
		Findings []engine.Finding
		Exempted []engine.Finding
		Problems []report.Problem
		Skipped  []report.Skip
	}
	if err := json.Unmarshal([]byte(sample.Written(t, Write, r)), &back); err != nil {
		t.Error(err)
		return
	}
	if len(back.Findings) != 2 || len(back.Exempted) != 1 || len(back.Problems) != 1 || len(back.Skipped) != 1 {
		t.Errorf("lost some of %+v", back)
		return
	}
	if back.Findings[0].Message != readBack(r.Findings[0].Message) {
		t.Errorf("message became %q", back.Findings[0].Message)
	}
}

// readBack is what JSON makes of bytes that are not UTF-8: one mark for each.
func readBack(s string) string { return string([]rune(s)) }

func TestGolden(t *testing.T) {
	for name, r := range sample.All() {
		golden.Check(t, "testdata/"+name+".json", sample.Written(t, Write, r))
	}
}

var hostile = []func(a, b string) *report.Report{sample.HostileReport, sample.HostileAudit, sample.HostileChange}

func TestHostile(t *testing.T) { sample.CheckHostile(t, checkHostile, hostile...) }

func FuzzHostile(f *testing.F) { sample.FuzzHostile(f, checkHostile, hostile...) }
