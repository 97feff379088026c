package serve

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/go-logr/logr"
)

// Thousands of connections that say nothing leave room for a client that asks, and are closed.
func TestIdleConnectionsAreBounded(t *testing.T) {
	const most, idle = 20, 200
	server := Server(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "ok") }), logr.Discard())
	known := newConnections(most)
	server.ConnState = known.note
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	defer func() { _ = server.Close() }()
	ask := func(client *http.Client) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String(), nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = answer.Body.Close() }()
		if text, err := io.ReadAll(answer.Body); err != nil || string(text) != "ok" {
			t.Errorf("%s, %v", text, err)
		}
	}
	client := &http.Client{Transport: &http.Transport{}}
	ask(client)
	closed := make(chan bool, idle)
	for range idle {
		conn, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
			_, err := conn.Read(make([]byte, 1))
			closed <- err == io.EOF
		}()
	}
	for range idle - most {
		if !<-closed {
			t.Fatal("a connection was not closed")
		}
	}
	ask(client)
	ask(&http.Client{Transport: &http.Transport{}})
	known.lock.Lock()
	defer known.lock.Unlock()
	if n := len(known.open); n > most {
		t.Errorf("%d are open", n)
	}
}

// What is being answered is not cut, unless everything is.
func TestWhichConnectionGoes(t *testing.T) {
	conn := func() net.Conn { a, _ := net.Pipe(); return a }
	c := newConnections(3)
	fresh, idle, active := conn(), conn(), conn()
	c.note(idle, http.StateIdle)
	c.note(active, http.StateActive)
	c.note(fresh, http.StateNew)
	for i, gone := range []net.Conn{fresh, idle} {
		next := conn()
		c.note(next, http.StateActive)
		if _, open := c.open[gone]; open || len(c.open) != 3 {
			t.Errorf("%d: another one went", i)
		}
	}
	last := conn()
	c.note(last, http.StateActive)
	if _, open := c.open[last]; open || len(c.open) != 3 {
		t.Error("one that was being answered went for a newer one")
	}
	c.note(active, http.StateClosed)
	if len(c.open) != 2 {
		t.Error("a closed one is remembered")
	}
}
