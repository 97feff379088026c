package markdown

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/words"
)

// workload is what a comment says of one object: what is new openly, with the arithmetic and
// the fix, and the rest folded away. In short it has no fixes and no arithmetic.
func (c *commenting) workload(g *report.Group, whole bool) string {
	var b strings.Builder
	at := ""
	if g.File != "" {
		at = " <sub>" + md(clip(sentences.Place(g.File, g.Line), nameLimit)) + "</sub>"
	}
	fmt.Fprintf(&b, "\n#### %s%s\n", md(clip(sentences.Title(g.Resource), nameLimit)), at)
	fresh := 0
	for fresh < len(g.Items) && g.Items[fresh].Mark.New {
		c.finding(&b, &g.Items[fresh], whole)
		fresh++
	}
	if whole {
		c.suggestions(&b, g)
	}
	if fresh == len(g.Items) {
		return b.String()
	}
	rest := g.Items[fresh:]
	n := 0
	for i := range rest {
		n += len(rest[i].Spots)
	}
	fmt.Fprintf(&b, "\n<details><summary>%s that %s there before</summary>\n\n",
		words.Count(n, "finding"), words.Choose(n, "was", "were"))
	b.WriteString("| | Rule | Where | What | Wanted |\n|---|---|---|---|---|\n")
	for i := range rest {
		f := &rest[i]
		where := md(clip(f.Where(), nameLimit))
		if f.Mark.OnLine {
			where += " <sub>on a changed line</sub>"
		}
		fmt.Fprintf(&b, "| %s | %s %s | %s | %s | %s |\n", md(f.Severity), linked(f.Rule, c.links), md(f.Slug), where,
			md(clip(f.Message, wordsLimit)), md(clip(f.Expected, wordsLimit)))
	}
	b.WriteString("\n</details>\n")
	return b.String()
}

// finding is a new finding, in full.
func (c *commenting) finding(b *strings.Builder, f *report.Item, whole bool) {
	fmt.Fprintf(b, "\n**%s %s** %s", md(f.Severity), linked(f.Rule, c.links), md(f.Slug))
	if where := f.Where(); where != "" {
		b.WriteString(", " + md(clip(where, nameLimit)))
	}
	b.WriteString("\n\n" + md(clip(f.Message, wordsLimit)) + "\n")
	if sum, ok := report.SumOf(f.Figures); ok && whole {
		budget(b, sum)
	}
	if f.Expected != "" {
		b.WriteString("\nWanted: " + md(clip(f.Expected, wordsLimit)) + "\n")
	}
}

// suggestions are the fixes of a workload, as GitHub's review comments take them.
func (c *commenting) suggestions(b *strings.Builder, g *report.Group) {
	for i := range c.report.Changed.Suggestions {
		s := &c.report.Changed.Suggestions[i]
		if s.File != g.File || s.Resource != g.Resource {
			continue
		}
		lines, become := fmt.Sprintf("line %d", s.First), "becomes"
		if s.Last > s.First {
			lines, become = fmt.Sprintf("lines %d to %d", s.First, s.Last), "become"
		}
		if s.Text == "" {
			become = words.Choose(s.Last-s.First+1, "goes", "go")
		}
		file := md(clip(s.File, nameLimit))
		if !showable(s.Text) {
			fmt.Fprintf(b, "\nFix: %s of %s hold signs that cannot be shown here; run headroom fix.\n", lines, file)
			continue
		}
		fmt.Fprintf(b, "\nFix: %s of %s %s\n", lines, file, become)
		fenced(b, "suggestion", s.Text)
	}
}

// snippets are what puts charts and kustomizations right, as many as there is room for.
func (c *commenting) snippets(room int) string {
	var b strings.Builder
	left := 0
	for i := range c.report.Changed.Snippets {
		s := &c.report.Changed.Snippets[i]
		var one strings.Builder
		fmt.Fprintf(&one, "\n<details><summary>Fix for %s</summary>\n\n%s\n",
			md(clip(s.Origin, nameLimit)), md(clip(s.Where, wordsLimit)))
		fenced(&one, "yaml", s.Text)
		if s.Note != "" {
			one.WriteString("\n" + md(clip(s.Note, wordsLimit)) + "\n")
		}
		one.WriteString("\n</details>\n")
		if !showable(s.Text) || b.Len()+one.Len() > room {
			left++
			continue
		}
		b.WriteString(one.String())
	}
	if left > 0 {
		fmt.Fprintf(&b, "\nheadroom fix prints %s more for charts and kustomizations.\n", words.Count(left, "snippet"))
	}
	return b.String()
}

// noted are notes, as many as there is room for.
func noted(notes []string) string {
	var b strings.Builder
	for i, note := range notes {
		line := "\n\n" + words.UpperFirst(md(clip(note, wordsLimit))) + "."
		if b.Len()+len(line) > notesLimit {
			fmt.Fprintf(&b, "\n\nAnd %d more %s.", len(notes)-i, words.Choose(len(notes)-i, "note", "notes"))
			break
		}
		b.WriteString(line)
	}
	return b.String()
}
