package engine

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/headroom-dev/headroom/policies/plan"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

// structural is what takes the place of a node: every JSON type, and what people write in the place of another.
var structural = []func(old any) any{
	func(any) any { return nil },
	func(any) any { return "text" },
	func(any) any { return "" },
	func(any) any { return true },
	func(any) any { return 5 },
	func(any) any { return -1.5 },
	func(any) any { return []any{} },
	func(any) any { return map[string]any{} },
	func(any) any { return []any{nil, 5, "text"} },
	func(any) any { return map[string]any{"name": "app", "image": 5} },
	func(old any) any { return []any{old} },
	func(old any) any { return map[string]any{"name": old} },
	func(old any) any { return fmt.Sprint(old) },
}

// smallObjects have one object of every kind that describes Pods, with as little in each as its paths need.
func smallObjects(t *testing.T) []any {
	t.Helper()
	container := map[string]any{
		"name": "app", "image": "eclipse-temurin:21", "command": []any{"java", "-Xmx1g", "-jar", "a.jar"},
		"env":       []any{map[string]any{"name": "JAVA_TOOL_OPTIONS", "value": "-XX:+UseG1GC"}},
		"resources": map[string]any{"requests": map[string]any{"cpu": "1"}, "limits": map[string]any{"memory": "2Gi"}},
	}
	var all []any
	for _, kind := range [][2]string{
		{"v1", "Pod"}, {"v1", "ReplicationController"}, {"apps/v1", "Deployment"}, {"apps/v1", "ReplicaSet"},
		{"apps/v1", "StatefulSet"}, {"apps/v1", "DaemonSet"}, {"batch/v1", "Job"}, {"batch/v1", "CronJob"},
	} {
		object := map[string]any{
			"apiVersion": kind[0], "kind": kind[1],
			"metadata": map[string]any{"name": "app", "annotations": map[string]any{"headroom.dev/workload-class": "batch"}},
		}
		at := object
		for _, step := range strings.FieldsFunc(TemplatePath(kind[0], kind[1]), func(r rune) bool { return r == '.' || r == '-' }) {
			next := map[string]any{}
			at[step] = next
			at = next
		}
		at["spec"] = map[string]any{"containers": []any{container}, "initContainers": []any{map[string]any{"name": "init"}}}
		all = append(all, DeepCopy(object))
	}
	files, err := filepath.Glob("testdata/kinds/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	seen := map[string]bool{}
	for _, file := range files {
		for _, document := range documents(t, file) {
			key := fmt.Sprint(document["apiVersion"], document["kind"])
			if !seen[key] {
				seen[key] = true
				all = append(all, document)
			}
		}
	}
	return all
}

// damaged is one object with one or two places of wrong structure: one that is gone, or of another type.
func damaged(random *rand.Rand, object any) (any, string) {
	object = DeepCopy(object)
	var where []string
	for range 1 + random.IntN(2) {
		nodes := collect(&object)
		at := nodes[random.IntN(len(nodes))]
		where = append(where, at.path)
		if at.remove != nil && random.IntN(len(structural)+1) == 0 {
			at.remove()
			continue
		}
		at.set(structural[random.IntN(len(structural))](at.get()))
	}
	return object, strings.Join(where, ", ")
}

// TestDamage breaks the structure of an object of every kind. No rule may fail, and both evaluators give the
// same.
func TestDamage(t *testing.T) {
	const seed, rounds = 20261126, 50000
	n := search.Rounds(rounds)
	if n < rounds {
		n = 300 // the unit layer has seconds
	}
	objects := smallObjects(t)
	ours, opas := newEngine(t), must(with(opaFrom(compiledPolicies), Options{}))(t)
	if _, ok := ours.policies.(plannedData); !ok {
		t.Fatal("the plan is of other policies: run `make generate`")
	}
	var asked, failed atomic.Int64
	inParallel(n, func(round int) {
		random := rand.New(rand.NewPCG(seed, uint64(round)))
		object, where := damaged(random, objects[round%len(objects)])
		input, err := plan.FromGo(object)
		if err != nil {
			return
		}
		asked.Add(1)
		var c tally
		j := judged{"the defaults", ours, opas}
		err = j.rule(t.Context(), &c, "data.headroom.main.result", input)
		if c.counts["errors"] > 0 {
			_, err = ours.policies.eval(t.Context(), "data.headroom.main.result", input)
		}
		if err != nil && failed.Add(1) < 10 {
			t.Errorf("round %d, damaged at %s: %v\ninput: %.1500s", round, where, err, printed(input))
		}
	})
	t.Logf("seed %d, %d objects of %d kinds, by both evaluators", uint64(seed), asked.Load(), len(objects))
	if asked.Load() < int64(n) {
		t.Errorf("%d objects, not %d", asked.Load(), n)
	}
}
