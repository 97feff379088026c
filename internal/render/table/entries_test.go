package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// many are findings of one file, each a cause of its own.
func many(n int) *report.Report {
	r := &report.Report{Summary: report.Summary{Files: 1, Workloads: n, Containers: n}}
	for i := range n {
		r.Findings = append(r.Findings, engine.Finding{
			Rule: "HR303", Slug: "jvm-headroom", Severity: "warning", Harm: "OOMKilled", Group: "HR303", File: "deploy/a.yaml", Line: i + 1,
			Container: "app", Resource: engine.Resource{Kind: "Deployment", Name: fmt.Sprintf("d%d", i)},
			Message: fmt.Sprintf("Message %d.%s", i, strings.Repeat(" More words", 20)), Expected: fmt.Sprintf("advice %d", i),
			Figures: map[string]any{"figure": i},
		})
	}
	r.Count()
	return r
}

// TestOneScreen: what is found in a file takes a screen; what is worst is said in full, and nothing
// is left out.
func TestOneScreen(t *testing.T) {
	for _, n := range []int{1, 3, 5, 9, 15} {
		out := written(t, many(n), Options{Width: 100})
		if got := strings.Count(out, "\n"); got > linesPerPlace {
			t.Errorf("%d findings take %d lines:\n%s", n, got, out)
		}
		if got := strings.Count(out, "HR303"); got != n {
			t.Errorf("%d of %d findings are told of:\n%s", got, n, out)
		}
		if n <= 15 && !strings.Contains(out, "wanted: advice 0") {
			t.Errorf("the worst of %d findings has no advice:\n%s", n, out)
		}
		if short := strings.Contains(out, "Shortened"); short != (n > 3) {
			t.Errorf("%d findings, shortened: %t\n%s", n, short, out)
		}
	}
}

// TestAllIsTold: a user who asks for infos, figures or every workload gets all of them.
func TestAllIsTold(t *testing.T) {
	for name, o := range map[string]Options{"verbose": {Verbose: true}, "explain": {Explain: true}, "infos": {}} {
		r := many(15)
		if name == "infos" {
			r.Show = engine.SeverityInfo
		}
		out := written(t, r, o)
		if got := strings.Count(out, "wanted: advice"); got != 15 || strings.Contains(out, "Shortened") {
			t.Errorf("%s: advice on %d of 15 findings:\n%s", name, got, out)
		}
		if got := strings.Contains(out, "figure: 3"); got != o.Explain {
			t.Errorf("%s: figures are shown: %t", name, got)
		}
	}
}
