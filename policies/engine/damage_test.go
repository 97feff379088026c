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
		{"v1", "Pod"},
		{"v1", "ReplicationController"},
		{"apps/v1", "Deployment"},
		{"apps/v1", "ReplicaSet"},
		{"apps/v1", "StatefulSet"},
		{"apps/v1", "DaemonSet"},
		{"batch/v1", "Job"},
		{"batch/v1", "CronJob"},
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

// damage says what takes the place of which node of which object; the number after the last of structural
// is that it is gone.
type damage struct{ object, node, with int }

// allDamage is every kind × every path × every damage.
func allDamage(objects []any) []damage {
	var all []damage
	for object := range objects {
		for node := range collect(&objects[object]) {
			for with := range len(structural) + 1 {
				all = append(all, damage{object, node, with})
			}
		}
	}
	return all
}

// inflict breaks one place, and gives its path.
func inflict(object *any, node, with int) string {
	at := collect(object)[node]
	switch {
	case with < len(structural):
		at.set(structural[with](at.get()))
	case at.remove != nil:
		at.remove()
	}
	return at.path
}

// damaged is the object of a round: one of all that have one place of wrong structure, and one drawn with two
// where those are used up.
func damaged(random *rand.Rand, objects []any, all []damage, round int) (any, string) {
	if round < len(all) {
		object := DeepCopy(objects[all[round].object])
		return object, inflict(&object, all[round].node, all[round].with)
	}
	object := DeepCopy(objects[round%len(objects)])
	var where []string
	for range 2 {
		where = append(where, inflict(&object, random.IntN(len(collect(&object))), random.IntN(len(structural)+1)))
	}
	return object, strings.Join(where, ", ")
}

// opasShare: OPA's evaluator takes some 20 ms of CPU for an object, which are eight minutes of two cores for
// all. The plan, which ends with the first built-in that fails, judges every object; OPA's judges one in 9, which meets every damage, 14 a place.
const opasShare = 9

// TestDamage breaks the structure of an object of every kind. No rule may fail, and both evaluators give the
// same: every kind with every path in every way, and drawn ones with two places broken. Few rounds take their
// share from all of it.
func TestDamage(t *testing.T) {
	const rounds = 50000
	n, seed := search.Rounds(rounds), search.Seed(t, 20261126)
	objects := smallObjects(t)
	all := allDamage(objects)
	order := max(rounds, len(all))
	ours, opas := newEngine(t), must(with(opaFrom(compiledPolicies), Options{}))(t)
	if _, ok := ours.policies.(plannedData); !ok {
		t.Fatal("the plan is of other policies: run `make generate`")
	}
	j := judged{"the defaults", ours, opas}
	var asked, compared, failed atomic.Int64
	inParallel(n, func(i int) {
		round := i * order / n
		object, where := damaged(rand.New(rand.NewPCG(seed, uint64(round))), objects, all, round)
		input, err := plan.FromGo(object)
		if err != nil {
			return
		}
		asked.Add(1)
		var c tally
		if i%opasShare == 0 {
			compared.Add(1)
			err = j.rule(t.Context(), &c, "data.headroom.main.result", input)
		}
		if err == nil && (i%opasShare > 0 || c.counts["errors"] > 0) {
			_, err = ours.policies.eval(t.Context(), "data.headroom.main.result", input)
		}
		if err != nil && failed.Add(1) < 10 {
			t.Errorf("round %d, damaged at %s: %v\ninput: %.1500s", round, where, err, printed(input))
		}
	})
	t.Logf("%d objects of %d kinds, %d by both evaluators; %d have one place broken, which is all there are",
		asked.Load(), len(objects), compared.Load(), len(all))
	if asked.Load() < int64(n) {
		t.Errorf("%d objects, not %d", asked.Load(), n)
	}
}
