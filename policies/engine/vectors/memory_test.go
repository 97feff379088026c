package vectors_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

type memoryVector struct {
	ID        string
	Limit     int
	Flags     string
	Threads   int
	Native    int
	Heap      *float64
	Metaspace *float64
	CodeCache *float64 `json:"code_cache"`
	Direct    *float64
	Stacks    *float64
	Total     *float64
	Left      *float64
	Headroom  *float64
	Verdict   string
}

// pod is the container of the vector; flags go the way headroom itself would set them.
func (v memoryVector) pod() map[string]any {
	facts := []string{"version=17"}
	if v.Threads > 0 {
		facts = append(facts, fmt.Sprintf("threads=%d", v.Threads))
	}
	if v.Native > 0 {
		facts = append(facts, fmt.Sprintf("native=%dMi", v.Native))
	}
	amount := map[string]any{"cpu": "1", "memory": fmt.Sprintf("%dMi", v.Limit)}
	return map[string]any{
		"apiVersion": "v1",
		"kind":       "Pod",
		"metadata": map[string]any{
			"name":        strings.ToLower(v.ID),
			"annotations": map[string]any{"jvm.headroom.dev/app": strings.Join(facts, " ")},
		},
		"spec": map[string]any{"containers": []any{map[string]any{
			"name":      "app",
			"image":     "registry.example.com/app:1",
			"command":   []any{"java", "-jar", "/app.jar"},
			"env":       []any{map[string]any{"name": "JAVA_TOOL_OPTIONS", "value": v.Flags}},
			"resources": map[string]any{"requests": amount, "limits": amount},
		}}},
	}
}

// The rules that give a verdict of a vector.
var verdictRules = map[string]string{
	"HR303": "headroom-below-20-percent",
	"HR304": "heap-reaches-limit",
}

func TestMemoryBudgets(t *testing.T) {
	var vectors struct{ Budgets []memoryVector }
	load(t, "jvm-memory.json", &vectors)
	if len(vectors.Budgets) == 0 {
		t.Fatal("jvm-memory.json has no budgets")
	}
	policies := defaults.Engine(t)
	for _, v := range vectors.Budgets {
		v.checkTerms(t)
		v.checkVerdict(t, policies)
	}
}

// checkTerms: the vectors' budget is what the flags allow, the bound.
func (v memoryVector) checkTerms(t *testing.T) {
	t.Helper()
	var budgets []struct {
		Terms []struct {
			Name string
			MiB  float64 `json:"bound_mib"`
		}
		Total float64 `json:"bound_mib"`
		Limit float64 `json:"limit_mib"`
	}
	ask(t, "data.headroom.memory.budgets", v.pod(), &budgets)
	if len(budgets) != 1 {
		t.Fatalf("%s: %d budgets, want 1", v.ID, len(budgets))
	}
	figures := map[string]float64{
		"total": budgets[0].Total, "left": budgets[0].Limit - budgets[0].Total,
		"headroom": 1 - budgets[0].Total/budgets[0].Limit,
	}
	for _, term := range budgets[0].Terms {
		figures[term.Name] = term.MiB
	}
	wanted := map[string]*float64{
		"heap": v.Heap, "metaspace": v.Metaspace, "code cache": v.CodeCache, "direct": v.Direct,
		"stacks": v.Stacks, "total": v.Total, "left": v.Left, "headroom": v.Headroom,
	}
	if v.Native > 0 {
		native := float64(v.Native)
		wanted["native"] = &native
	}
	for name, want := range wanted {
		if want == nil {
			continue
		}
		got, ok := figures[name]
		if !ok {
			t.Errorf("%s: the budget has no %s", v.ID, name)
			continue
		}
		same(t, v.ID, name, got, *want)
	}
}

func (v memoryVector) checkVerdict(t *testing.T, policies *engine.Engine) {
	t.Helper()
	result, err := policies.Evaluate(context.Background(), engine.Review{Manifest: v.pod()})
	if err != nil {
		t.Fatalf("%s: %v", v.ID, err)
	}
	var given []string
	for _, finding := range result.Findings {
		if verdict, ok := verdictRules[finding.Rule]; ok {
			given = append(given, verdict)
		}
	}
	want := []string{v.Verdict}
	if v.Verdict == "ok" {
		want = nil
	}
	if !slices.Equal(given, want) {
		t.Errorf("%s: verdict %v, want %v", v.ID, given, want)
	}
}
