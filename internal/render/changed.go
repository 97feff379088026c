package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Changed is what a change, such as a pull request, did to the findings.
type Changed struct {
	Ref   string // what it was compared with, as the user named it
	Base  string // the commit at which the branch left that
	Files int    // that are not as they were
	// Elsewhere are the findings of what the change does not touch; they do not count.
	Elsewhere Counts
	// Unread counts what could not be read then as now, and is not touched.
	Unread    int
	Workloads []ChangedWorkload // in the order of the files
	// Notes say in words what could not be compared.
	Notes []string
	// Suggestions are the fixes of findings that count, as lines of files; Snippets are those of
	// charts and kustomizations.
	Suggestions []Suggestion
	Snippets    []Snippet

	marks map[markKey]Mark
}

// Counts are findings by severity.
type Counts struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

// Add counts so many more.
func (c *Counts) Add(severity string, n int) {
	switch severity {
	case engine.SeverityError:
		c.Errors += n
	case engine.SeverityWarning:
		c.Warnings += n
	default:
		c.Infos += n
	}
}

// Total is the number of all of them.
func (c Counts) Total() int { return c.Errors + c.Warnings + c.Infos }

// States of a ChangedWorkload.
const (
	StateAdded    = "added"
	StateTouched  = "touched"
	StateAffected = "affected" // not touched itself, but judged otherwise
	StateRemoved  = "removed"
)

// ChangedWorkload is one object that a change touches, or whose verdict it changes.
type ChangedWorkload struct {
	Resource engine.Resource
	File     string // where it stands now; of one that was removed, where it stood
	Line     int
	State    string
	// Before and Now are its findings, without those that a baseline has.
	Before, Now Counts
	// Fixed are the findings that are gone.
	Fixed []engine.Finding
}

// Suggestion is a fix as lines of a file: those from First to Last, at least one, replaced by
// Text, which ends at a line's end or is empty.
type Suggestion struct {
	File        string
	First, Last int
	Text        string
	Resource    engine.Resource
	Rules       []string // whose fixes the object gets, here and elsewhere
}

// Snippet is YAML to paste into the source of what was rendered.
type Snippet struct {
	Origin string // the chart or kustomization
	Where  string // in words: the file it belongs into
	Text   string
	Note   string // in words: what it does not do
}

// Mark says why a finding counts: it was not there before, it stands on a changed line; neither
// where only its workload is touched.
type Mark struct{ New, OnLine bool }

type markKey struct {
	resource              engine.Resource
	file, rule, container string
	path, message         string
}

func keyOf(f *engine.Finding) markKey {
	return markKey{f.Resource, f.File, f.Rule, f.Container, f.Path, f.Message}
}

// SetMark notes why a finding counts.
func (c *Changed) SetMark(f *engine.Finding, m Mark) {
	if c.marks == nil {
		c.marks = map[markKey]Mark{}
	}
	c.marks[keyOf(f)] = m
}

// Mark says why a finding counts; the zero value where no change is looked at.
func (c *Changed) Mark(f *engine.Finding) Mark {
	if c == nil {
		return Mark{}
	}
	return c.marks[keyOf(f)]
}

// first orders findings by what a reviewer looks for: what is new, then what is on the changed
// lines.
func (m Mark) first() int {
	switch {
	case m.New && m.OnLine:
		return 0
	case m.New:
		return 1
	case m.OnLine:
		return 2
	}
	return 3
}

// fresh counts the findings that are new.
func (r *Report) fresh() (n Counts) {
	for i := range r.Findings {
		if r.Changed.Mark(&r.Findings[i]).New {
			n.Add(r.Findings[i].Severity, 1)
		}
	}
	return n
}

// fixed counts what the change put right.
func (c *Changed) fixed() (n Counts) {
	for i := range c.Workloads {
		for j := range c.Workloads[i].Fixed {
			n.Add(c.Workloads[i].Fixed[j].Severity, 1)
		}
	}
	return n
}

// changedLines say what a change is compared with, and what it did.
func changedLines(r *Report) []string {
	if r.Changed == nil {
		return nil
	}
	c := r.Changed
	text := "compared with " + against(c) + ": " + did(c, r)
	return append([]string{text}, notes(c)...)
}

// notes are those of a change, in one line each.
func notes(c *Changed) []string {
	var list []string
	for _, note := range c.Notes {
		if note = strings.TrimSpace(terminal.Printable(note)); note != "" {
			list = append(list, note)
		}
	}
	return list
}

// at names what the change is compared with: "main (3e01797c9)", or the commit alone.
func against(c *Changed) string {
	if ref(c) == short(c) {
		return ref(c)
	}
	return ref(c) + " (" + short(c) + ")"
}

// ref is what the user named; the hash of a commit is shortened.
func ref(c *Changed) string {
	isHash := len(c.Ref) >= 40 && strings.Trim(c.Ref, "0123456789abcdef") == ""
	if isHash {
		return c.Ref[:hashLength]
	}
	return terminal.Printable(c.Ref)
}

// short is the beginning of the commit, as git shows it.
func short(c *Changed) string {
	runes := []rune(terminal.Printable(c.Base))
	return string(runes[:min(len(runes), hashLength)])
}

// hashLength is how much of a commit's hash is shown.
const hashLength = 9

// did says what became of findings: "2 errors are new, 1 info is put right".
func did(c *Changed, r *Report) string {
	fresh, fixed := r.fresh(), c.fixed()
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
		text += and + words.Severities(fixed.Errors, fixed.Warnings, fixed.Infos) + " " + words.Choose(n, "is", "are") + " put right"
	}
	return text
}

// elsewhere is "14 findings elsewhere, not judged"; "" where there are none.
func elsewhere(c *Changed) string {
	n := c.Elsewhere.Total()
	if n == 0 {
		return ""
	}
	return words.Count(n, "finding") + " elsewhere, not judged"
}

// asides are the lines that stand before the summary.
func asides(r *Report) []string {
	return slices.Concat(changedLines(r), baselineLines(r), chartLines(r))
}
