package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/pattern"
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

var reference = pattern.Lazy(`^data(\.[a-z_][a-z0-9_]*)+$`)

// rule splits a reference into the rule that it begins with, and the fields below it.
func (d plannedData) rule(ref string) (rule string, fields []string, ok bool) {
	if !reference().MatchString(ref) {
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
