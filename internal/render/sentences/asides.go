package sentences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// Asides are the lines that stand before the summary.
func Asides(r *report.Report) []string {
	return slices.Concat(changedLines(r), Baseline(r), ChartLines(r))
}

// namedCharts is how many of them are named at most.
const namedCharts = 3

// ChartLines say which Helm charts nobody has looked into: their templates are no objects, so
// a folder of charts would else pass as if it were sound.
func ChartLines(r *report.Report) []string {
	var charts []string
	for _, s := range r.Skipped {
		if s.What == report.SkippedChart {
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

// Baseline lines say what a baseline keeps from the reader.
func Baseline(r *report.Report) []string {
	var list []string
	if n := len(r.Known); n > 0 {
		list = append(list, words.Count(n, "known finding")+" of the baseline "+words.Choose(n, "is", "are")+" not shown")
	}
	if n := len(r.Stale); n > 0 {
		list = append(list, words.Plural(n, "entry", "entries")+" of the baseline no longer "+words.Choose(n, "applies", "apply"))
	}
	return list
}
