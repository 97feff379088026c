// Package queue is a work queue that knows how long its entries have waited.
package queue

import (
	"context"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// Retries wait longer and longer, from retryFirst to retryMost.
const (
	retryFirst = 100 * time.Millisecond
	retryMost  = 2 * time.Minute
)

// Queue hands out keys, each to one worker at a time. A key that is added while it waits is
// one entry; added while it is worked on, it comes again afterwards.
type Queue[K comparable] struct {
	work workqueue.TypedRateLimitingInterface[K]
	done func(time.Duration) // told how long an entry took since it was added

	mu    sync.Mutex
	since map[K]time.Time // of what waits
	busy  map[K]time.Time // of what is worked on
}

// New makes a queue; done is told of every entry that has been worked off.
func New[K comparable](done func(time.Duration)) *Queue[K] {
	return &Queue[K]{
		work: workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[K](retryFirst, retryMost)),
		done:  done,
		since: map[K]time.Time{},
		busy:  map[K]time.Time{},
	}
}

// Add puts a key in.
func (q *Queue[K]) Add(key K) {
	q.mu.Lock()
	if _, waits := q.since[key]; !waits {
		q.since[key] = time.Now()
	}
	q.mu.Unlock()
	q.work.Add(key)
}

// Work runs workers until the context ends, and returns when the last of them has. What
// fails is tried again later, and later still when it fails again.
func (q *Queue[K]) Work(ctx context.Context, workers int, do func(context.Context, K) error) {
	stop := context.AfterFunc(ctx, q.work.ShutDown)
	defer stop()
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for q.next(ctx, do) {
			}
		})
	}
	group.Wait()
}

func (q *Queue[K]) next(ctx context.Context, do func(context.Context, K) error) bool {
	key, ended := q.work.Get()
	if ended {
		return false
	}
	defer q.work.Done(key)
	if ctx.Err() != nil {
		return true // the rest of the queue is dropped
	}
	since, known := q.begin(key)
	err := do(ctx, key)
	q.end(key, since, err)
	switch {
	case err != nil:
		q.work.AddRateLimited(key)
	case known:
		q.done(time.Since(since))
		fallthrough
	default:
		q.work.Forget(key)
	}
	return true
}

// begin moves a key from those that wait to those that are worked on: what is added from now
// on is another change. A retry that a later change has overtaken is not known.
func (q *Queue[K]) begin(key K) (since time.Time, known bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	since, known = q.since[key]
	if !known {
		since = time.Now()
	}
	delete(q.since, key)
	q.busy[key] = since
	return since, known
}

func (q *Queue[K]) end(key K, since time.Time, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.busy, key)
	if err != nil {
		q.since[key] = since
	}
}

// Waiting is the number of keys that wait or are worked on, those that failed included, and
// the age of the oldest.
func (q *Queue[K]) Waiting() (int, time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var oldest time.Duration
	for _, all := range []map[K]time.Time{q.since, q.busy} {
		for _, since := range all {
			oldest = max(oldest, time.Since(since))
		}
	}
	return len(q.since) + len(q.busy), oldest
}
