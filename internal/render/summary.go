package render

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// summary is the report in one sentence. Nothing found is only said of
// workloads that were judged: no workloads is not the same as sound workloads.
func summary(r *Report) string {
	s, places := r.Summary, words.Count(r.Summary.Files, "file")
	if r.Cluster != nil {
		places = words.Count(len(r.Cluster.Namespaces), "namespace")
		if r.Cluster.Name != "" {
			places += " of " + terminal.Printable(r.Cluster.Name)
		}
	}
	var b strings.Builder
	found := words.Severities(s.Errors, s.Warnings, s.Infos)
	switch {
	case found != "" && s.Workloads == 0:
		fmt.Fprintf(&b, "%s in %s", found, places)
	case found != "":
		fmt.Fprintf(&b, "%s, %s: %s in %s", words.Count(s.Workloads, "workload"), words.Count(s.Containers, "container"),
			found, places)
	case r.Changed != nil && s.Workloads == 0:
		b.WriteString("nothing to judge: the change touches no workload")
	case s.Files == 0 && r.Cluster == nil:
		b.WriteString("nothing to judge: no files")
	case s.Workloads == 0:
		b.WriteString("nothing to judge: no workloads in " + places)
	case s.Containers == 0: // patches, Windows Pods: what was not looked at is not sound
		fmt.Fprintf(&b, "nothing to judge: %s, 0 containers in %s", words.Count(s.Workloads, "workload"), places)
	default:
		fmt.Fprintf(&b, "%s, %s in %s: %s to put right", words.Count(s.Workloads, "workload"),
			words.Count(s.Containers, "container"), places, nothing(r))
	}
	var rest []string
	if r.Changed != nil && elsewhere(r.Changed) != "" {
		rest = append(rest, elsewhere(r.Changed))
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

// nothing is what there is to put right where no finding counts: what a baseline has is there all
// the same.
func nothing(r *Report) string {
	if len(r.Known) > 0 {
		return "nothing new"
	}
	return "nothing"
}
