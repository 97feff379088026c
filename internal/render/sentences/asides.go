package sentences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// Asides are the lines that stand before the summary of a report that prints entries.
func Asides(r *report.Report) []string { return AsidesOf(r, PrintedEntries(report.Entries(r))) }

// AsidesOf are the lines that stand before the summary; printed is what stands above them.
func AsidesOf(r *report.Report, printed Printed) []string {
	return slices.Concat(
		Unclassed(printed), changedLines(r, printed), Baseline(r), ChartLines(r), releaseLines(r), UnjudgedLines(r), NotRead(r.NotRead),
		Untold(untold(r)),
	)
}

// Unclassed says how many warnings a class makes errors; nothing where there are none.
func Unclassed(printed Printed) []string {
	n := printed.Unclassed
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of these warnings %s once an annotation sets the class", n,
		words.Choose(n, "is an error", "are errors"))}
}

// named is how many charts or objects a line names at most.
const named = 3

// unknownRule is what is found on an object that carries containers and is not judged.
const unknownRule = "HR002"

// UnjudgedLines name the objects that carry pod templates or resources and were not judged.
func UnjudgedLines(r *report.Report) []string {
	var objects []string
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Rule == unknownRule && !isRelease(f.Resource.Kind) && !slices.Contains(objects, Title(f.Resource)) {
			objects = append(objects, Title(f.Resource))
		}
	}
	if len(objects) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("not judged: %s, which %s pod templates or resources; kinds in headroom.yaml can say where",
		some(objects), words.Choose(len(objects), "carries", "carry"))}
}

// isRelease tells the kinds that say what to render, whose lines are those of releaseLines.
func isRelease(kind string) bool {
	return kind == "HelmRelease" || kind == "Application" || kind == "ApplicationSet"
}

// releaseLines name the releases that others render.
func releaseLines(r *report.Report) []string {
	var lines []string
	for _, s := range r.Skipped {
		if s.What == report.SkippedRelease && len(lines) < named {
			lines = append(lines, fmt.Sprintf("not judged: %s; %s", Title(s.Resource), terminal.Printable(s.Reason)))
		}
	}
	return lines
}

// some names a few of a list, and says how many more there are.
func some(list []string) string {
	if n := len(list); n > named {
		list = append(slices.Clone(list[:named]), fmt.Sprintf("%d more", n-named))
	}
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}

// ChartLines say which Helm charts were not rendered: their templates are no objects, so
// a folder of charts would else pass as if it were sound.
func ChartLines(r *report.Report) []string {
	var charts, empty, lines []string
	for _, s := range r.Skipped {
		switch s.What {
		case report.SkippedChart:
			charts = append(charts, terminal.Printable(s.File))
		case report.SkippedEmptyChart:
			empty = append(empty, terminal.Printable(s.File))
		}
	}
	switch len(charts) {
	case 0:
	case 1:
		lines = append(lines, fmt.Sprintf("not judged: %s, a Helm chart; --helm-chart %s renders it", charts[0], charts[0]))
	default:
		lines = append(lines, fmt.Sprintf("not judged: %s, Helm charts; --helm-chart renders one", some(charts)))
	}
	if len(empty) > 0 {
		lines = append(lines, fmt.Sprintf("not judged: %s, %s; --helm-chart with --values renders one", some(empty),
			words.Choose(len(empty), "a Helm chart that renders to nothing with the values that the input has",
				"Helm charts that render to nothing with the values that the input has")))
	}
	return lines
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
