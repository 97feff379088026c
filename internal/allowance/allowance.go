// Package allowance ends what takes too much memory. A command ends with its process; of a server only the work ends
// that it does just then, and it goes on to answer.
package allowance

import (
	"context"
	"runtime"
	"sync"
)

// TooMuch is why work was ended.
type TooMuch string

func (t TooMuch) Error() string { return string(t) }

var (
	mu      sync.Mutex
	running = map[*context.CancelCauseFunc]bool{}
)

// Begin gives work of a server a context that ends where the process takes too much memory. Done says that it has
// ended, and why if it was ended; what it held is to be let go before.
func Begin(ctx context.Context) (within context.Context, done func() error) {
	within, cancel := context.WithCancelCause(ctx)
	mu.Lock()
	defer mu.Unlock()
	running[&cancel] = true
	return within, func() error {
		why, ended := context.Cause(within).(TooMuch)
		if ended {
			runtime.GC() // or the next work would be ended for what this one left
		}
		cancel(nil)
		mu.Lock()
		defer mu.Unlock()
		delete(running, &cancel)
		if !ended {
			return nil
		}
		return why
	}
}

// End ends all work of a server, and says whether it does any.
func End(why TooMuch) bool {
	mu.Lock()
	defer mu.Unlock()
	for cancel := range running {
		(*cancel)(why)
	}
	return len(running) > 0
}
