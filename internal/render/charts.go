package render

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
)

// SkippedChart is the What of a Helm chart that stood in a folder and was not rendered.
const SkippedChart = "chart"

// namedCharts is how many of them are named at most.
const namedCharts = 3

// chartLines say which Helm charts nobody has looked into: their templates are no objects, so
// a folder of charts would else pass as if it were sound.
func chartLines(r *Report) []string {
	var charts []string
	for _, s := range r.Skipped {
		if s.What == SkippedChart {
			charts = append(charts, terminal.Printable(s.File))
		}
	}
	switch n := len(charts); {
	case n == 0:
		return nil
	case n == 1:
		return []string{fmt.Sprintf("not judged: %s, a Helm chart; --helm-chart %s renders it", charts[0], charts[0])}
	case n > namedCharts:
		charts = append(charts[:namedCharts], fmt.Sprintf("%d more", n-namedCharts))
		fallthrough
	default:
		last := len(charts) - 1
		return []string{fmt.Sprintf("not judged: %s and %s, Helm charts; --helm-chart renders one",
			strings.Join(charts[:last], ", "), charts[last])}
	}
}
