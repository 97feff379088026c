package render

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// commentLimit keeps below the 65 536 characters that GitHub takes in a comment.
const commentLimit = 60_000

// writeMarkdown prints a summary of a run; that of a change is made for a comment of its pull
// request.
func writeMarkdown(w *bytes.Buffer, r *Report) error {
	if r.Changed != nil {
		w.WriteString(pullComment(r))
		return nil
	}
	links := ruleLinks(r)
	fmt.Fprintf(w, "**headroom**: %s\n", md(summary(r)))
	head, tail := markdownHead(r), markdownProblems(r)
	w.WriteString(head)
	used := len(head) + len(tail)
	workloads, findings := 0, 0
	for _, g := range listed(r) {
		if len(g.items) == 0 {
			continue
		}
		text := markdownGroup(g, links)
		if used += len(text); used > commentLimit {
			workloads++
			for i := range g.items {
				findings += len(g.items[i].spots)
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
func ruleLinks(r *Report) map[string]string {
	links := map[string]string{}
	for _, rule := range r.Rules {
		links[rule.ID] = rule.HelpURI
	}
	return links
}

func markdownGroup(g *group, links map[string]string) string {
	var b strings.Builder
	at := ""
	if g.File != "" {
		at = " (" + md(place(g.File, g.Line)) + ")"
	}
	fmt.Fprintf(&b, "\n### %s%s\n\n", md(title(g.Resource)), at)
	if state := state(g); state != "" {
		fmt.Fprintf(&b, "%s\n\n", md(state))
	}
	for i := range g.Containers {
		c := &g.Containers[i]
		why := ""
		if c.why() != "" {
			why = " (" + md(c.why()) + ")"
		}
		if measured := measuredLine(c); measured != "" {
			why += "; " + md(measured)
		}
		fmt.Fprintf(&b, "- **%s**: %s%s\n", md(c.Name), md(c.class()), why)
	}
	if len(g.Containers) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString("| | Rule | Where | What | Wanted |\n|---|---|---|---|---|\n")
	for i := range g.items {
		f := &g.items[i]
		wanted := md(f.Expected)
		if f.Fixable {
			wanted = strings.TrimSpace(wanted + " <sub>fixable</sub>")
		}
		fmt.Fprintf(&b, "| %s | %s %s | %s | %s | %s |\n",
			md(f.Severity), linked(f.Rule, links), md(f.Slug), md(f.where()), md(f.Message), wanted)
	}
	markdownFigures(&b, g)
	return b.String()
}

func linked(rule string, links map[string]string) string {
	if link := links[rule]; link != "" {
		return "[" + md(rule) + "](" + link + ")"
	}
	return md(rule)
}

// markdownFigures folds the arithmetic of a group away, rule by rule.
func markdownFigures(b *strings.Builder, g *group) {
	open := false
	for n := range g.items {
		i := &g.items[n]
		sum, hasSum := budgetOf(i.Figures)
		rest := otherFigures(i.Figures)
		if !hasSum && len(rest) == 0 {
			continue
		}
		if !open {
			b.WriteString("\n<details><summary>The figures</summary>\n")
			open = true
		}
		fmt.Fprintf(b, "\n**%s** %s%s\n", md(i.Rule), md(i.where()), markdownRest(rest))
		if hasSum {
			markdownBudget(b, sum)
		}
	}
	if open {
		b.WriteString("\n</details>\n")
	}
}

func markdownRest(figures [][2]string) string {
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

func markdownBudget(b *strings.Builder, sum budget) {
	b.WriteString("\n| | | From |\n|---|--:|---|\n")
	for _, row := range sum.rows {
		fmt.Fprintf(b, "| %s | %s | %s |\n", md(row.name), md(row.amount), md(row.source))
	}
	for _, row := range sum.totals {
		fmt.Fprintf(b, "| **%s** | **%s** | %s |\n", md(row.name), md(row.amount), md(row.source))
	}
}

func markdownProblems(r *Report) string {
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
		fmt.Fprintf(&b, "- %s\n", strings.TrimPrefix(md(place(p.File, p.Line))+": "+md(p.Message), ": "))
	}
	return b.String()
}

// md makes text mean itself in Markdown: no markup, no HTML, no column of a
// table, and no mention of a person who happens to have an annotation's name.
// Signs become entities where a backslash would not do in a table.
func md(s string) string {
	runes := []rune(terminal.Printable(s))
	var b strings.Builder
	for i, r := range runes {
		switch r {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '|':
			b.WriteString("&#124;")
		case '\\':
			b.WriteString("&#92;")
		case '@':
			b.WriteString("@<!-- -->")
		case '*', '`', '~', '[', ']', '#', '$':
			b.WriteString("\\" + string(r))
		case '_': // within a word it is no markup, and reads better bare
			if i == 0 || i+1 == len(runes) || !wordRune(runes[i-1]) || !wordRune(runes[i+1]) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
