package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/headroom-dev/headroom/policies/plan"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

// OPA judges the evaluator of the plan: whatever the input, both give the same value, to the byte.

// settings are configurations and clocks. What no schema has let through has one mistake each: of several
// errors each evaluator may meet another first.
var settings = []Options{
	{Now: 1795000000000000000},
	{Now: 1800000000000000000, Config: map[string]any{
		"defaultClass": "latency-sensitive", "tolerance": 0.5,
		"memory": map[string]any{"headroom": 0.1}, "jvm": map[string]any{"threads": 40, "gcPause": "50ms"},
		"classes": map[string]any{"images": map[string]any{"*": "batch"}},
		"rules":   map[string]any{"HR303": "error", "HR101": "off"},
	}},
	{Now: -1, Config: map[string]any{"tolerance": "x"}},
	{Now: 1, Config: map[string]any{"rules": "off", "unknown": []any{nil}}},
	{Config: map[string]any{"jvm": map[string]any{"threads": "many"}, "memory": []any{}}},
	{Config: map[string]any{"classes": map[string]any{"images": map[string]any{"[": 7}}}},
}

// judged are engines with one setting: ours, and OPA's.
type judged struct {
	name       string
	ours, opas *Engine
}

func judgedBy(t *testing.T) []judged {
	t.Helper()
	var all []judged
	for _, s := range settings {
		ours := must(New(t.Context(), s))(t)
		if _, ok := ours.policies.(plannedData); !ok {
			t.Fatal("the plan is of other policies: run `make generate`")
		}
		all = append(all, judged{fmt.Sprintf("%v at %d", s.Config, s.Now), ours, must(with(opaFrom(compiledPolicies), s))(t)})
	}
	return all
}

// tally counts what was compared.
type tally struct {
	sync.Mutex
	counts map[string]int
}

func (c *tally) add(what string) {
	c.Lock()
	defer c.Unlock()
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[what]++
}

func (c *tally) String() string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(c.counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", what, c.counts[what]))
	}
	return strings.Join(parts, ", ")
}

// rule compares the value of one rule.
func (j judged) rule(ctx context.Context, c *tally, rule string, input plan.Value) error {
	got, err := j.ours.policies.eval(ctx, rule, input)
	want, wantErr := j.opas.policies.eval(ctx, rule, input)
	return j.same(c, rule, printed(got), err, printed(want), wantErr)
}

// call compares what a method gives, as JSON.
func call[T any](c *tally, j judged, what string, ask func(*Engine) (T, error)) error {
	got, err := ask(j.ours)
	want, wantErr := ask(j.opas)
	return j.same(c, what, asJSON(got), err, asJSON(want), wantErr)
}

func (j judged) same(c *tally, what, got string, err error, want string, wantErr error) error {
	c.add(what)
	if err != nil && wantErr != nil {
		// Of a configuration that is wrong, each may meet another place first.
		c.add("errors")
		if !topdown.IsError(err) || !topdown.IsError(wantErr) {
			return fmt.Errorf("%s with %s: %w, not %w", what, j.name, err, wantErr)
		}
		return nil
	}
	if err != nil || wantErr != nil || got != want {
		return fmt.Errorf("%s with %s: %w, not %w\n%s", what, j.name, err, wantErr, parting(got, want))
	}
	return nil
}

// parting shows where two texts begin to differ.
func parting(got, want string) string {
	n := 0
	for n < min(len(got), len(want)) && got[n] == want[n] {
		n++
	}
	const before, after = 400, 300
	from := max(0, n-before)
	return fmt.Sprintf("%q\nplan: %.*q\nOPA:  %.*q", got[from:n], after, got[n:], after, want[n:])
}

func printed(v plan.Value) string {
	if v == nil {
		return "undefined"
	}
	return plan.ToAST(v).String()
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// TestEvaluatorsAgree asks both about objects of every suite as they stand, and about as many as it takes
// that are wrapped, surrounded and broken at random.
func TestEvaluatorsAgree(t *testing.T) {
	const rounds = 21000
	g := generator{all: everyObject(t)}
	judges := judgedBy(t)
	n, seed := search.Rounds(rounds), search.Seed(t, 20261124)
	var c tally
	var failed atomic.Int64
	inParallel(n, func(round int) {
		g := g
		g.Rand = rand.New(rand.NewPCG(seed, uint64(round)))
		var object any
		var broken []string
		switch {
		case n < rounds && round < n/2: // a share of what stands in the suites
			object = g.one()
		case n == rounds && round < len(g.all): // all of it
			object = DeepCopy(g.all[round])
		default:
			object, broken = g.input()
		}
		input, err := plan.FromGo(object)
		if err != nil {
			c.add("no input")
			return
		}
		c.add("objects")
		// Half of them with the defaults.
		j := judges[max(0, g.IntN(2*len(judges))-len(judges))]
		errs := []error{j.rule(t.Context(), &c, "data.headroom.main.result", input)}
		manifest, _ := object.(map[string]any)
		switch g.IntN(12) {
		case 0:
			errs = append(errs, j.rule(t.Context(), &c, "data.headroom.detail.result", input),
				j.rule(t.Context(), &c, "data.headroom.workload.context_kind", input),
				j.rule(t.Context(), &c, "data.headroom.workload.inert", input))
		case 1:
			o := ExplainOptions{PauseMS: float64(g.IntN(30)), PeriodMS: float64(g.IntN(3) * 50), Workers: int64(g.IntN(5))}
			errs = append(errs, call(&c, j, "explain", func(e *Engine) ([]Explanation, error) {
				return e.explanations(t.Context(), input, o)
			}))
		case 2:
			read := g.diagnosed(manifest)
			errs = append(errs, call(&c, j, "diagnose", func(e *Engine) (Diagnosis, error) { return e.Diagnose(t.Context(), read) }))
		case 3, 4: // few have a template and nothing broken
			if templateOf(object) == nil || len(broken) > 0 {
				break
			}
			errs = append(errs, call(&c, j, "fix", func(e *Engine) (Fixed, error) {
				return e.Fix(t.Context(), Review{Manifest: manifest})
			}))
		}
		for _, err := range errs {
			if err != nil && failed.Add(1) < 10 {
				t.Errorf("round %d, broken at %q: %v\ninput: %.1500s", round, broken, err, printed(input))
			}
		}
	})
	t.Logf("%d objects in the suites; the evaluators agree on: %v", len(g.all), &c)
	if want := n - n/20; c.counts["objects"] < want || c.counts["errors"] == 0 || c.counts["fix"] == 0 || c.counts["explain"] == 0 {
		t.Errorf("too few of something: %v", &c)
	}
}

// inParallel calls with 0 to n-1, on all processors.
func inParallel(n int, with func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				with(i)
			}
		})
	}
	group.Wait()
}

func TestEvaluatorIsChosen(t *testing.T) {
	for value, want := range map[string]string{"": "engine.plannedData", "opa": "*engine.opa"} {
		t.Setenv(EvaluatorVariable, value)
		if got := fmt.Sprintf("%T", must(New(t.Context(), Options{}))(t).policies); got != want {
			t.Errorf("%q: %s, not %s", value, got, want)
		}
	}
	t.Setenv(EvaluatorVariable, "wasm")
	if _, err := New(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), `HEADROOM_EVALUATOR is "wasm"`) {
		t.Error(err)
	}
}

// TestPatience ends what would take minutes, under a context without an end.
func TestPatience(t *testing.T) {
	e := newEngine(t)
	before := patience
	defer func() { patience = before }()
	patience = time.Nanosecond
	review := Review{Manifest: map[string]any{"apiVersion": "v1", "kind": "Pod", "spec": map[string]any{}}}
	_, err := e.Evaluate(t.Context(), review)
	if !errors.Is(err, errPatience) {
		t.Error(err)
	}
	named := Resource{Kind: "Pod", Namespace: "shop", Name: "cart"}
	if said := Unjudged(named, err); !strings.HasPrefix(said, "Pod shop/cart is not judged, all others are: it is too laborious") {
		t.Error(said)
	}
	if said := Unjudged(Resource{Kind: "Pod", Name: "cart"}, errors.New("x")); said != "internal: the policies could not judge Pod cart: x" {
		t.Error(said)
	}
	if _, err := e.Explain(t.Context(), review, ExplainOptions{}); !errors.Is(err, errPatience) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Evaluate(ctx, review); errors.Is(err, errPatience) || !topdown.IsCancel(err) {
		t.Errorf("a caller that has gone: %v", err)
	}
}

// A decision ends when its caller no longer waits for it.
func TestDecisionIsCancelled(t *testing.T) {
	e := newEngine(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	review := Review{Manifest: map[string]any{"apiVersion": "v1", "kind": "Pod", "spec": map[string]any{}}}
	if _, err := e.Evaluate(ctx, review); !topdown.IsCancel(err) {
		t.Error(err)
	}
}
