//go:build integration

package mutate_test

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/export/cel"
)

type request = admissionv1.AdmissionRequest

// The day on which everything here is judged, for both.
const (
	now   = 1795219200e9
	today = "'2026-11-21'"
)

// only leaves the rules that the mutations fix: of other rules nothing is fixed.
func only(config map[string]any) map[string]any {
	rules := map[string]any{}
	for _, id := range []string{"HR103", "HR307", "HR403", "HR404", "HR405", "HR406", "HR407", "HR501", "HR503"} {
		rules[id] = map[string]any{"severity": "off"}
	}
	out := maps.Clone(config)
	if out == nil {
		out = map[string]any{}
	}
	own, _ := config["rules"].(map[string]any)
	maps.Copy(rules, own)
	out["rules"] = rules
	return out
}

// tester is what both kinds of tests report to.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// A pair is the Rego and the CEL of one config.
type pair struct {
	oracle, whole *engine.Engine
	mutators      []mutator
}

func newPair(tb testing.TB, config map[string]any) pair {
	tb.Helper()
	ctx := context.Background()
	oracle, err := engine.New(ctx, engine.Options{Config: only(config), Now: now})
	if err != nil {
		tb.Fatal(err)
	}
	whole, err := engine.New(ctx, engine.Options{Config: config, Now: now})
	if err != nil {
		tb.Fatal(err)
	}
	set, err := cel.New(ctx, config, cel.Dialect{Now: today})
	if err != nil {
		tb.Fatal(err)
	}
	mutators, err := compiled(set)
	if err != nil {
		tb.Fatal(err)
	}
	return pair{oracle, whole, mutators}
}

func TestCorpus(t *testing.T) {
	p := newPair(t, nil)
	changed := 0
	for _, g := range pods(t) {
		if p.check(t, g) {
			changed++
		}
	}
	t.Logf("%d Pods were changed", changed)
	for _, m := range p.mutators {
		t.Logf("%s cost at most %d", m.name, m.cost.most)
	}
}

// Other configs have other rows, and rules that are turned off.
func TestConfigs(t *testing.T) {
	for name, config := range map[string]map[string]any{
		"rules off": {"rules": map[string]any{"HR201": off, "HR202": off, "HR302": off, "HR402": off}},
		"other rows": {"matrix": map[string]any{
			"latency-sensitive": map[string]any{"request": "average", "limit": map[string]any{"timesAverage": 3.0}},
			"batch":             map[string]any{"request": "peak", "limit": "none"},
			"cron":              map[string]any{"request": "peak", "limit": "average"},
			"sidecar":           map[string]any{"request": "average", "limit": "peak"},
		}},
		"default class": {"defaultClass": "latency-sensitive", "tolerance": 0.1},
		"small nodes":   {"nodes": map[string]any{"cores": 4}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t, config)
			for _, file := range []string{"mutate-cpu.yaml", "mutate-jvm.yaml"} {
				for _, g := range podsOf(t, "../../system/conformance/corpus/"+file) {
					p.check(t, g)
				}
			}
		})
	}
}

var off = map[string]any{"severity": "off"}

var orders = [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// check holds the mutations to the engine's fix of a Pod, in each order, and says whether any changed it.
func (p pair) check(t tester, g given) bool {
	t.Helper()
	ctx := context.Background()
	review := g.review(t)
	fixed, err := p.oracle.Fix(ctx, review)
	if err != nil {
		t.Fatalf("%s: %v", g.name, err)
	}
	want, recorded := g.pod, map[string]bool{}
	if len(fixed.Patch) > 0 {
		want, recorded = patched(t, g.pod, fixed)
	}
	var first map[string]any
	untouched, _, err := split(g.pod)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range orders {
		// Where none changes the Pod in one order, none does in another.
		if first != nil && reflect.DeepEqual(first, untouched) {
			break
		}
		pod := g.pod
		for again := range 2 {
			was := pod
			for _, i := range order {
				if pod, err = p.mutators[i].run(ctx, pod, g.namespace); err != nil {
					t.Errorf("%s, in order %v: %v", g.name, order, err)
					return false
				}
			}
			if again == 1 && !reflect.DeepEqual(was, pod) {
				t.Errorf("%s, in order %v: mutated twice is not mutated once:\n%s\n%s", g.name, order, text(was), text(pod))
			}
		}
		bare, entries, err := split(pod)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			return false
		}
		if first == nil {
			first = bare
		} else if !reflect.DeepEqual(first, bare) {
			t.Errorf("%s: the order %v makes a difference:\n%s\n%s", g.name, order, text(first), text(bare))
		}
		wanted, _, err := split(want)
		if err != nil {
			t.Fatalf("%s: %v", g.name, err)
		}
		if !reflect.DeepEqual(wanted, bare) {
			if g.cautious == "" || !less(untouched, wanted, bare) {
				t.Errorf("%s, in order %v: not what the Rego makes of it:\ngiven %s\nRego  %s\nCEL   %s", g.name, order, text(g.pod), text(wanted), text(bare))
				return true
			}
			continue
		}
		if !reflect.DeepEqual(recorded, entries) {
			t.Errorf("%s, in order %v: the record is not the engine's:\n%s\n%s", g.name, order, sorted(recorded), sorted(entries))
		}
	}
	if reflect.DeepEqual(first, untouched) {
		return false
	}
	p.typed(t, g)
	p.nothingNew(t, g, review, first)
	return true
}

// typed holds the mutations of what the API server has in its hands, a Pod of Go's, to those of the
// same Pod as JSON. What cannot be one, the API server refuses.
func (p pair) typed(t tester, g given) {
	t.Helper()
	ctx := context.Background()
	pod := &corev1.Pod{}
	if json.Unmarshal([]byte(text(g.pod)), pod) != nil {
		return
	}
	manifest, err := runtime.DefaultUnstructuredConverter.ToUnstructured(pod)
	if err != nil {
		t.Fatal(err)
	}
	var object runtime.Object = pod
	for _, m := range p.mutators {
		if object, err = m.runOn(ctx, object, g.namespace); err != nil {
			t.Errorf("%s, as a Pod of Go's: %v", g.name, err)
			return
		}
		if manifest, err = m.run(ctx, manifest, g.namespace); err != nil {
			t.Errorf("%s, from a Pod of Go's: %v", g.name, err)
			return
		}
	}
	var want corev1.Pod
	if err := json.Unmarshal([]byte(text(manifest)), &want); err != nil {
		t.Fatal(err)
	}
	if !equality.Semantic.DeepEqual(object, &want) {
		t.Errorf("%s, as a Pod of Go's: %s\nas a manifest: %s", g.name, text(object), text(want))
	}
}

// less says whether all that differs from what was given is as it is wanted.
func less(given, wanted, got any) bool {
	if reflect.DeepEqual(got, given) || reflect.DeepEqual(got, wanted) {
		return true
	}
	switch got := got.(type) {
	case map[string]any:
		g, _ := given.(map[string]any)
		w, _ := wanted.(map[string]any)
		for key := range g {
			if _, stays := got[key]; !stays && w[key] != nil {
				return false
			}
		}
		for key, value := range got {
			if !less(g[key], w[key], value) {
				return false
			}
		}
		return true
	case []any:
		g, _ := given.([]any)
		w, _ := wanted.([]any)
		if len(g) != len(got) || len(w) != len(got) {
			return false
		}
		for i := range got {
			if !less(g[i], w[i], got[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// nothingNew: the engine finds nothing in the Pod that it did not find before.
func (p pair) nothingNew(t tester, g given, review engine.Review, after map[string]any) {
	t.Helper()
	was, err := p.whole.Evaluate(context.Background(), review)
	if err != nil {
		t.Fatal(err)
	}
	review.Manifest = after
	is, err := p.whole.Evaluate(context.Background(), review)
	if err != nil {
		t.Fatal(err)
	}
	weights := []string{engine.SeverityInfo, engine.SeverityWarning, engine.SeverityError}
	worst := map[[2]string]int{}
	for _, f := range slices.Concat(was.Findings, was.Exempted) {
		key := [2]string{f.Rule, f.Container}
		worst[key] = max(worst[key], slices.Index(weights, f.Severity)+1)
	}
	for _, f := range is.Findings {
		if slices.Index(weights, f.Severity)+1 > worst[[2]string{f.Rule, f.Container}] {
			t.Errorf("%s: %s of %q is new: %s", g.name, f.Rule, f.Container, f.Message)
		}
	}
}

// patched is a Pod after the engine's patch, and what the engine records.
func patched(t tester, pod map[string]any, fixed engine.Fixed) (map[string]any, map[string]bool) {
	t.Helper()
	operations, err := fixed.Recorded(pod)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := json.Marshal(operations)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := jsonpatch.DecodePatch(steps)
	if err != nil {
		t.Fatal(err)
	}
	out, err := decoded.Apply([]byte(text(pod)))
	if err != nil {
		t.Fatalf("apply %s: %v", steps, err)
	}
	var after map[string]any
	if err := json.Unmarshal(out, &after); err != nil {
		t.Fatal(err)
	}
	_, entries, err := split(after)
	if err != nil {
		t.Fatal(err)
	}
	return after, entries
}

func text(value any) string {
	out, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(out))
}
