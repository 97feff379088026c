// Package json writes a report for programs, in the shape of docs/schema. Keys are only ever added.
package json

import (
	"bytes"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// schema names the shape below. Keys are only ever added to it.
const schema = "headroom.dev/findings/v1"

// finding has every key in every finding, so that a reader need not ask
// whether one is there.
type finding struct {
	Rule      string          `json:"rule"`
	Slug      string          `json:"slug"`
	Severity  string          `json:"severity"`
	Harm      string          `json:"harm"`
	Group     string          `json:"group"`
	Class     string          `json:"class"`
	Resource  engine.Resource `json:"resource"`
	Container string          `json:"container"`
	Size      *engine.Size    `json:"size,omitempty"`
	Path      string          `json:"path"`
	File      string          `json:"file"`
	Line      int             `json:"line"`
	Message   string          `json:"message"`
	Expected  string          `json:"expected"`
	Price     string          `json:"price,omitempty"`
	Figures   map[string]any  `json:"figures"`
	Fixable   bool            `json:"fixable"`
	// Fingerprint is the same in every run and every format; Identity says what it is made of.
	Fingerprint string `json:"fingerprint"`
	// Change is set where the run was about a change.
	Change *mark `json:"change,omitempty"`
}

type exempted struct {
	finding
	Suppressed *engine.Suppression `json:"suppressed"`
}

// Write prints a report as one object, list by list.
func Write(w *bytes.Buffer, r *report.Report) error {
	j := stream{out: w}
	j.member("schema", schema)
	j.member("summary", r.Summary)
	shapes := shaper{r.Changed, report.Fingerprints{}}
	list(&j, "findings", r.Findings, shapes.finding)
	list(&j, "exempted", r.Exempted, shapes.exempted)
	list(&j, "skipped", r.Skipped, asIs[report.Skip])
	list(&j, "problems", r.Problems, asIs[report.Problem])
	if len(r.NotRead) > 0 {
		list(&j, "notRead", r.NotRead, asIs[report.Unread])
	}
	// Of runs with a baseline, of audits and of previews alone.
	if len(r.Known) > 0 {
		list(&j, "known", r.Known, shapes.exempted)
	}
	if len(r.Stale) > 0 {
		list(&j, "stale", r.Stale, asIs[report.Stale])
	}
	if cluster := clusterOf(r); cluster != nil {
		j.member("cluster", cluster)
	}
	if workloads := workloadsOf(r); len(workloads) > 0 {
		list(&j, "workloads", workloads, asIs[workload])
	}
	if preview := previewOf(r); preview != nil {
		j.member("preview", preview)
	}
	if r.Changed != nil {
		j.member("changed", changedOf(r))
	}
	return j.end()
}

// shaper makes findings into JSON, one list of a report after the other.
type shaper struct {
	changed *report.Changed
	prints  report.Fingerprints
}

func (s shaper) findings(list []engine.Finding) []finding {
	out := make([]finding, 0, len(list))
	for i := range list {
		out = append(out, s.finding(&list[i]))
	}
	return out
}

func (s shaper) exempted(f *engine.Finding) exempted {
	return exempted{s.finding(f), f.Suppressed}
}

func asIs[T any](entry *T) T { return *entry }

func (s shaper) finding(f *engine.Finding) finding {
	figures := f.Figures
	if figures == nil {
		figures = map[string]any{}
	}
	return finding{
		f.Rule, f.Slug, f.Severity, f.Harm, f.Group, f.Class, f.Resource, f.Container, f.Size, f.Path, f.File, f.Line,
		f.Message, f.Expected, f.Price, figures, f.Fixable, s.prints.Of(f), markOf(s.changed, f),
	}
}
