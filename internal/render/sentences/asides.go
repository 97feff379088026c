package sentences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
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

// Untold says once what would help where JVMs were measured from outside and tell nothing of themselves.
func Untold(containers int) []string {
	if containers == 0 {
		return nil
	}
	return []string{"no metrics of the JVM from " + words.Count(containers, "container") + ": what is live in the heap, metaspace, " +
		"threads and direct memory stay assumed; Micrometer, OpenTelemetry's Java agent or jmx_exporter would tell them"}
}

// TellsNothing says that Prometheus measured a container, and has nothing that the program in it tells.
func TellsNothing(m *engine.Measured) bool {
	return m != nil && strings.HasPrefix(m.Source, "Prometheus") && !m.Runtime.Known()
}

func untold(r *report.Report) int {
	n := 0
	for i := range r.Workloads {
		for j := range r.Workloads[i].Containers {
			c := &r.Workloads[i].Containers[j]
			if c.Detail != nil && c.Detail.Budget != nil && TellsNothing(c.Measured) {
				n++
			}
		}
	}
	return n
}

// maxUnread is how many names of what is not read a line has.
const maxUnread = 3

// NotRead says what of the folders that were named is not read, a line for each reason.
func NotRead(found []report.Unread) []string {
	var reasons []string
	names := map[string][]string{}
	for _, u := range found {
		if !slices.Contains(reasons, u.Reason) {
			reasons = append(reasons, u.Reason)
		}
		names[u.Reason] = append(names[u.Reason], terminal.Printable(u.File))
	}
	slices.Sort(reasons)
	var lines []string
	for _, reason := range reasons {
		all := names[reason]
		list := strings.Join(all[:min(len(all), maxUnread)], ", ")
		if len(all) > maxUnread {
			list += ", …"
		}
		line := fmt.Sprintf("not read: %d %s (%s)", len(all), plural(reason, len(all)), list)
		if reason == report.DotFolder {
			line += "; --hidden reads " + map[bool]string{true: "it", false: "them"}[len(all) == 1]
		}
		lines = append(lines, line)
	}
	return lines
}

// plural is of the first noun of a reason.
func plural(reason string, n int) string {
	if n == 1 {
		return reason
	}
	if reason == report.DotFolder {
		return reason + "s"
	}
	noun, rest, _ := strings.Cut(reason, " ")
	several := strings.NewReplacer("that leads", "that lead", "name does", "names do", "device", "devices")
	return several.Replace(noun + "s " + rest)
}

// Printed counts what a report prints, so that its last lines speak of nothing else.
type Printed struct {
	report.Counts
	Fresh     report.Counts // those that are new of a change
	Fixable   int
	Unclassed int // warnings that are errors once a class is set
}

// Add counts a finding that is printed, alone or for others that are like it.
func (p *Printed) Add(f *engine.Finding, fresh bool) {
	p.Counts.Add(f.Severity, 1)
	if fresh {
		p.Fresh.Add(f.Severity, 1)
	}
	if f.Fixable {
		p.Fixable++
	}
	if f.Unclassed && f.Severity == engine.SeverityWarning {
		p.Unclassed++
	}
}

// PrintedEntries counts what a report prints that prints each entry once.
func PrintedEntries(entries []*report.Entry) (p Printed) {
	for _, e := range entries {
		p.Add(&e.Finding, e.Mark.New)
	}
	return p
}
