package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/open-policy-agent/opa/v1/topdown"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Failure is a rule that could not be evaluated for an object: a bug of ours.
type Failure struct {
	Rule, Slug string
	// Err is why. Its text may quote the object.
	Err error `json:"-"`
}

// Error says what failed, without a value of the object.
func (f Failure) Error() string {
	return fmt.Sprintf("rule %s (%s) could not be evaluated: internal error%s; please report it", f.Rule, f.Slug, placeOf(f.Err))
}

func (f Failure) Unwrap() error { return f.Err }

// placeOf says where in the policies an evaluation ended.
func placeOf(err error) string {
	var failed *topdown.Error
	if !errors.As(err, &failed) || failed.Location == nil {
		return ""
	}
	return fmt.Sprintf(" at %s:%d", failed.Location.File, failed.Location.Row)
}

// mistaken tells an evaluation that failed from one that ended before its time.
func mistaken(ctx context.Context, err error) bool {
	return topdown.IsError(err) && !topdown.IsCancel(err) && ctx.Err() == nil
}

// without gives the policies with some rules left out, by slug.
func (e *Engine) without(slugs []string) evaluator {
	pairs := make([]plan.Pair, len(slugs))
	for i, slug := range slugs {
		pairs[i] = plan.Pair{Key: slug, Value: true}
	}
	return e.open(plan.NewObject(plan.Pair{Key: "headroom", Value: e.data.With("broken", plan.NewObject(pairs...))}))
}

// eval evaluates a rule of the policies. Where that fails because rules do, it leaves those out, and names them.
func (e *Engine) eval(ctx context.Context, rule string, input plan.Value) (plan.Value, []Failure, error) {
	answer, err := e.policies.eval(ctx, rule, input)
	if err == nil || !mistaken(ctx, err) {
		return answer, nil, err
	}
	ids, found := e.ruleIDs(ctx)
	if found != nil {
		return nil, nil, err
	}
	s := suspects{e, rule, input, slices.Sorted(maps.Keys(ids))}
	// With no rule at all, what fails is what all of them rest on.
	if s.fails(ctx, nil) != nil {
		return nil, nil, err
	}
	failures := s.among(ctx, s.all)
	left := make([]string, len(failures))
	for i := range failures {
		left[i] = failures[i].Slug
		failures[i].Rule = ids[left[i]]
	}
	answer, again := e.without(left).eval(ctx, rule, input)
	if again != nil || len(failures) == 0 {
		return nil, nil, err
	}
	return answer, failures, nil
}

// ruleIDs are the IDs of all rules by slug.
func (e *Engine) ruleIDs(ctx context.Context) (map[string]string, error) {
	value, err := e.policies.eval(ctx, "data.headroom.catalogue.ids", nil)
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	decoded, err := plan.ToGo(value)
	object, _ := decoded.(map[string]any)
	for slug, id := range object {
		ids[slug], _ = id.(string)
	}
	return ids, err
}

// suspects are rules of which some make an evaluation fail.
type suspects struct {
	engine *Engine
	rule   string
	input  plan.Value
	all    []string
}

// fails evaluates with some of the rules only.
func (s suspects) fails(ctx context.Context, only []string) error {
	others := slices.DeleteFunc(slices.Clone(s.all), func(slug string) bool { return slices.Contains(only, slug) })
	_, err := s.engine.without(others).eval(ctx, s.rule, s.input)
	return err
}

// among finds those that fail by themselves, halving again and again.
func (s suspects) among(ctx context.Context, rules []string) []Failure {
	err := s.fails(ctx, rules)
	switch {
	case err == nil || len(rules) == 0:
		return nil
	case len(rules) == 1:
		return []Failure{{Slug: rules[0], Err: err}}
	}
	half := len(rules) / 2
	return append(s.among(ctx, rules[:half]), s.among(ctx, rules[half:])...)
}
