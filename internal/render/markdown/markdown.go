// Package markdown writes a report for a job summary or a pull request: a change as a comment.
package markdown

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/words"
)

// commentLimit keeps below the 65 536 characters that GitHub takes in a comment.
const commentLimit = 60_000

// Write prints a summary of a run; that of a change is made for a comment of its pull
// request.
func Write(w *bytes.Buffer, r *report.Report) error {
	if r.Changed != nil {
		w.WriteString(pullComment(r))
		return nil
	}
	links := ruleLinks(r)
	fmt.Fprintf(w, "**headroom**: %s\n", md(sentences.Summary(r)))
	head, tail := headOf(r), problems(r)
	w.WriteString(head)
	used := len(head) + len(tail)
	workloads, findings := 0, 0
	for _, g := range report.Listed(r) {
		if len(g.Items) == 0 {
			continue
		}
		text := workload(g, links)
		if used += len(text); used > commentLimit {
			workloads++
			for i := range g.Items {
				findings += len(g.Items[i].Spots)
			}
			continue
		}
		w.WriteString(text)
	}
	if workloads > 0 {
		fmt.Fprintf(w, "\nA comment holds no more: %s in %s are left out here.\n",
			words.Count(findings, "finding"), words.Count(workloads, "object"))
	}
	w.WriteString(tail)
	return nil
}

// ruleLinks are the pages of rules, where the report has them.
func ruleLinks(r *report.Report) map[string]string {
	links := map[string]string{}
	for _, rule := range r.Rules {
		links[rule.ID] = rule.HelpURI
	}
	return links
}

func workload(g *report.Group, links map[string]string) string {
	var b strings.Builder
	at := ""
	if g.File != "" {
		at = " (" + md(sentences.Place(g.File, g.Line)) + ")"
	}
	fmt.Fprintf(&b, "\n### %s%s\n\n", md(sentences.Title(g.Resource)), at)
	if state := sentences.State(g); state != "" {
		fmt.Fprintf(&b, "%s\n\n", md(state))
	}
	for i := range g.Containers {
		c := &g.Containers[i]
		why := ""
		if c.Why() != "" {
			why = " (" + md(c.Why()) + ")"
		}
		if measured := sentences.MeasuredLine(c); measured != "" {
			why += "; " + md(measured)
		}
		fmt.Fprintf(&b, "- **%s**: %s%s\n", md(c.Name), md(c.ClassName()), why)
	}
	if len(g.Containers) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("| | Rule | Where | What | Wanted |\n|---|---|---|---|---|\n")
	for i := range g.Items {
		f := &g.Items[i]
		wanted := md(f.Expected)
		if f.Fixable {
			wanted = strings.TrimSpace(wanted + " <sub>fixable</sub>")
		}
		fmt.Fprintf(&b, "| %s | %s %s | %s | %s | %s |\n",
			md(f.Severity), linked(f.Rule, links), md(f.Slug), md(f.Where()), md(f.Message), wanted)
	}
	figures(&b, g)
	return b.String()
}

// figures folds the arithmetic of a group away, rule by rule.
func figures(b *strings.Builder, g *report.Group) {
	open := false
	for n := range g.Items {
		i := &g.Items[n]
		sum, hasSum := report.SumOf(i.Figures)
		rest := report.OtherFigures(i.Figures)
		if !hasSum && len(rest) == 0 {
			continue
		}
		if !open {
			b.WriteString("\n<details><summary>The figures</summary>\n")
			open = true
		}
		fmt.Fprintf(b, "\n**%s** %s%s\n", md(i.Rule), md(i.Where()), otherFigures(rest))
		if hasSum {
			budget(b, sum)
		}
	}
	if open {
		b.WriteString("\n</details>\n")
	}
}

func otherFigures(figures [][2]string) string {
	text := ""
	for i, row := range figures {
		separator := ", "
		if i == 0 {
			separator = ": "
		}
		text += separator + md(row[0]) + " " + md(row[1])
	}
	return text
}

func budget(b *strings.Builder, sum report.Sum) {
	b.WriteString("\n| | | From |\n|---|--:|---|\n")
	for _, row := range sum.Rows {
		fmt.Fprintf(b, "| %s | %s | %s |\n", md(row.Name), md(row.Amount), md(row.Source))
	}
	for _, row := range sum.Totals {
		fmt.Fprintf(b, "| **%s** | **%s** | %s |\n", md(row.Name), md(row.Amount), md(row.Source))
	}
}

func problems(r *report.Report) string {
	if len(r.Problems) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n### Could not be read\n\n")
	for i, p := range r.Problems {
		if b.Len() > commentLimit/2 {
			fmt.Fprintf(&b, "- and %d more\n", len(r.Problems)-i)
			break
		}
		fmt.Fprintf(&b, "- %s\n", strings.TrimPrefix(md(sentences.Place(p.File, p.Line))+": "+md(p.Message), ": "))
	}
	return b.String()
}
