package engine

import (
	"context"
	"fmt"
	"math"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Details are what the policies know of each container, in the order of the containers of
// Evaluate's Result.Objects.
func (e *Engine) Details(ctx context.Context, r Review) ([]Detail, error) {
	return asking(ctx, e, r, e.detail)
}

func (e *Engine) detail(ctx context.Context, input plan.Value) ([]Detail, error) {
	answer, err := e.policies.eval(ctx, "data.headroom.detail.result", input)
	if err != nil {
		return nil, fmt.Errorf("evaluate the details: %w", err)
	}
	var d decoder
	details := each(&d, plan.NewObject(plan.Pair{Key: "details", Value: answer}), "details", d.detail)
	if d.err != nil {
		return nil, fmt.Errorf("read the details: %w", d.err)
	}
	return details, nil
}

func (d *decoder) detail(o *plan.Object) Detail {
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

func (d *decoder) budget(o *plan.Object) *Budget {
	found := o.Get("budget")
	if found == nil || found == (plan.Null{}) {
		return nil
	}
	b := d.object(found)
	return &Budget{
		LimitMiB: d.number(b, "limit_mib"),
		LeastMiB: d.number(b, "least_mib"),
		TotalMiB: d.number(b, "total_mib"),
		BoundMiB: d.number(b, "bound_mib"),
		LeftMiB:  d.number(b, "left_mib"),
		Headroom: d.number(b, "headroom"),
		Complete: d.flag(b, "complete"),
		Grade:    d.text(b, "grade"),
		Terms: each(d, b, "terms", func(t *plan.Object) Term {
			return Term{
				Name:     d.text(t, "name"),
				MiB:      d.number(t, "mib"),
				LeastMiB: d.number(t, "least_mib"),
				BoundMiB: d.number(t, "bound_mib"),
				Source:   d.text(t, "source"),
				Grade:    d.text(t, "grade"),
				Assumed:  d.text(t, "grade") == "assumed",
			}
		}),
	}
}

func (d *decoder) part(o *plan.Object, name string) *plan.Object {
	return d.object(o.Get(name))
}

func (d *decoder) number(o *plan.Object, name string) float64 {
	v := o.Get(name)
	if f, ok := plan.Float(v); ok {
		return f
	}
	d.fail(name, v)
	return 0
}

// whole is a whole number; one that no int64 holds is the nearest that it does.
func (d *decoder) whole(o *plan.Object, name string) int64 {
	f := d.number(o, name)
	if f >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(max(f, math.MinInt64))
}
