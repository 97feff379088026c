package render

import (
	"fmt"
	"strings"
)

// A comment shows so many rows of what grows with the cluster.
const (
	markdownNamespaces = 30
	markdownPreviews   = 50
)

// markdownHead is what an audit, a preview and a baseline have to say before the findings.
func markdownHead(r *Report) string {
	var b strings.Builder
	for _, line := range asides(r) {
		fmt.Fprintf(&b, "\n%s.\n", md(upperFirst(line)))
	}
	markdownStale(&b, r)
	markdownScores(&b, r)
	markdownPreview(&b, r)
	return b.String()
}

func markdownStale(b *strings.Builder, r *Report) {
	if len(r.Stale) == 0 {
		return
	}
	b.WriteString("\n<details><summary>No longer in need of the baseline</summary>\n\n")
	for i := range r.Stale[:min(len(r.Stale), markdownPreviews)] {
		s := &r.Stale[i]
		fmt.Fprintf(b, "- %s (%s)\n", md(entry(s)), md(place(s.File, s.Line)))
	}
	if rest := len(r.Stale) - markdownPreviews; rest > 0 {
		fmt.Fprintf(b, "- and %d more\n", rest)
	}
	b.WriteString("\n</details>\n")
}

// markdownScores is the table of namespaces, worst first.
func markdownScores(b *strings.Builder, r *Report) {
	if r.Cluster == nil {
		return
	}
	total, list := sections(r, groups(r))
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
		if rows++; rows > markdownNamespaces {
			continue
		}
		mode := ""
		if s.Namespace != nil {
			mode = s.Namespace.labels()
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %s |\n",
			md(s.Name), s.Score(), s.Workloads, s.Errors, s.Warnings, md(mode))
	}
	if rows > markdownNamespaces {
		fmt.Fprintf(b, "\nand %d more, none with a lower score\n", rows-markdownNamespaces)
	}
}

func markdownPreview(b *strings.Builder, r *Report) {
	if r.Preview == nil {
		return
	}
	fmt.Fprintf(b, "\n%s.\n", md(previewLine(r)))
	if len(r.Preview.Items) == 0 {
		return
	}
	b.WriteString("\n<details><summary>Which</summary>\n\n")
	for i := range r.Preview.Items[:min(len(r.Preview.Items), markdownPreviews)] {
		item := &r.Preview.Items[i]
		fmt.Fprintf(b, "- **%s**: %s\n", md(title(item.Resource)), md(strings.Join(outcome(item), "; ")))
	}
	if rest := len(r.Preview.Items) - markdownPreviews; rest > 0 {
		fmt.Fprintf(b, "- and %d more\n", rest)
	}
	b.WriteString("\n</details>\n")
}
