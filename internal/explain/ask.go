package explain

import (
	"context"
	"errors"

	"github.com/headroom-dev/headroom/policies/engine"
)

// answer is what the policies say of one workload.
type answer struct {
	resource     engine.Resource
	path         string // JSON pointer to the object inside its document
	findings     []engine.Finding
	exempted     int
	failed       []engine.Failure
	explanations []engine.Explanation
}

// ask asks the policies about an object; nil where it is no workload.
func (r *runner) ask(ctx context.Context, review engine.Review) (*answer, error) {
	result, err := r.engine.Evaluate(ctx, review)
	if err != nil {
		return nil, errors.New(engine.Unjudged(engine.ResourceOf(review.Manifest), err))
	}
	for _, object := range result.Objects {
		if !object.Judged {
			continue
		}
		explanations, err := r.engine.Explain(ctx, review, engine.ExplainOptions{
			PauseMS: milliseconds(r.options.Pause), PeriodMS: milliseconds(r.options.Period), Workers: r.options.Workers,
			GCThreads: r.options.gcThreads,
		})
		if err != nil {
			return nil, errors.New(engine.Unjudged(object.Resource, err))
		}
		return &answer{
			resource: object.Resource, path: object.Path, findings: result.Findings,
			exempted: len(result.Exempted), failed: result.Failed, explanations: explanations,
		}, nil
	}
	return nil, nil
}

// of are the findings on a container; "" are those on the workload.
func (a *answer) of(container string) []engine.Finding {
	var list []engine.Finding
	for _, f := range a.findings {
		if f.Container == container {
			list = append(list, f)
		}
	}
	return list
}
