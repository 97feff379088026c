package serve

import (
	"net"
	"net/http"
	"sync"
)

// maxConnections bounds the connections of a server. An API server has one for each request that it waits for.
const maxConnections = 512

// connections are those of a server. Where there are too many, one goes on which nothing is being answered: a client
// that opens thousands and says nothing takes no memory from those that ask.
type connections struct {
	most int

	lock  sync.Mutex
	count uint64
	open  map[net.Conn]connection
}

type connection struct {
	state  http.ConnState
	number uint64 // in the order in which their state began
}

func newConnections(most int) *connections {
	return &connections{most: most, open: map[net.Conn]connection{}}
}

// note is the server's ConnState.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.lock.Lock()
	defer c.lock.Unlock()
	if state == http.StateClosed || state == http.StateHijacked {
		delete(c.open, conn)
		return
	}
	c.count++
	c.open[conn] = connection{state, c.count}
	if len(c.open) <= c.most {
		return
	}
	if cut := c.idlest(); cut != nil {
		delete(c.open, cut)
		go func() { _ = cut.Close() }() // a peer that reads nothing would keep us
	}
}

// idlest is the connection that goes first: the oldest on which nothing was ever asked, else the one that has been idle
// for longest, else the newest.
func (c *connections) idlest() net.Conn {
	var found net.Conn
	var best connection
	for conn, this := range c.open {
		if found == nil || this.before(best) {
			found, best = conn, this
		}
	}
	return found
}

func (c connection) before(other connection) bool {
	rank := func(s http.ConnState) int {
		switch s {
		case http.StateNew:
			return 0
		case http.StateIdle:
			return 1
		}
		return 2
	}
	if a, b := rank(c.state), rank(other.state); a != b {
		return a < b
	}
	if c.state == http.StateActive {
		return c.number > other.number
	}
	return c.number < other.number
}
