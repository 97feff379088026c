package render

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
)

// One file may hold a name twice; the line says which of the two is meant.
func TestGroupsOfTwins(t *testing.T) {
	r := &Report{
		Workloads: []Workload{{Resource: article, File: "a.yaml", Line: 1}, {Resource: article, File: "a.yaml", Line: 50}},
		Findings: []engine.Finding{
			{Rule: "HR201", Resource: article, File: "a.yaml", Line: 20},
			{Rule: "HR301", Resource: article, File: "a.yaml", Line: 70},
			{Rule: "HR301", Resource: article, File: "b.yaml", Line: 5},
		},
	}
	var got []string
	for _, g := range groups(r) {
		for _, i := range g.items {
			got = append(got, fmt.Sprintf("%s:%d %s", g.File, g.Line, i.Rule))
		}
	}
	if want := []string{"a.yaml:1 HR201", "a.yaml:50 HR301", "b.yaml:5 HR301"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestGroupsFoldOnlyTheSame(t *testing.T) {
	f := engine.Finding{Rule: "HR303", Resource: article, Message: "m", Figures: map[string]any{"limit_mib": 1}}
	g := f
	g.Container, g.Line = "other", 9
	h := g
	h.Figures = map[string]any{"limit_mib": 2}
	items := groups(&Report{Findings: []engine.Finding{f, g, h}})[0].items
	if len(items) != 2 || len(items[0].spots) != 2 {
		t.Errorf("got %+v", items)
	}
}

func TestWhere(t *testing.T) {
	for want, spots := range map[string][]spot{
		"":                                {{"", 0}},
		"line 3":                          {{"", 3}},
		"api":                             {{"api", 0}},
		"api, line 3":                     {{"api", 3}},
		"api (line 3), worker (line 9)":   {{"api", 3}, {"worker", 9}},
		"line 3, line 4, worker (line 9)": {{"", 3}, {"", 4}, {"worker", 9}},
	} {
		if got := (&item{spots: spots}).where(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Two findings of a rule in a container are one test case, as bad as the worse.
func TestJUnitOneCaseForOneRule(t *testing.T) {
	f := engine.Finding{Rule: "HR410", Severity: "info", Resource: article, Container: "api", Message: "first", File: "a"}
	g := f
	g.Message, g.Severity = "second", "warning"
	list := cases(groups(&Report{Findings: []engine.Finding{f, g}})[0])
	if len(list) != 1 || list[0].Failure == nil || list[0].Failure.Message != "second" {
		t.Fatalf("got %+v", list)
	}
	if body := list[0].Failure.Body; !strings.Contains(body, "first") || !strings.Contains(body, "second") {
		t.Errorf("body is %q", body)
	}
}

// GitHub refuses a comment over 65 536 characters, so the rest is only counted.
func TestMarkdownFitsAComment(t *testing.T) {
	r := &Report{}
	for i := range 400 {
		name := engine.Resource{Kind: "Deployment", Name: fmt.Sprintf("d%03d", i)}
		f := engine.Finding{Rule: "HR301", Severity: "error", Resource: name, File: "a", Message: strings.Repeat("word ", 60)}
		r.Findings = append(r.Findings, f)
		r.Problems = append(r.Problems, Problem{"b", i, strings.Repeat("much ", 60)})
	}
	r.Count()
	out := render(t, "markdown", r, Options{})
	if len(out) > 65_536 {
		t.Errorf("%d bytes", len(out))
	}
	for _, want := range []string{"A comment holds no more: ", " findings in ", " objects are left out here.", "more\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not said", want)
		}
	}
}
