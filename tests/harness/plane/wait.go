package plane

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// interval is how often a condition is looked at.
const interval = 100 * time.Millisecond

// patience ends a wait in vain. It is so long that no machine is too slow for what is waited for: how fast
// that is, is for benchmarks.
const patience = 10 * time.Minute

// final marks an error that waiting does not fix.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

func stop(err error) error { return final{err} }

// until calls the condition until it returns nil.
func until(ctx context.Context, what string, condition func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("not in %s", patience))
	defer cancel()
	for {
		err := condition(ctx)
		var last final
		switch {
		case err == nil:
			return nil
		case errors.As(err, &last):
			return fmt.Errorf("wait for %s: %w", what, last.error)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w: %w", what, context.Cause(ctx), err)
		case <-time.After(interval):
		}
	}
}

// Eventually calls the condition until it returns nil, and fails the test when that is in vain.
func Eventually(t testing.TB, what string, condition func() error) {
	t.Helper()
	err := until(t.Context(), what, func(context.Context) error { return condition() })
	if err != nil {
		t.Fatal(err)
	}
}
