package markdown

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/words"
)

// A comment shows so many rows of what grows with the cluster.
const (
	maxNamespaces = 30
	maxPreviews   = 50
)

// headOf is what an audit, a preview and a baseline have to say before the findings.
func headOf(r *report.Report) string {
	var b strings.Builder
	for _, line := range sentences.Asides(r) {
		fmt.Fprintf(&b, "\n%s.\n", md(words.UpperFirst(line)))
	}
	stale(&b, r)
	scores(&b, r)
	preview(&b, r)
	return b.String()
}

func stale(b *strings.Builder, r *report.Report) {
	if len(r.Stale) == 0 {
		return
	}
	b.WriteString("\n<details><summary>No longer in need of the baseline</summary>\n\n")
	for i := range r.Stale[:min(len(r.Stale), maxPreviews)] {
		s := &r.Stale[i]
		fmt.Fprintf(b, "- %s (%s)\n", md(sentences.StaleEntry(s)), md(sentences.Place(s.File, s.Line)))
	}
	if rest := len(r.Stale) - maxPreviews; rest > 0 {
		fmt.Fprintf(b, "- and %d more\n", rest)
	}
	b.WriteString("\n</details>\n")
}

// scores is the table of namespaces, worst first.
func scores(b *strings.Builder, r *report.Report) {
	if r.Cluster == nil {
		return
	}
	total, list := report.Sections(r, report.Groups(r))
	if total.Containers == 0 {
		return
	}
	if r.Cluster.Measured != "" {
		fmt.Fprintf(b, "\nMeasured by %s.\n", md(r.Cluster.Measured))
	}
	fmt.Fprintf(b, "\nScore: **%d** of 100, the share of containers without error; one with a warning is a half.\n",
		total.Score())
	b.WriteString("\n| Namespace | Score | Workloads | Errors | Warnings | Mode |\n|---|--:|--:|--:|--:|---|\n")
	rows := 0
	for _, s := range list {
		if s.Containers == 0 {
			continue
		}
		if rows++; rows > maxNamespaces {
			continue
		}
		mode := ""
		if s.Namespace != nil {
			mode = s.Namespace.Labels()
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %s |\n",
			md(s.Name), s.Score(), s.Workloads, s.Errors, s.Warnings, md(mode))
	}
	if rows > maxNamespaces {
		fmt.Fprintf(b, "\nand %d more, none with a lower score\n", rows-maxNamespaces)
	}
}

func preview(b *strings.Builder, r *report.Report) {
	if r.Preview == nil {
		return
	}
	fmt.Fprintf(b, "\n%s.\n", md(sentences.Preview(r)))
	if len(r.Preview.Items) == 0 {
		return
	}
	b.WriteString("\n<details><summary>Which</summary>\n\n")
	for i := range r.Preview.Items[:min(len(r.Preview.Items), maxPreviews)] {
		item := &r.Preview.Items[i]
		fmt.Fprintf(b, "- **%s**: %s\n", md(sentences.Title(item.Resource)), md(strings.Join(sentences.Outcome(item), "; ")))
	}
	if rest := len(r.Preview.Items) - maxPreviews; rest > 0 {
		fmt.Fprintf(b, "- and %d more\n", rest)
	}
	b.WriteString("\n</details>\n")
}
