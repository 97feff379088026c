package report_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

// One file may hold a name twice; the line says which of the two is meant.
func TestGroupsOfTwins(t *testing.T) {
	r := &report.Report{
		Workloads: []report.Workload{{Resource: sample.Article, File: "a.yaml", Line: 1}, {Resource: sample.Article, File: "a.yaml", Line: 50}},
		Findings: []engine.Finding{
			{Rule: "HR201", Resource: sample.Article, File: "a.yaml", Line: 20},
			{Rule: "HR301", Resource: sample.Article, File: "a.yaml", Line: 70},
			{Rule: "HR301", Resource: sample.Article, File: "b.yaml", Line: 5},
		},
	}
	var got []string
	for _, g := range report.Groups(r) {
		for _, i := range g.Items {
			got = append(got, fmt.Sprintf("%s:%d %s", g.File, g.Line, i.Rule))
		}
	}
	if want := []string{"a.yaml:1 HR201", "a.yaml:50 HR301", "b.yaml:5 HR301"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestGroupsFoldOnlyTheSame(t *testing.T) {
	f := engine.Finding{Rule: "HR303", Resource: sample.Article, Message: "m", Figures: map[string]any{"limit_mib": 1}}
	g := f
	g.Container, g.Line = "other", 9
	h := g
	h.Figures = map[string]any{"limit_mib": 2}
	items := report.Groups(&report.Report{Findings: []engine.Finding{f, g, h}})[0].Items
	if len(items) != 2 || len(items[0].Spots) != 2 {
		t.Errorf("got %+v", items)
	}
}

func TestWhere(t *testing.T) {
	for want, spots := range map[string][]report.Spot{
		"":                                {{Container: "", Line: 0}},
		"line 3":                          {{Container: "", Line: 3}},
		"api":                             {{Container: "api", Line: 0}},
		"api, line 3":                     {{Container: "api", Line: 3}},
		"api (line 3), worker (line 9)":   {{Container: "api", Line: 3}, {Container: "worker", Line: 9}},
		"line 3, line 4, worker (line 9)": {{Container: "", Line: 3}, {Container: "", Line: 4}, {Container: "worker", Line: 9}},
	} {
		if got := (&report.Item{Spots: spots}).Where(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
