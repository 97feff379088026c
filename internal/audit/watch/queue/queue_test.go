package queue

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// TestQueue: once for what waits, again for what changes meanwhile, later for what fails, and
// all of it counts as waiting until it is done.
func TestQueue(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var took atomic.Int64
	q := New[string](func(time.Duration) { took.Add(1) })
	q.Add("a")
	q.Add("a")
	q.Add("b")
	if n, _ := q.Waiting(); n != 2 {
		t.Errorf("%d wait", n)
	}
	var runs atomic.Int64
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		q.Work(ctx, 1, func(_ context.Context, key string) error {
			n := runs.Add(1)
			if waiting, _ := q.Waiting(); waiting == 0 {
				t.Error("nothing waits while something is worked on")
			}
			if key == "a" && n == 1 {
				q.Add("a") // a change meanwhile
				return nil
			}
			if key == "b" && n < 4 {
				return errors.New("not yet")
			}
			return nil
		})
	}()
	for {
		if n, _ := q.Waiting(); n == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-ended
	if runs.Load() < 4 || took.Load() != 3 {
		t.Errorf("%d runs, %d done", runs.Load(), took.Load())
	}
}
