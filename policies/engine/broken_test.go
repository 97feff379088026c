package engine

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/headroom-dev/headroom/policies/plan"
	"github.com/headroom-dev/headroom/tests/harness/planner"
)

// failing makes the rules of some containers fail, by what stands in their names.
const failing = `package headroom.rules.memory["memory-missing"]

import data.headroom.workload

report contains concat(".", c.raw.name) if {
	some c in workload.containers
	startswith(c.name, "fails")
}
`

// failingToo stands where all rules look.
const failingToo = `package headroom.workload

skipped contains {"what": concat(".", manifest.metadata.name), "reason": ""} if startswith(manifest.metadata.name, "all")
`

// brokenModules are the policies with rules that fail.
var brokenModules = sync.OnceValues(func() (map[string]*ast.Module, error) {
	modules, _, err := Plannable()
	if err != nil {
		return nil, err
	}
	modules = maps.Clone(modules)
	for name, text := range map[string]string{"a.rego": failing, "b.rego": failingToo} {
		if modules[name], err = ast.ParseModule(name, text); err != nil {
			return nil, err
		}
	}
	return modules, nil
})

func brokenEngines(t *testing.T) map[string]*Engine {
	t.Helper()
	modules := must(brokenModules())(t)
	compiled := sync.OnceValues(func() (*ast.Compiler, error) { return compile(modules) })
	_, rules, err := Plannable()
	if err != nil {
		t.Fatal(err)
	}
	policy := must(planner.Compiled(t.Context(), must(compiled())(t), rules...))(t)
	image := must(plan.Encode(policy))(t)
	program := must(plan.Open(string(image)))(t)
	return map[string]*Engine{
		"plan": must(with(planned(program), Options{}))(t),
		"OPA":  must(with(opaFrom(compiled), Options{}))(t),
	}
}

func podNamed(pod, container string) map[string]any {
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": pod},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name": container, "resources": map[string]any{"requests": map[string]any{"cpu": "2"}, "limits": map[string]any{"cpu": "1"}},
		}}},
	}
}

// A rule that fails takes no finding of another with it, and is named.
func TestAFailingRuleIsNamed(t *testing.T) {
	for name, e := range brokenEngines(t) {
		sound := must(e.Evaluate(t.Context(), Review{Manifest: podNamed("a", "app")}))(t)
		if len(sound.Failed) > 0 {
			t.Errorf("%s: %v", name, sound.Failed)
		}
		got := must(e.Evaluate(t.Context(), Review{Manifest: podNamed("a", "fails")}))(t)
		if len(got.Failed) != 1 || got.Failed[0].Rule != "HR301" || !strings.Contains(got.Failed[0].Error(), "a.rego:5") {
			t.Errorf("%s: %v", name, got.Failed)
		}
		var others []string
		for _, f := range sound.Findings {
			if f.Rule != "HR301" {
				others = append(others, f.Rule)
			}
		}
		var found []string
		for _, f := range got.Findings {
			found = append(found, f.Rule)
		}
		if len(others) == 0 || fmt.Sprint(found) != fmt.Sprint(others) {
			t.Errorf("%s: %v, not %v", name, found, others)
		}
		fixed := must(e.Fix(t.Context(), Review{Manifest: podNamed("a", "fails")}))(t)
		if len(fixed.Before.Failed) != 1 {
			t.Errorf("%s: fix: %v", name, fixed.Before.Failed)
		}
		if list, err := e.Explain(t.Context(), Review{Manifest: podNamed("a", "fails")}, ExplainOptions{}); err != nil || len(list) != 1 {
			t.Errorf("%s: explain: %v, %v", name, list, err)
		}
		if sized, err := e.Size(t.Context(), Review{Manifest: podNamed("a", "fails")}); err != nil || len(sized.Failed) != 1 {
			t.Errorf("%s: size: %v, %v", name, sized.Failed, err)
		}
		// What all rules rest on is no rule's failure.
		if _, err := e.Evaluate(t.Context(), Review{Manifest: podNamed("all", "app")}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
