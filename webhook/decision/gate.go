package decision

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

const (
	// maxWaiting bounds how many objects wait: what stands further back would not be answered
	// within the API server's two seconds anyway, and only take memory (L3).
	maxWaiting = 512
	// maxWait leaves time to answer within those two seconds.
	maxWait = time.Second
	// firstRate is what a byte of an object is taken to cost in a namespace that nothing is known of. A plain Pod of
	// 1 KB takes about 1 ms, a JVM with flags 4 ms.
	firstRate = 2 * time.Microsecond
	// dear is the cost from which an object is expensive and leaves a place to others.
	dear = 20 * time.Millisecond
	// A heavy evaluation makes so much garbage, some 20 MB, that others wait for its collection. It takes this
	// long and its object is this large: on a busy processor a small object may take as long.
	heavy      = 50 * time.Millisecond
	heavyBytes = 16 << 10
	// Of objects from this size on one is evaluated at a time: each may take thirty times its size in memory.
	largeBytes = 256 << 10
	// maxLanes bounds the namespaces that are remembered for what they have used.
	maxLanes = 1024
)

// gate lets only so many evaluations run at once, and shares them fairly. Each namespace has a queue of its own, and
// the next place goes to the one that has used the least of a processor. That is start-time fair queueing (P. Goyal,
// H. Vin, H. Cheng 1997) with the time as the cost, so a few expensive objects weigh as much as many cheap ones. A
// cheap object gets one more place if nothing of its namespace is running.
type gate struct {
	places int
	queue  int
	wait   time.Duration
	now    func() time.Time
	// meter measures an evaluation, in the goroutine that enters: the function gives what it has cost.
	meter func() func() time.Duration

	lock    sync.Mutex
	running int
	large   int // of those that run
	waiting int
	lanes   map[string]*lane
	clock   time.Duration // the start of the evaluation that was let in last, in used time
	arrived uint64        // how many have come
	heavyAt time.Time     // when the last heavy evaluation ended
}

// lane is a namespace that waits or runs.
type lane struct {
	tickets []*ticket
	running int
	used    time.Duration
	rate    float64 // nanoseconds that a byte of its objects takes, as the last ones did
}

// ticket is a waiting request. called tells whether it is let in or turned away.
type ticket struct {
	called  chan bool
	bytes   int
	number  uint64
	charged time.Duration // what its evaluation is taken to cost
}

// large is 1 for an object that takes much memory.
func (t *ticket) large() int {
	if t.bytes >= largeBytes {
		return 1
	}
	return 0
}

func newGate(places int) *gate {
	g := &gate{places: places, queue: maxWaiting, wait: maxWait, now: time.Now, lanes: map[string]*lane{}}
	g.meter = func() func() time.Duration {
		began := g.now()
		return func() time.Duration { return g.now().Sub(began) }
	}
	return g
}

// enter waits for a place and gives the function that leaves it, or ErrBusy.
func (g *gate) enter(namespace string, bytes int) (leave func(), err error) {
	t := g.line(namespace, bytes)
	if t == nil {
		return nil, ErrBusy
	}
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	select {
	case in := <-t.called:
		if !in {
			return nil, ErrBusy
		}
	case <-timer.C:
		if !g.gone(namespace, t) {
			return nil, ErrBusy
		}
	}
	cost := g.meter()
	return func() { g.left(namespace, t, cost()) }, nil
}

// line queues up; nil if the queue is full and this namespace has the longest part of it.
func (g *gate) line(namespace string, bytes int) *ticket {
	g.lock.Lock()
	defer g.lock.Unlock()
	l := g.lanes[namespace]
	if l == nil {
		l = &lane{rate: float64(firstRate), used: g.clock}
		g.lanes[namespace] = l
	}
	if g.running >= g.places && g.waiting >= g.queue && !g.makeRoom(l) {
		g.forget()
		return nil
	}
	g.arrived++
	t := &ticket{called: make(chan bool, 1), bytes: max(1, bytes), number: g.arrived}
	t.charged = time.Duration(l.rate * float64(t.bytes))
	l.tickets = append(l.tickets, t)
	g.waiting++
	g.call()
	return t
}

// makeRoom turns away the last of the longest lane, if that is longer than another would become.
func (g *gate) makeRoom(other *lane) bool {
	var longest *lane
	for _, l := range g.lanes {
		if longest == nil || len(l.tickets) > len(longest.tickets) {
			longest = l
		}
	}
	last := len(longest.tickets) - 1
	if last <= len(other.tickets) {
		return false
	}
	longest.tickets[last].called <- false
	longest.tickets = longest.tickets[:last]
	g.waiting--
	return true
}

// call lets in the next requests, as long as there are places.
func (g *gate) call() {
	for l := g.next(); l != nil; l = g.next() {
		t := l.tickets[0]
		l.tickets = l.tickets[1:]
		g.clock = max(g.clock, l.used)
		l.used = g.clock + t.charged
		l.running++
		g.running++
		g.large += t.large()
		g.waiting--
		t.called <- true
	}
}

// next is the lane that has used the least time, among those with a free place; of several, the one that waits longest.
func (g *gate) next() *lane {
	var first *lane
	for _, l := range g.lanes {
		if len(l.tickets) > 0 && g.running < g.room(l) && (first == nil || l.before(first)) {
			first = l
		}
	}
	return first
}

func (l *lane) before(other *lane) bool {
	return cmp.Or(cmp.Compare(l.used, other.used), cmp.Compare(l.tickets[0].number, other.tickets[0].number)) < 0
}

// room is how many evaluations may run, this lane's next one among them. An expensive object leaves one place free
// for cheap ones, no matter which client sends it.
func (g *gate) room(l *lane) int {
	first := l.tickets[0]
	cheap := first.charged < dear && first.large() == 0
	switch {
	case first.large()+g.large > 1:
		return 0
	case cheap && l.running == 0:
		return g.places + 1
	case cheap:
		return g.places
	default:
		return max(1, g.places-1)
	}
}

// gone removes a ticket that has waited long enough; true if it was called at that very moment.
func (g *gate) gone(namespace string, t *ticket) (called bool) {
	g.lock.Lock()
	defer g.lock.Unlock()
	l := g.lanes[namespace]
	if l != nil {
		if i := slices.Index(l.tickets, t); i >= 0 {
			l.tickets = slices.Delete(l.tickets, i, i+1)
			g.waiting--
			g.forget()
			return false
		}
	}
	return <-t.called
}

// left counts what an evaluation has cost, and calls the next.
func (g *gate) left(namespace string, t *ticket, cost time.Duration) {
	g.lock.Lock()
	defer g.lock.Unlock()
	l := g.lanes[namespace]
	if cost >= heavy && t.bytes >= heavyBytes {
		g.heavyAt = g.now()
	}
	l.used += cost - t.charged
	l.rate += (float64(cost)/float64(t.bytes) - l.rate) / 4
	l.running--
	g.running--
	g.large -= t.large()
	g.call()
	g.forget()
}

// forget drops namespaces that neither wait nor run, once the others have used as much time. A namespace that leaves
// and comes back at once does not pass those that have waited meanwhile. When all lanes are idle, all are dropped.
func (g *gate) forget() {
	for name, l := range g.lanes {
		if len(l.tickets) == 0 && l.running == 0 && (l.used <= g.clock || g.running+g.waiting == 0 || len(g.lanes) > maxLanes) {
			delete(g.lanes, name)
		}
	}
}

// laden says whether something heavy was evaluated within some time.
func (g *gate) laden(within time.Duration) bool {
	g.lock.Lock()
	defer g.lock.Unlock()
	return !g.heavyAt.IsZero() && g.now().Sub(g.heavyAt) < within
}

// waits is how many objects wait.
func (g *gate) waits() int {
	g.lock.Lock()
	defer g.lock.Unlock()
	return g.waiting
}
