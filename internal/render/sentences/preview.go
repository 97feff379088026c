package sentences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// Preview says in one sentence what a mode would do.
func Preview(r *report.Report) string {
	total := report.Section{}
	for i := range r.Preview.Items {
		total.Preview(&r.Preview.Items[i])
	}
	var parts []string
	for _, p := range []struct {
		n    int
		what string
		also int
		too  string
	}{
		{total.Refused, "refused", total.RefusedChanged, "changed"},
		{total.Changed, "changed", total.ChangedWarned, "warned about"},
		{total.Warned, "only warned about", 0, ""},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%s would be %s%s", words.Count(p.n, "workload"), p.what, too(p.also, p.n, p.too)))
		}
	}
	switch {
	case len(parts) > 0:
	case r.Summary.Workloads == 0 && r.Summary.Problems > 0:
		parts = []string{"headroom cannot tell what would be refused: it read no workload"}
	default:
		parts = []string{"no workload would be refused or changed"}
	}
	if n := off(r); n > 0 {
		parts = append(parts, words.Count(n, "namespace")+" would stay off by label")
	}
	return fmt.Sprintf("If %s were switched on now, %s", terminal.Printable(r.Preview.Mode), strings.Join(parts, ", "))
}

// off counts the namespaces that a label keeps out of a preview.
func off(r *report.Report) (n int) {
	if r.Cluster == nil {
		return 0
	}
	for i := range r.Cluster.Namespaces {
		if r.Cluster.Namespaces[i].Mode == "off" {
			n++
		}
	}
	return n
}

// too says of how many of some workloads something else holds as well.
func too(n, all int, what string) string {
	switch {
	case n == 0:
		return ""
	case n < all:
		return fmt.Sprintf(" (%d of them %s, too)", n, what)
	case n == 1:
		return " (and " + what + ", too)"
	}
	return " (all of them " + what + ", too)"
}

// Outcome is what would happen to one workload, in words: "refused for HR303 jvm-headroom", "changed by HR202".
func Outcome(p *report.PreviewItem) []string {
	var list []string
	add := func(verb string, rules []string) {
		if len(rules) == 0 {
			return
		}
		slices.Sort(rules)
		list = append(list, verb+" "+strings.Join(slices.Compact(rules), ", "))
	}
	var refused, changed, warned []string
	for i := range p.Refused {
		refused = append(refused, terminal.Printable(strings.TrimSpace(p.Refused[i].Rule+" "+p.Refused[i].Slug)))
	}
	for i := range p.Changed {
		changed = append(changed, terminal.Printable(p.Changed[i].Rule))
	}
	for i := range p.Warned {
		warned = append(warned, terminal.Printable(p.Warned[i].Rule))
	}
	add("refused for", refused)
	add("changed by", changed)
	add("warned about", warned)
	return list
}
