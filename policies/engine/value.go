package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Value is what a document of the policies holds that depends on no input, as JSON shapes
// it: a table, a pattern, the settings with their defaults. Sets come as sorted lists. The
// CEL policies take their tables from here, so that none is written twice. What the plan has no rule
// for, as any expression but a reference, OPA evaluates: that takes seconds.
func (e *Engine) Value(ctx context.Context, ref string) (any, error) {
	if p, ok := e.policies.(plannedData); ok {
		if rule, fields, ok := p.rule(ref); ok {
			value, err := p.Eval(ctx, rule, nil)
			if err != nil {
				return nil, fmt.Errorf("evaluate %s: %w", ref, err)
			}
			for _, name := range fields {
				value = field(value, name)
			}
			if value == nil {
				return nil, fmt.Errorf("%s is not defined", ref)
			}
			return plan.ToGo(value)
		}
	}
	return e.expression(ctx, ref)
}

var reference = regexp.MustCompile(`^data(\.[a-z_][a-z0-9_]*)+$`)

// rule splits a reference into the rule that it begins with, and the fields below it.
func (d plannedData) rule(ref string) (rule string, fields []string, ok bool) {
	if !reference.MatchString(ref) {
		return "", nil, false
	}
	parts := strings.Split(ref, ".")
	for n := len(parts); n > 0; n-- {
		if rule := strings.Join(parts[:n], "."); d.Has(rule) {
			return rule, parts[n:], true
		}
	}
	return "", nil, false
}

func (e *Engine) expression(ctx context.Context, ref string) (any, error) {
	o, ok := e.policies.(*opa)
	if !ok {
		o = newOPA(compiledPolicies, e.document())
	}
	// A call alone would be a statement, and its value whether it holds.
	query, err := o.prepare(ctx, "value := "+ref)
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", ref, err)
	}
	results, err := query.Eval(ctx)
	if err != nil {
		return nil, fmt.Errorf("evaluate %s: %w", ref, err)
	}
	if len(results) != 1 {
		return nil, fmt.Errorf("%s is not defined", ref)
	}
	return plainJSON(results, ref)
}

// plainJSON gives the value with numbers as float64: a caller should not have to know OPA's types.
func plainJSON(results rego.ResultSet, ref string) (any, error) {
	text, err := json.Marshal(results[0].Bindings["value"])
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", ref, err)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	return value, nil
}
