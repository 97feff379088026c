package render

import (
	"bytes"
	"encoding/json"

	"github.com/headroom-dev/headroom/policies/engine"
)

// schemaV1 names the shape below. Keys are only ever added to it.
const schemaV1 = "headroom.dev/findings/v1"

type jsonReport struct {
	Schema   string         `json:"schema"`
	Summary  Summary        `json:"summary"`
	Findings []jsonFinding  `json:"findings"`
	Exempted []jsonExempted `json:"exempted"`
	Skipped  []Skip         `json:"skipped"`
	Problems []Problem      `json:"problems"`

	// Of runs with a baseline, of audits and of previews alone.
	Known     []jsonExempted `json:"known,omitempty"`
	Stale     []Stale        `json:"stale,omitempty"`
	Cluster   *jsonCluster   `json:"cluster,omitempty"`
	Workloads []jsonWorkload `json:"workloads,omitempty"`
	Preview   *jsonPreview   `json:"preview,omitempty"`
}

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
}

type jsonExempted struct {
	jsonFinding
	Suppressed *engine.Suppression `json:"suppressed"`
}

func writeJSON(w *bytes.Buffer, r *Report, _ Options) error {
	out := jsonReport{
		Schema:   schemaV1,
		Summary:  r.Summary,
		Findings: findingsJSON(r.Findings),
		Exempted: exemptedJSON(r.Exempted),
		Skipped:  append([]Skip{}, r.Skipped...),
		Problems: append([]Problem{}, r.Problems...),

		Known: exemptedJSON(r.Known), Stale: r.Stale,
		Cluster: clusterJSON(r), Workloads: workloadsJSON(r), Preview: previewJSON(r),
	}
	return encode(w, out)
}

func findingsJSON(list []engine.Finding) []jsonFinding {
	out := make([]jsonFinding, 0, len(list))
	for i := range list {
		out = append(out, toJSON(&list[i]))
	}
	return out
}

func exemptedJSON(list []engine.Finding) []jsonExempted {
	out := make([]jsonExempted, 0, len(list))
	for i := range list {
		out = append(out, jsonExempted{toJSON(&list[i]), list[i].Suppressed})
	}
	return out
}

func toJSON(f *engine.Finding) jsonFinding {
	figures := f.Figures
	if figures == nil {
		figures = map[string]any{}
	}
	return jsonFinding{
		f.Rule, f.Slug, f.Severity, f.Class, f.Resource, f.Container, f.Path, f.File, f.Line,
		f.Message, f.Expected, figures, f.Fixable,
	}
}

// encode leaves <, > and & as they are: the output is not for a web page.
func encode(w *bytes.Buffer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
