package render

import (
	"bytes"
	"encoding/json"

	"github.com/headroom-dev/headroom/policies/engine"
)

// schemaV1 names the shape below. Keys are only ever added to it.
const schemaV1 = "headroom.dev/findings/v1"

// jsonFinding has every key in every finding, so that a reader need not ask
// whether one is there.
type jsonFinding struct {
	Rule      string          `json:"rule"`
	Slug      string          `json:"slug"`
	Severity  string          `json:"severity"`
	Class     string          `json:"class"`
	Resource  engine.Resource `json:"resource"`
	Container string          `json:"container"`
	Path      string          `json:"path"`
	File      string          `json:"file"`
	Line      int             `json:"line"`
	Message   string          `json:"message"`
	Expected  string          `json:"expected"`
	Figures   map[string]any  `json:"figures"`
	Fixable   bool            `json:"fixable"`
	// Fingerprint is the same in every run and every format; Identity says what it is made of.
	Fingerprint string `json:"fingerprint"`
	// Change is set where the run was about a change.
	Change *jsonMark `json:"change,omitempty"`
}

type jsonExempted struct {
	jsonFinding
	Suppressed *engine.Suppression `json:"suppressed"`
}

func writeJSON(w *bytes.Buffer, r *Report) error {
	j := jsonStream{out: w}
	j.member("schema", schemaV1)
	j.member("summary", r.Summary)
	shapes := jsonShapes{r.Changed, fingerprints{}}
	list(&j, "findings", r.Findings, shapes.finding)
	list(&j, "exempted", r.Exempted, shapes.exempted)
	list(&j, "skipped", r.Skipped, asIs[Skip])
	list(&j, "problems", r.Problems, asIs[Problem])
	// Of runs with a baseline, of audits and of previews alone.
	if len(r.Known) > 0 {
		list(&j, "known", r.Known, shapes.exempted)
	}
	if len(r.Stale) > 0 {
		list(&j, "stale", r.Stale, asIs[Stale])
	}
	if cluster := clusterJSON(r); cluster != nil {
		j.member("cluster", cluster)
	}
	if workloads := workloadsJSON(r); len(workloads) > 0 {
		list(&j, "workloads", workloads, asIs[jsonWorkload])
	}
	if preview := previewJSON(r); preview != nil {
		j.member("preview", preview)
	}
	if r.Changed != nil {
		j.member("changed", changedJSON(r))
	}
	return j.end()
}

// jsonShapes makes findings into JSON, one list of a report after the other.
type jsonShapes struct {
	changed *Changed
	prints  fingerprints
}

func (s jsonShapes) findings(list []engine.Finding) []jsonFinding {
	out := make([]jsonFinding, 0, len(list))
	for i := range list {
		out = append(out, s.finding(&list[i]))
	}
	return out
}

func (s jsonShapes) exempted(f *engine.Finding) jsonExempted {
	return jsonExempted{s.finding(f), f.Suppressed}
}

func asIs[T any](entry *T) T { return *entry }

func (s jsonShapes) finding(f *engine.Finding) jsonFinding {
	figures := f.Figures
	if figures == nil {
		figures = map[string]any{}
	}
	return jsonFinding{
		f.Rule, f.Slug, f.Severity, f.Class, f.Resource, f.Container, f.Path, f.File, f.Line,
		f.Message, f.Expected, figures, f.Fixable, s.prints.of(f), markJSON(s.changed, f),
	}
}

// encode leaves <, > and & as they are: the output is not for a web page.
func encode(w *bytes.Buffer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
