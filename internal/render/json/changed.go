package json

import (
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

type mark struct {
	New           bool `json:"new"`
	OnChangedLine bool `json:"onChangedLine"`
}

func markOf(c *report.Changed, f *engine.Finding) *mark {
	if c == nil {
		return nil
	}
	m := c.Mark(f)
	return &mark{m.New, m.OnLine}
}

type changed struct {
	Ref         string            `json:"ref"`
	Base        string            `json:"base"`
	Files       int               `json:"files"`
	New         report.Counts     `json:"new"`
	Fixed       report.Counts     `json:"fixed"`
	Elsewhere   report.Counts     `json:"elsewhere"` // findings that do not count
	Unjudged    int               `json:"unjudged"`  // files that are as they were
	Workloads   []changedWorkload `json:"workloads"`
	Suggestions []suggestion      `json:"suggestions"`
	Notes       []string          `json:"notes"`
}

type changedWorkload struct {
	Resource engine.Resource `json:"resource"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
	State    string          `json:"state"`
	Before   report.Counts   `json:"before"`
	Now      report.Counts   `json:"now"`
	Fixed    []finding       `json:"fixed"`
}

// suggestion replaces lines, at least one, by text that ends at a line's end or is empty.
type suggestion struct {
	File      string          `json:"file"`
	StartLine int             `json:"startLine"`
	EndLine   int             `json:"endLine"`
	Text      string          `json:"text"`
	Resource  engine.Resource `json:"resource"`
	Rules     []string        `json:"rules"`
}

func changedOf(r *report.Report) changed {
	c := r.Changed
	out := changed{
		Ref: c.Ref, Base: c.Base, Files: c.Files, New: r.New(), Fixed: c.Fixed(), Elsewhere: c.Elsewhere, Unjudged: c.Unjudged,
		Workloads: []changedWorkload{}, Suggestions: []suggestion{}, Notes: append([]string{}, c.Notes...),
	}
	shapes := shaper{prints: report.Fingerprints{}}
	for i := range c.Workloads {
		w := &c.Workloads[i]
		out.Workloads = append(out.Workloads, changedWorkload{
			w.Resource, w.File, w.Line, w.State, w.Before, w.Now, shapes.findings(w.Fixed),
		})
	}
	for i := range c.Suggestions {
		s := &c.Suggestions[i]
		out.Suggestions = append(out.Suggestions, suggestion{
			s.File, s.First, s.Last, s.Text, s.Resource, append([]string{}, s.Rules...),
		})
	}
	return out
}
