package sentences

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// TestNoneNew: findings that fail a run although none of them is new are told of.
func TestNoneNew(t *testing.T) {
	for n, want := range map[int]string{
		0: "no finding is new, 1 error is fixed",
		1: "the finding is not new: it stood there before, in what the change touches; 1 error is fixed",
		2: "none of the 2 findings is new: they stood there before, in what the change touches; 1 error is fixed",
	} {
		c := &report.Changed{Workloads: []report.ChangedWorkload{{Fixed: []engine.Finding{{Severity: engine.SeverityError}}}}}
		if got := did(c, &report.Report{Changed: c, Findings: make([]engine.Finding, n)}, Printed{}); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// What is printed once for many is new once, as the last line counts it.
func TestNewIsCountedAsPrinted(t *testing.T) {
	c := &report.Changed{}
	printed := Printed{Fresh: report.Counts{Errors: 2, Warnings: 5}}
	if got := did(c, &report.Report{Changed: c, Findings: make([]engine.Finding, 20)}, printed); got != "2 errors, 5 warnings are new" {
		t.Error(got)
	}
}
