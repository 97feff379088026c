// Package cputime measures what work takes of a processor, not how long it lasts. On a busy machine a small piece of
// work may last as long as a large one.
package cputime

import (
	"context"
	"errors"
	"time"
)

// ErrStarved is why a context of Within ended whose work got too little of a processor.
var ErrStarved = errors.New("the processor was busy with other work")

// ErrUsed is why a context of Within ended whose work took too much.
var ErrUsed = errors.New("the work took too much of a processor")

// Within gives a context that ends once the meter's work has taken so much of a processor, or has lasted so long. A
// timer looks at it only when it may be so far.
func (m *Meter) Within(ctx context.Context, processor, wall time.Duration) (context.Context, func()) {
	const atLeast = time.Millisecond
	ctx, cancel := context.WithCancelCause(ctx)
	began := time.Now()
	timers := make(chan *time.Timer, 1)
	var look func()
	look = func() {
		timer, open := <-timers
		if !open {
			return
		}
		left := processor - m.Used()
		rest := wall - time.Since(began)
		switch {
		case left <= 0:
			cancel(ErrUsed)
		case rest <= 0:
			cancel(ErrStarved)
		default:
			timer.Reset(max(atLeast, min(left, rest)))
		}
		timers <- timer
	}
	timers <- time.AfterFunc(max(atLeast, min(processor, wall)), look)
	return ctx, func() {
		(<-timers).Stop()
		close(timers)
		cancel(nil)
	}
}
