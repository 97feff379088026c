package engine

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// detailQuery is prepared when it is first asked: only reports ask it, and not for every run.
type detailQuery struct {
	once  sync.Once
	query rego.PreparedEvalQuery
	err   error
}

// Details are what the policies know of each container, in the order of the containers of
// Evaluate's Result.Objects.
func (e *Engine) Details(ctx context.Context, r Review) ([]Detail, error) {
	input, err := r.input()
	if err != nil {
		return nil, err
	}
	return e.detail(ctx, input)
}

func (e *Engine) detail(ctx context.Context, input ast.Value) ([]Detail, error) {
	e.details.once.Do(func() {
		// The first caller may cancel; the query is for all callers.
		e.details.query, e.details.err = e.prepare(context.WithoutCancel(ctx), "data.headroom.detail.result")
	})
	if e.details.err != nil {
		return nil, fmt.Errorf("prepare the details: %w", e.details.err)
	}
	var answer *ast.Term
	_, err := e.details.query.Eval(ctx, rego.EvalParsedInput(input),
		rego.EvalGenerateJSON(func(term *ast.Term, _ *rego.EvalContext) (any, error) {
			answer = term
			return nil, nil
		}))
	if err != nil {
		return nil, fmt.Errorf("evaluate the details: %w", err)
	}
	if answer == nil {
		return nil, errUndefined
	}
	var d decoder
	details := each(&d, ast.NewObject([2]*ast.Term{keyDetails, answer}), "details", d.detail)
	if d.err != nil {
		return nil, fmt.Errorf("read the details: %w", d.err)
	}
	return details, nil
}

var keyDetails = ast.StringTerm("details")

func (d *decoder) detail(o ast.Object) Detail {
	cpu, memory, harm := d.part(o, "cpu"), d.part(o, "memory"), d.part(o, "harm")
	return Detail{
		Container: d.text(o, "container"),
		CPU: CPUDetail{
			Request:        d.whole(cpu, "request"),
			Limit:          d.whole(cpu, "limit"),
			Average:        d.whole(cpu, "average"),
			Peak:           d.whole(cpu, "peak"),
			AverageAssumed: d.flag(cpu, "average_assumed"),
			Cores:          d.whole(cpu, "cores"),
			WantedRequest:  d.whole(cpu, "wanted_request"),
			WantedLimit:    d.whole(cpu, "wanted_limit"),
		},
		Memory: MemoryDetail{
			Request: d.whole(memory, "request"),
			Limit:   d.whole(memory, "limit"),
			Peak:    d.whole(memory, "peak"),
		},
		Budget: d.budget(o),
		Harm: Harm{
			OOMKills:       int(d.whole(harm, "oom_kills")),
			ThrottledCores: d.number(harm, "throttled_cores"),
			HeadroomLeft:   d.number(harm, "headroom_left"),
		},
		Evidence: d.text(o, "evidence"),
	}
}

func (d *decoder) budget(o ast.Object) *Budget {
	term := o.Get(ast.StringTerm("budget"))
	if term == nil || term.Equal(ast.NullTerm()) {
		return nil
	}
	b := d.object(term)
	return &Budget{
		LimitMiB: d.number(b, "limit_mib"),
		LeastMiB: d.number(b, "least_mib"),
		TotalMiB: d.number(b, "total_mib"),
		BoundMiB: d.number(b, "bound_mib"),
		LeftMiB:  d.number(b, "left_mib"),
		Headroom: d.number(b, "headroom"),
		Complete: d.flag(b, "complete"),
		Terms: each(d, b, "terms", func(t ast.Object) Term {
			return Term{
				Name:     d.text(t, "name"),
				MiB:      d.number(t, "mib"),
				LeastMiB: d.number(t, "least_mib"),
				BoundMiB: d.number(t, "bound_mib"),
				Source:   d.text(t, "source"),
				Assumed:  d.flag(t, "assumed"),
			}
		}),
	}
}

func (d *decoder) part(o ast.Object, name string) ast.Object {
	return d.object(o.Get(ast.StringTerm(name)))
}

func (d *decoder) number(o ast.Object, name string) float64 {
	term := o.Get(ast.StringTerm(name))
	if term != nil {
		if number, ok := term.Value.(ast.Number); ok {
			if f, ok := number.Float64(); ok {
				return f
			}
		}
	}
	d.fail(name, term)
	return 0
}

// whole is a whole number; one that no int64 holds is the nearest that it does.
func (d *decoder) whole(o ast.Object, name string) int64 {
	f := d.number(o, name)
	if f >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(max(f, math.MinInt64))
}
