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

// final marks an error that waiting does not fix.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

func stop(err error) error { return final{err} }

// until calls the condition until it returns nil.
func until(ctx context.Context, timeout time.Duration, what string, condition func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("not in %s", timeout))
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

// Eventually calls the condition until it returns nil, and fails the test when it does not
// within the timeout.
func Eventually(t testing.TB, timeout time.Duration, what string, condition func() error) {
	t.Helper()
	err := until(t.Context(), timeout, what, func(context.Context) error { return condition() })
	if err != nil {
		t.Fatal(err)
	}
}
