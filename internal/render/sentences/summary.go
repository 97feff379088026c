// Package sentences has what several formats say of a report in words: the summary, what a change, a
// baseline and a preview did, and the names of objects and places. It escapes what a terminal would
// obey; a format escapes what its own syntax needs.
package sentences

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Summary is the report in one sentence, with the number of entries. Nothing found is only said of
// workloads that were judged: no workloads is not the same as sound workloads.
func Summary(r *report.Report) string { return SummaryOf(r, PrintedEntries(report.Entries(r))) }

// SummaryOf is the report in one sentence; shown is what was printed of it.
func SummaryOf(r *report.Report, shown Printed) string {
	workloads := r.Summary.Workloads + refused(r)
	s, places := r.Summary, words.Count(r.Summary.Files, "file")
	if r.Cluster != nil {
		places = words.Count(len(r.Cluster.Namespaces), "namespace")
		if r.Cluster.Name != "" {
			places += " of " + terminal.Printable(r.Cluster.Name)
		}
	}
	var b strings.Builder
	found, judged := words.Severities(shown.Errors, shown.Warnings, shown.Infos),
		words.Count(workloads, "workload")+", "+words.Count(s.Containers, "container")
	hidden := Hidden(r)
	switch {
	case found != "" && workloads == 0:
		fmt.Fprintf(&b, "%s in %s", found, places)
	case found != "":
		fmt.Fprintf(&b, "%s in %s: %s", judged, places, found)
	case r.Changed != nil && s.Workloads == 0 && hidden == "":
		b.WriteString("nothing to judge: the change touches no workload")
	case s.Files == 0 && r.Cluster == nil:
		b.WriteString("nothing to judge: no files")
	case s.Workloads == 0 && hidden == "":
		b.WriteString("nothing to judge: no workloads in " + places)
	case s.Workloads == 0:
		b.WriteString("no findings in " + places)
	case s.Containers == 0: // patches, Windows Pods: what was not looked at is not sound
		fmt.Fprintf(&b, "no container to judge in %s in %s", words.Count(workloads, "workload"), places)
	default:
		fmt.Fprintf(&b, "%s in %s in %s", None(r), judged, places)
	}
	if hidden != "" {
		b.WriteString(" (" + hidden + ")")
	}
	var rest []string
	if r.Changed != nil && Elsewhere(r.Changed) != "" {
		rest = append(rest, Elsewhere(r.Changed))
	}
	if s.Exempted > 0 {
		rest = append(rest, fmt.Sprintf("%d exempted", s.Exempted))
	}
	if s.Skipped > 0 {
		rest = append(rest, fmt.Sprintf("%d skipped", s.Skipped))
	}
	switch {
	case s.NotKubernetes == 1:
		rest = append(rest, "1 document is not Kubernetes")
	case s.NotKubernetes > 1:
		rest = append(rest, fmt.Sprintf("%d documents are not Kubernetes", s.NotKubernetes))
	}
	if s.Problems > 0 {
		rest = append(rest, fmt.Sprintf("%d could not be read", s.Problems))
	}
	if len(rest) > 0 {
		b.WriteString("; " + strings.Join(rest, ", "))
	}
	return b.String()
}

// refused counts the workloads that no container could be read from: they are not among those that were judged.
func refused(r *report.Report) int {
	judged, more := map[report.GroupKey]bool{}, map[report.GroupKey]bool{}
	for i := range r.Workloads {
		judged[report.GroupKey{File: r.Workloads[i].File, Resource: r.Workloads[i].Resource}] = true
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if key := (report.GroupKey{File: f.File, Resource: f.Resource}); f.Rule == templateInvalid && !judged[key] {
			more[key] = true
		}
	}
	return len(more)
}

// templateInvalid is the rule on pod templates that the API server refuses.
const templateInvalid = "HR003"

// None says that nothing was found; what a baseline has is there all the same.
func None(r *report.Report) string {
	if len(r.Known) > 0 {
		return "no new findings"
	}
	return "no findings"
}

// Hidden counts what is not shown and says how to see it: "41 infos: --show info".
func Hidden(r *report.Report) string {
	n := r.Hidden()
	least := engine.SeverityWarning
	if n.Infos > 0 {
		least = engine.SeverityInfo
	}
	if n.Total() == 0 {
		return ""
	}
	return words.Severities(n.Errors, n.Warnings, n.Infos) + ": --show " + least
}
