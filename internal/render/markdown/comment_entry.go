package markdown

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/words"
)

// fresh are the entries that are new, with the arithmetic while there is room.
func (c *commenting) fresh(b *strings.Builder, list []*report.Entry, room int) {
	for i, e := range list {
		text := c.entry(e, true)
		if b.Len()+len(text) > room {
			text = c.entry(e, false)
		}
		if b.Len()+len(text) > room {
			fmt.Fprintf(b, "\nA comment holds no more: and %s more that %s new.\n",
				words.Count(len(list)-i, "finding"), words.Choose(len(list)-i, "is", "are"))
			return
		}
		b.WriteString(text)
	}
}

// entry is a new finding and all containers that it holds for; whole is with the arithmetic.
func (c *commenting) entry(e *report.Entry, whole bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n#### %s %s %s, %s\n", md(e.Severity), linked(e.Rule, c.links), md(e.Slug),
		md(clip(sentences.Where(e, ", "), nameLimit)))
	if len(e.With) > 0 {
		b.WriteString("\nWith it go " + md(strings.Join(e.With, ", ")) + ".\n")
	}
	b.WriteString("\n" + md(clip(sentences.Message(e), wordsLimit)) + "\n")
	if sum, ok := report.SumOf(e.Figures); ok && whole {
		budget(&b, sum)
	}
	if wanted := sentences.Wanted(e); wanted != "" {
		b.WriteString("\nWanted: " + md(clip(wanted, wordsLimit)) + "\n")
	}
	if also := also(e); also != "" {
		b.WriteString("\nAlso: " + md(also) + "\n")
	}
	return b.String()
}

// also lists further containers, as many as there is room for.
func also(e *report.Entry) string {
	return sentences.Also(e, "", func(text string) bool { return len(text) <= alsoLimit })
}

// old are the entries that were there before, folded away.
func (c *commenting) old(b *strings.Builder, list []*report.Entry, room int) {
	if len(list) == 0 {
		return
	}
	head := fmt.Sprintf("\n<details><summary>%s that %s there before</summary>\n\n%s",
		words.Count(len(list), "finding"), words.Choose(len(list), "was", "were"), entryColumns)
	const end = "\n</details>\n"
	if b.Len()+len(head)+len(end) > room {
		fmt.Fprintf(b, "\nA comment holds no more: and %s that %s there before.\n",
			words.Count(len(list), "finding"), words.Choose(len(list), "was", "were"))
		return
	}
	b.WriteString(head)
	for i, e := range list {
		row := entryRow(e, c.links)
		if b.Len()+len(row)+len(end) > room {
			fmt.Fprintf(b, "\nA comment holds no more: and %d more.\n", len(list)-i)
			break
		}
		b.WriteString(row)
	}
	b.WriteString(end)
}

// suggestions are the fixes, as GitHub's review comments take them, while there is room.
func (c *commenting) suggestions(b *strings.Builder, room int) {
	all := c.report.Changed.Suggestions
	for i := range all {
		text := suggestion(&all[i])
		if b.Len()+len(text) > room {
			fmt.Fprintf(b, "\nA comment holds no more: and %s more; headroom fix makes them.\n",
				words.Plural(len(all)-i, "fix", "fixes"))
			return
		}
		b.WriteString(text)
	}
}

func suggestion(s *report.Suggestion) string {
	var b strings.Builder
	lines, become := fmt.Sprintf("line %d", s.First), "becomes"
	if s.Last > s.First {
		lines, become = fmt.Sprintf("lines %d to %d", s.First, s.Last), "become"
	}
	if s.Text == "" {
		become = words.Choose(s.Last-s.First+1, "goes", "go")
	}
	file := md(clip(s.File, nameLimit))
	fmt.Fprintf(&b, "\n#### Fix of %s, %s\n\n%s of %s ", md(strings.Join(s.Rules, ", ")),
		md(clip(sentences.Title(s.Resource), nameLimit)), words.UpperFirst(lines), file)
	if !showable(s.Text) {
		b.WriteString(words.Choose(s.Last-s.First+1, "holds", "hold") + " signs that cannot be shown here; run headroom fix.\n")
		return b.String()
	}
	b.WriteString(become + "\n")
	fenced(&b, "suggestion", s.Text)
	return b.String()
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
