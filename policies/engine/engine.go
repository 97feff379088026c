// Package engine evaluates the Rego under policies/rego and hands out what it decides.
// It decides nothing itself.
package engine

import (
	"context"
	"fmt"
	"os"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Options say how the policies are prepared.
type Options struct {
	// Config is the content of a headroom.yaml, nil for the defaults. The caller has
	// checked it against the schema.
	Config map[string]any
	// Now is the time that exemptions are measured against, in ns since 1970 UTC;
	// 0 means the time of the evaluation.
	Now int64
	// ImageLock is what images start, as settings.LoadLock gives it; nil without a lock.
	ImageLock map[string]any
}

// Engine holds the policies, ready to be asked. It is safe for concurrent use.
type Engine struct {
	// open gives the policies another data document.
	open     func(data plan.Value) evaluator
	data     *plan.Object // data.headroom
	policies evaluator
	kinds    kindCache
}

// evaluator evaluates rules of the policies.
type evaluator interface {
	// eval gives the value of a rule, "data.a.b", for an input. That it is undefined is an error.
	eval(ctx context.Context, rule string, input plan.Value) (plan.Value, error)
}

// EvaluatorVariable is the environment variable that asks for OPA's own evaluator, with EvaluatorOPA. It
// takes ten times as long, and tells a mistake in our evaluator from one in the policies.
const (
	EvaluatorVariable = "HEADROOM_EVALUATOR"
	EvaluatorOPA      = "opa"
)

// New makes the policies ready. A plan of other policies than these is left alone, and OPA evaluates them.
func New(_ context.Context, o Options) (*Engine, error) {
	switch wanted := os.Getenv(EvaluatorVariable); wanted {
	case EvaluatorOPA:
		return with(opaFrom(compiledPolicies), o)
	case "":
		program, err := theProgram()
		switch {
		case err != nil:
			return nil, err
		case program == nil:
			return with(opaFrom(compiledPolicies), o)
		}
		return with(planned(program), o)
	default:
		return nil, fmt.Errorf("%s is %q: it can only be %q", EvaluatorVariable, wanted, EvaluatorOPA)
	}
}

func with(open func(plan.Value) evaluator, o Options) (*Engine, error) {
	data := map[string]any{}
	if o.Config != nil {
		data["overrides"] = o.Config
	}
	if o.Now != 0 {
		data["now"] = o.Now
	}
	if o.ImageLock != nil {
		data["image_lock"] = o.ImageLock
	}
	value, err := plan.FromGo(data)
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	e := &Engine{open: open}
	e.data, _ = value.(*plan.Object)
	e.policies = open(e.document())
	return e, nil
}

// document is the data document of the policies.
func (e *Engine) document() plan.Value {
	return plan.NewObject(plan.Pair{Key: "headroom", Value: e.data})
}

// planned evaluates the plan of the policies.
func planned(program *plan.Program) func(plan.Value) evaluator {
	return func(data plan.Value) evaluator { return plannedData{program.With(data)} }
}

type plannedData struct{ *plan.Data }

func (d plannedData) eval(ctx context.Context, rule string, input plan.Value) (plan.Value, error) {
	value, err := d.Eval(ctx, rule, input)
	if err == nil && value == nil {
		err = errUndefined
	}
	return value, err
}

// ImageConfig is what an image's config says of how it starts.
type ImageConfig struct {
	Entrypoint  []string          `rego:"entrypoint"`
	Command     []string          `rego:"command"`
	Environment map[string]string `rego:"environment"`
	Labels      map[string]string `rego:"labels"`
}

// Kept is the part of an image's config that the policies read, as a lock holds it: no other variable's value.
func (e *Engine) Kept(ctx context.Context, c ImageConfig) (ImageConfig, error) {
	input, err := plan.FromGo(map[string]any{
		"entrypoint": c.Entrypoint, "command": c.Command, "environment": c.Environment, "labels": c.Labels,
	})
	if err != nil {
		return ImageConfig{}, fmt.Errorf("read the image's config: %w", err)
	}
	answer, err := e.policies.eval(ctx, "data.headroom.lock.kept", input)
	return answered[ImageConfig](ctx, "what a lock holds", answer, err)
}
