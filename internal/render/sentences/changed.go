package sentences

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// changedLines say what a change is compared with, and what it did.
func changedLines(r *report.Report, printed Printed) []string {
	if r.Changed == nil {
		return nil
	}
	c := r.Changed
	text := "compared with " + against(c) + ": " + did(c, r, printed)
	return append([]string{text}, Notes(c)...)
}

// Notes are those of a change, in one line each.
func Notes(c *report.Changed) []string {
	var list []string
	for _, note := range c.Notes {
		if note = strings.TrimSpace(terminal.Printable(note)); note != "" {
			list = append(list, note)
		}
	}
	return list
}

// against names what the change is compared with: "main (3e01797c9)", or the commit alone.
func against(c *report.Changed) string {
	if Ref(c) == Commit(c) {
		return Ref(c)
	}
	return Ref(c) + " (" + Commit(c) + ")"
}

// Ref is what the user named; the hash of a commit is shortened.
func Ref(c *report.Changed) string {
	isHash := len(c.Ref) >= 40 && strings.Trim(c.Ref, "0123456789abcdef") == ""
	if isHash {
		return c.Ref[:hashLength]
	}
	return terminal.Printable(c.Ref)
}

// Commit is the beginning of the commit, as git shows it.
func Commit(c *report.Changed) string {
	runes := []rune(terminal.Printable(c.Base))
	return string(runes[:min(len(runes), hashLength)])
}

// hashLength is how much of a commit's hash is shown.
const hashLength = 9

// did says what became of findings: "2 errors are new, 1 info is fixed". What is printed is counted; where that has
// nothing new, what is not shown.
func did(c *report.Changed, r *report.Report, printed Printed) string {
	fresh, fixed := printed.Fresh, c.Fixed()
	if fresh.Total() == 0 {
		fresh = r.New()
	}
	text, and := "no finding is new", ", "
	switch all, n := len(r.Findings), fresh.Total(); {
	case n > 0:
		text = fmt.Sprintf("%s %s new", words.Severities(fresh.Errors, fresh.Warnings, fresh.Infos), words.Choose(n, "is", "are"))
	case all == 1:
		text, and = "the finding is not new: it stood there before, in what the change touches", "; "
	case all > 1:
		text = fmt.Sprintf("none of the %d findings is new: they stood there before, in what the change touches", all)
		and = "; "
	}
	if n := fixed.Total(); n > 0 {
		text += and + words.Severities(fixed.Errors, fixed.Warnings, fixed.Infos) + " " + words.Choose(n, "is", "are") + " fixed"
	}
	return text
}

// Elsewhere is "14 findings elsewhere, 9 files as they were, not judged"; "" where there are none.
func Elsewhere(c *report.Changed) string {
	var parts []string
	if n := c.Elsewhere.Total(); n > 0 {
		parts = append(parts, words.Count(n, "finding")+" elsewhere")
	}
	if n := c.Unjudged; n > 0 {
		parts = append(parts, words.Count(n, "file")+" as "+words.Choose(n, "it was", "they were"))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + ", not judged"
}
