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
		if got := did(c, &report.Report{Changed: c, Findings: make([]engine.Finding, n)}); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
