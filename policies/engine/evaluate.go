package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/policies/plan"
)

// longestText is twice what the kernel takes as one word of a command or as one variable.
const longestText = 256 << 10

// ErrLongText is why an evaluation under GivingWay ended that came upon a text of more than 256 KiB.
var ErrLongText = plan.ErrLongText

// GivingWay gives a context under which a long evaluation pauses now and then, so that other goroutines get the
// processor: Go's scheduler would interrupt it only every 10 ms. A short evaluation does not pause: the garbage
// collector could take its processor for as long. No text of more than 256 KiB is searched.
func GivingWay(ctx context.Context) context.Context {
	ctx = plan.WithLongest(ctx, longestText)
	const long, every, moment = 5 * time.Millisecond, 300 * time.Microsecond, 20 * time.Microsecond
	next := time.Now().Add(long)
	return plan.WithTurn(ctx, func() {
		if now := time.Now(); now.After(next) {
			time.Sleep(moment)
			next = time.Now().Add(every)
		}
	})
}

// Evaluate judges one review.
func (e *Engine) Evaluate(ctx context.Context, r Review) (Result, error) {
	return asking(ctx, e, r, e.decide)
}

func (e *Engine) decide(ctx context.Context, input plan.Value) (Result, error) {
	answer, failures, err := e.eval(ctx, "data.headroom.main.result", input)
	if err != nil {
		return Result{}, fmt.Errorf("evaluate policies: %w", err)
	}
	result, err := decode(ctx, answer)
	result.Failed = failures
	if err != nil {
		return Result{}, fmt.Errorf("read the verdict: %w", err)
	}
	slices.SortStableFunc(result.Findings, compare)
	slices.SortStableFunc(result.Exempted, compare)
	plan.Turn(ctx)
	return result, nil
}

// errUndefined cannot happen while main.result is total; were it to, the answer must be an
// error and never "no findings".
var errUndefined = errors.New("the policies gave no answer")

// compare orders findings so that the same input gives the same output.
func compare(a, b Finding) int {
	return cmp.Or(
		strings.Compare(a.Resource.Namespace, b.Resource.Namespace),
		strings.Compare(a.Resource.Kind, b.Resource.Kind),
		strings.Compare(a.Resource.Name, b.Resource.Name),
		strings.Compare(a.Rule, b.Rule),
		strings.Compare(a.Container, b.Container),
		strings.Compare(a.Path, b.Path),
		strings.Compare(a.Message, b.Message),
	)
}
