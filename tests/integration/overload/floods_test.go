//go:build integration

package overload

import (
	"context"
	"crypto/tls"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/dear"
)

const (
	flooding = 600 // connections, which is more than may be open
	lasting  = 3 * time.Second
)

// floods are what a client sends at first, and then again and again.
func floods() map[string][2]string {
	const head = "POST /validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
	many := func(each string) string { return strings.Repeat(each, 64<<10/len(each)) }
	return map[string][2]string{
		"headers without end":          {head, many("X-A: b\r\n")},
		"one header without end":       {head + "X-A: ", many("b")},
		"a request line without end":   {"POST /", many("a")},
		"chunks of a byte":             {head + "Transfer-Encoding: chunked\r\n\r\n", many("1\r\n \r\n")},
		"extensions of chunks":         {head + "Transfer-Encoding: chunked\r\n\r\n1", many(";a=b")},
		"chunks without end":           {head + "Transfer-Encoding: chunked\r\n\r\n", "10000\r\n" + strings.Repeat(" ", 64<<10) + "\r\n"},
		"trailers without end":         {head + "Transfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n1\r\n{\r\n0\r\n", many("X-A: b\r\n")},
		"a body that is announced":     {head + "Content-Length: 7000000\r\n\r\n", strings.Repeat(" ", 64<<10)},
		"bodies of deep JSON":          {head + "Content-Length: 7000000\r\n\r\n", many("[")},
		"two lengths":                  {head + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", many("a")},
		"a length and chunks":          {head + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", many("1\r\n \r\n")},
		"requests one after the other": {"", many("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")},
		"reviews that are none":        {"", many(head + "Content-Length: 2\r\n\r\n{}")},
		"HTTP/2 that resets":           {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", many("\x00\x00\x04\x03\x00\x00\x00\x00\x01\x00\x00\x00\x08")},
		"HTTP/2 that continues":        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", many("\x00\x00\x01\x09\x00\x00\x00\x00\x01a")},
		"an upgrade to HTTP/2":         {"POST /validate HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n", many("\x00")},
		"expectations":                 {"", many(head + "Expect: 100-continue\r\nContent-Length: 5\r\n\r\n")},
	}
}

// Whatever is sent without an end on as many connections as there may be, and on more: memory stays low, the process lives, and the
// next request is answered.
func TestFloods(t *testing.T) {
	memory, _ := limits(t)
	s := serve(t, "disabled")
	pod := dear.Pod("flags", 1000, 0)
	for name, flood := range floods() {
		s.forget(t)
		ctx, cancel := context.WithTimeout(t.Context(), lasting)
		var group sync.WaitGroup
		places := make(chan bool, 50) // handshakes at once
		for range flooding {
			group.Go(func() {
				for ctx.Err() == nil {
					s.flood(ctx, places, flood)
				}
			})
		}
		group.Wait()
		cancel()
		if code := ask(t, s.client(), "https://"+s.address+"/validate", pod); code != http.StatusOK {
			t.Errorf("after %s: %d", name, code)
		}
		peak := s.status(t, "VmHWM") >> 10
		t.Logf("%s: %d of %d MiB", name, peak, memory)
		if peak*100 > memory*mostPercent {
			t.Errorf("%s: %d of %d MiB", name, peak, memory)
		}
	}
	if !strings.Contains(s.measures(t), "\nheadroom_panics_total 0\n") {
		t.Error("a panic")
	}
}

// flood opens a connection and sends until it is closed.
func (s *server) flood(ctx context.Context, places chan bool, flood [2]string) {
	places <- true
	conn, err := (&tls.Dialer{Config: s.tls()}).DialContext(ctx, "tcp", s.address)
	<-places
	if err != nil {
		return // it was the oldest
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	for _, err = conn.Write([]byte(flood[0])); err == nil; {
		_, err = conn.Write([]byte(flood[1]))
	}
}
