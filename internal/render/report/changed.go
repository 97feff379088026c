package report

import (
	"github.com/headroom-dev/headroom/policies/engine"
)

// Changed is what a change, such as a pull request, did to the findings.
type Changed struct {
	Ref   string // what it was compared with, as the user named it
	Base  string // the commit at which the branch left that
	Files int    // that are not as they were
	// Elsewhere are the findings of what the change does not touch; they do not count.
	Elsewhere Counts
	// Unjudged counts the files that were not judged: they are as they were, and so is what stands beside them.
	Unjudged int
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

// New counts the findings that are new.
func (r *Report) New() (n Counts) {
	for i := range r.Findings {
		if r.Changed.Mark(&r.Findings[i]).New {
			n.Add(r.Findings[i].Severity, 1)
		}
	}
	return n
}

// Fixed counts what the change fixed.
func (c *Changed) Fixed() (n Counts) {
	for i := range c.Workloads {
		for j := range c.Workloads[i].Fixed {
			n.Add(c.Workloads[i].Fixed[j].Severity, 1)
		}
	}
	return n
}
