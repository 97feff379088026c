package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/words"
)

// commentMarker is how a program finds its own comment again, to write over it. No reader sees
// it.
const commentMarker = "<!-- headroom -->"

// Parts of a comment, in bytes: the table of all workloads, what could not be read, notes, and what
// one name or message may take.
const (
	overviewLimit = commentLimit / 3
	unreadLimit   = commentLimit / 6
	snippetLimit  = commentLimit / 6
	notesLimit    = commentLimit / 6
	nameLimit     = 160
	alsoLimit     = 400
	wordsLimit    = 2000
)

// pullComment is the report of a change, for a comment on its pull request: the verdict, what became
// of each workload, what is new, with the arithmetic, and the fixes. It is shortened from the end.
func pullComment(r *report.Report) string {
	c := commenting{report: r, links: ruleLinks(r), entries: report.Entries(r)}
	head := commentMarker + "\n**headroom: " + c.verdict() + "**\n\n" + c.against() + "\n"
	head += c.overview(overviewLimit)
	tail := c.snippets(snippetLimit) + c.unread()
	room := commentLimit - len(head) - len(tail) - 400 // for what is left out
	fresh := 0
	for fresh < len(c.entries) && c.entries[fresh].Mark.New {
		fresh++
	}
	var b strings.Builder
	c.fresh(&b, c.entries[:fresh], room)
	c.suggestions(&b, room)
	c.old(&b, c.entries[fresh:], room)
	return head + b.String() + tail
}

// commenting writes a comment.
type commenting struct {
	report  *report.Report
	links   map[string]string
	entries []*report.Entry
}

// verdict is the one line that everybody reads. It counts what is shown.
func (c *commenting) verdict() string {
	r, s := c.report, c.report.Summary
	shown := sentences.PrintedEntries(c.entries)
	found := words.Severities(shown.Errors, shown.Warnings, shown.Infos)
	var text string
	switch {
	case found == "" && s.Workloads == 0 && len(r.Problems) == 0:
		text = "this change touches no workload"
	case found == "" && s.Workloads == 0:
		text = "what this change touches could not be read"
	case found == "":
		text = sentences.None(r) + " in the " + words.Count(s.Workloads, "workload") + " that this change touches"
		if s.Workloads == 1 {
			text = sentences.None(r) + " in the workload that this change touches"
		}
	default:
		text = found + " in what this change touches"
		var fresh report.Counts
		for _, e := range c.entries {
			if e.Mark.New {
				fresh.Add(e.Severity, 1)
			}
		}
		switch n := fresh.Total(); n {
		case 0:
			text += ", none of them new"
		case len(c.entries):
			text += words.Choose(n, ", and it is new", ", all new")
		default:
			text += ", of which " + words.Severities(fresh.Errors, fresh.Warnings, fresh.Infos) + " " + words.Choose(n, "is", "are") + " new"
		}
	}
	if hidden := sentences.Hidden(r); hidden != "" {
		text += " (" + hidden + ")"
	}
	if n := len(r.Problems); n > 0 && (found != "" || s.Workloads > 0) {
		text += fmt.Sprintf("; %d could not be read", n)
	}
	if fixed := r.Changed.Fixed(); fixed.Total() > 0 {
		text += "; it fixes " + words.Severities(fixed.Errors, fixed.Warnings, fixed.Infos)
	}
	return text
}

// against says what was compared, and what was not judged.
func (c *commenting) against() string {
	r := c.report
	text := ""
	if answer := sentences.Answer(c.entries); answer != "" {
		text = md(answer) + ".\n\n"
	}
	for _, line := range sentences.Unclassed(sentences.PrintedEntries(c.entries)) {
		text += words.UpperFirst(md(line)) + ". "
	}
	text += "Compared with " + code(sentences.Ref(r.Changed))
	if sentences.Ref(r.Changed) != sentences.Commit(r.Changed) {
		text += " (" + md(sentences.Commit(r.Changed)) + ")"
	}
	text += "."
	if away := sentences.Elsewhere(r.Changed); away != "" {
		text += " " + words.UpperFirst(away) + "."
	}
	for _, line := range sentences.Baseline(r) {
		text += " " + words.UpperFirst(md(line)) + "."
	}
	if n := r.Summary.Exempted; n > 0 {
		text += fmt.Sprintf(" %d exempted.", n)
	}
	return text + noted(sentences.Notes(r.Changed))
}

// overview is the table of what became of each workload.
func (c *commenting) overview(limit int) string {
	list := c.report.Changed.Workloads
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| Workload | At %s | Now | New | Fixed |\n|---|---|---|---|---|\n",
		code(clip(sentences.Ref(c.report.Changed), nameLimit)))
	for i := range list {
		row := c.row(&list[i])
		if b.Len()+len(row) > limit {
			fmt.Fprintf(&b, "\nand %s more\n", words.Count(len(list)-i, "workload"))
			break
		}
		b.WriteString(row)
	}
	return b.String()
}

func (c *commenting) row(w *report.ChangedWorkload) string {
	was, now := tallied(w.Before), tallied(w.Now)
	switch w.State {
	case report.StateAdded:
		was = "not there"
	case report.StateRemoved:
		now = "removed"
	}
	var fresh, fixed []string
	for i := range c.report.Findings {
		f := &c.report.Findings[i]
		if f.Resource == w.Resource && f.File == w.File && c.report.Changed.Mark(f).New {
			fresh = append(fresh, f.Rule)
		}
	}
	for i := range w.Fixed {
		fixed = append(fixed, w.Fixed[i].Rule)
	}
	at := ""
	if w.File != "" {
		at = "<br><sub>" + md(clip(sentences.Place(w.File, w.Line), nameLimit)) + "</sub>"
	}
	return fmt.Sprintf("| %s%s | %s | %s | %s | %s |\n",
		md(clip(sentences.Title(w.Resource), nameLimit)), at, was, now, c.rules(fresh), c.rules(fixed))
}

// tallied are counts for a table.
func tallied(c report.Counts) string {
	return cmp.Or(words.Severities(c.Errors, c.Warnings, c.Infos), "sound")
}

// rules names each once, and how often.
func (c *commenting) rules(list []string) string {
	slices.Sort(list)
	var parts []string
	for i := 0; i < len(list); {
		n := i
		for n < len(list) && list[n] == list[i] {
			n++
		}
		text := linked(clip(list[i], nameLimit), c.links)
		if n-i > 1 {
			text += fmt.Sprintf(" × %d", n-i)
		}
		parts, i = append(parts, text), n
	}
	return strings.Join(parts, ", ")
}

// unread lists what could not be read.
func (c *commenting) unread() string {
	list := c.report.Problems
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n#### Could not be read\n\n")
	for i, p := range list {
		line := strings.TrimPrefix(md(clip(sentences.Place(p.File, p.Line), nameLimit))+": "+md(clip(p.Message, wordsLimit)), ": ")
		if b.Len()+len(line) > unreadLimit {
			fmt.Fprintf(&b, "- and %d more\n", len(list)-i)
			break
		}
		b.WriteString("- " + line + "\n")
	}
	return b.String()
}
