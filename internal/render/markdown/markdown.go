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
	links, entries := ruleLinks(r), report.Entries(r)
	if answer := sentences.Answer(entries); answer != "" {
		fmt.Fprintf(w, "**headroom**: %s.\n\n", md(answer))
		w.WriteString(md(words.UpperFirst(sentences.Summary(r))) + ".\n")
	} else {
		fmt.Fprintf(w, "**headroom**: %s.\n", md(sentences.Summary(r)))
	}
	head, tail := headOf(r), problems(r)
	w.WriteString(head)
	if len(entries) > 0 {
		w.WriteString("\n" + entryColumns)
	}
	used, shown := len(head)+len(tail)+w.Len(), 0
	for ; shown < len(entries); shown++ {
		row := entryRow(entries[shown], links)
		if used += len(row); used > commentLimit {
			break
		}
		w.WriteString(row)
	}
	if left := len(entries) - shown; left > 0 {
		fmt.Fprintf(w, "\nA comment holds no more: %s left out here.\n", words.Plural(left, "finding is", "findings are"))
	}
	figures(w, entries[:shown], commentLimit-used)
	w.WriteString(tail)
	return nil
}

const entryColumns = "| | Rule | Where | What | Wanted |\n|---|---|---|---|---|\n"

// entryRow is an entry as a row of a table.
func entryRow(e *report.Entry, links map[string]string) string {
	rule := linked(e.Rule, links) + " " + md(e.Slug)
	if len(e.With) > 0 {
		rule += "<br><sub>with " + md(strings.Join(e.With, ", ")) + "</sub>"
	}
	where := md(clip(sentences.Where(e, ", "), nameLimit))
	if e.Mark.OnLine {
		where += " <sub>on a changed line</sub>"
	}
	if also := also(e); also != "" {
		where += "<br><sub>also " + md(also) + "</sub>"
	}
	wanted := md(clip(sentences.Wanted(e), wordsLimit))
	if e.Fixable {
		wanted = strings.TrimSpace(wanted + " <sub>auto-fixable</sub>")
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", md(e.Severity), rule, where, md(clip(sentences.Message(e), wordsLimit)), wanted)
}

// ruleLinks are the pages of rules, where the report has them.
func ruleLinks(r *report.Report) map[string]string {
	links := map[string]string{}
	for _, rule := range r.Rules {
		links[rule.ID] = rule.HelpURI
	}
	return links
}

// figures folds the arithmetic of entries away, as much as there is room for.
func figures(w *bytes.Buffer, entries []*report.Entry, room int) {
	const end = "\n</details>\n"
	var b strings.Builder
	for _, e := range entries {
		sum, hasSum := report.SumOf(e.Figures)
		rest := report.OtherFigures(e.Figures)
		if !hasSum && len(rest) == 0 {
			continue
		}
		var one strings.Builder
		if b.Len() == 0 {
			one.WriteString("\n<details><summary>The figures</summary>\n")
		}
		fmt.Fprintf(&one, "\n**%s** %s%s\n", md(e.Rule), md(clip(sentences.Where(e, ", "), nameLimit)), otherFigures(rest))
		if hasSum {
			budget(&one, sum)
		}
		if b.Len()+one.Len()+len(end) > room {
			break
		}
		b.WriteString(one.String())
	}
	if b.Len() > 0 {
		w.WriteString(b.String() + end)
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
