package engines

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/system/conformance/cases"
)

// Lint runs `headroom lint` on the folder of the cases.
func Lint(binary, dir string) Engine {
	return Engine{Name: "lint", Judge: func(ctx context.Context, corpus []cases.Case) (*Answer, error) {
		out, err := printed(ctx, []int{1}, binary, "lint", "--no-config", "--no-progress", "-o", "json", dir)
		if err != nil {
			return nil, err
		}
		return readLint(out, corpus)
	}}
}

func readLint(out []byte, corpus []cases.Case) (*Answer, error) {
	var report struct {
		Schema   string           `json:"schema"`
		Findings []engine.Finding `json:"findings"`
		Problems []any            `json:"problems"`
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return nil, fmt.Errorf("headroom lint said %.300q: %w", out, err)
	}
	if report.Schema != "headroom.dev/findings/v1" || len(report.Problems) > 0 {
		return nil, fmt.Errorf("headroom lint: schema %q, problems %v", report.Schema, report.Problems)
	}
	answer, byID := newAnswer(), index(corpus)
	for _, f := range report.Findings {
		if err := answer.add(byID, f.Resource, Verdict{Rule: f.Rule, Container: f.Container}, f.Severity); err != nil {
			return nil, fmt.Errorf("headroom lint: %w", err)
		}
	}
	return answer, nil
}

// add takes a finding down, unless it is about a neighbour of a case: that is a case of its
// own elsewhere.
func (a *Answer) add(byID map[string]*cases.Case, r engine.Resource, v Verdict, severity string) error {
	c := byID[r.Name]
	switch {
	case c == nil:
		return fmt.Errorf("%s is about %s %s, which is no case", v.Rule, r.Kind, r.Name)
	case c.Kind == r.Kind:
		v.Case = c.ID
		a.Verdicts.add(v, severity)
	case r.Kind != "Namespace" || c.NamespaceObject() == nil:
		return fmt.Errorf("%s is about %s %s, which is a %s", v.Rule, r.Kind, r.Name, c.Kind)
	}
	return nil
}
