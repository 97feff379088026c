package decision

import (
	"sync/atomic"
	"time"
)

const (
	// maxWaiting bounds the queue in front of the gate: what stands further back would not
	// be answered within the API server's two seconds anyway, and only take memory (L3).
	maxWaiting = 512
	// maxWait leaves time to answer within those two seconds.
	maxWait = time.Second
)

// gate lets only so many evaluations run at once, and only so many wait.
type gate struct {
	places  chan struct{}
	waiting atomic.Int64
	queue   int64
	wait    time.Duration
}

func newGate(places int) *gate {
	return &gate{places: make(chan struct{}, places), queue: maxWaiting, wait: maxWait}
}

// enter gives what leaves again, or ErrBusy.
func (g *gate) enter() (leave func(), err error) {
	leave = func() { <-g.places }
	select {
	case g.places <- struct{}{}:
		return leave, nil
	default:
	}
	if g.waiting.Add(1) > g.queue {
		g.waiting.Add(-1)
		return nil, ErrBusy
	}
	defer g.waiting.Add(-1)
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return leave, nil
	case <-timer.C:
		return nil, ErrBusy
	}
}
