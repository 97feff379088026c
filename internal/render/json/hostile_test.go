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
	checkHostile(t, sample.HostileChange(a, b))
	if t.Failed() {
		t.Fatalf("with %q and %q", a, b)
	}
}
