package render

import "github.com/headroom-dev/headroom/policies/engine"

type jsonMark struct {
	New           bool `json:"new"`
	OnChangedLine bool `json:"onChangedLine"`
}

func markJSON(c *Changed, f *engine.Finding) *jsonMark {
	if c == nil {
		return nil
	}
	m := c.Mark(f)
	return &jsonMark{m.New, m.OnLine}
}

type jsonChanged struct {
	Ref         string                `json:"ref"`
	Base        string                `json:"base"`
	Files       int                   `json:"files"`
	New         Counts                `json:"new"`
	Fixed       Counts                `json:"fixed"`
	Elsewhere   Counts                `json:"elsewhere"` // findings that do not count
	Workloads   []jsonChangedWorkload `json:"workloads"`
	Suggestions []jsonSuggestion      `json:"suggestions"`
	Notes       []string              `json:"notes"`
}

type jsonChangedWorkload struct {
	Resource engine.Resource `json:"resource"`
	File     string          `json:"file"`
	Line     int             `json:"line"`
	State    string          `json:"state"`
	Before   Counts          `json:"before"`
	Now      Counts          `json:"now"`
	Fixed    []jsonFinding   `json:"fixed"`
}

// jsonSuggestion replaces lines, at least one, by text that ends at a line's end or is empty.
type jsonSuggestion struct {
	File      string          `json:"file"`
	StartLine int             `json:"startLine"`
	EndLine   int             `json:"endLine"`
	Text      string          `json:"text"`
	Resource  engine.Resource `json:"resource"`
	Rules     []string        `json:"rules"`
}

func changedJSON(r *Report) jsonChanged {
	c := r.Changed
	out := jsonChanged{
		Ref: c.Ref, Base: c.Base, Files: c.Files, New: r.fresh(), Fixed: c.fixed(), Elsewhere: c.Elsewhere,
		Workloads: []jsonChangedWorkload{}, Suggestions: []jsonSuggestion{}, Notes: append([]string{}, c.Notes...),
	}
	shapes := jsonShapes{prints: fingerprints{}}
	for i := range c.Workloads {
		w := &c.Workloads[i]
		out.Workloads = append(out.Workloads, jsonChangedWorkload{
			w.Resource, w.File, w.Line, w.State, w.Before, w.Now, shapes.findings(w.Fixed),
		})
	}
	for i := range c.Suggestions {
		s := &c.Suggestions[i]
		out.Suggestions = append(out.Suggestions, jsonSuggestion{
			s.File, s.First, s.Last, s.Text, s.Resource, append([]string{}, s.Rules...),
		})
	}
	return out
}
