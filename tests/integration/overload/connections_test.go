//go:build integration

package overload

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/dear"
	"github.com/headroom-dev/headroom/tests/harness/wait"
)

const (
	idleConnections = 10_000
	mostOpen        = 512
)

// Ten thousand connections on which nothing is asked: the oldest are closed, memory stays low, who asks is answered.
func TestIdleConnections(t *testing.T) {
	connections := min(idleConnections, int(files(t))/2-200)
	memory, _ := limits(t)
	s := serve(t, "disabled")
	pod := dear.Pod("flags", 1000, 0)
	client := s.client()
	s.forget(t)
	var opened, closed atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	places := make(chan bool, 50) // handshakes at once
	for range connections {
		places <- true
		group.Go(func() {
			conn, err := (&tls.Dialer{Config: s.tls()}).DialContext(ctx, "tcp", s.address)
			<-places
			if err != nil {
				closed.Add(1) // it was the oldest before its handshake was over
				return
			}
			opened.Add(1)
			defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
			_, _ = io.Copy(io.Discard, conn)
			closed.Add(1)
			_ = conn.Close()
		})
		if n := opened.Load(); n%1000 == 500 {
			if code := ask(t, client, "https://"+s.address+"/validate", pod); code != http.StatusOK {
				t.Errorf("with %d connections: %d", n, code)
			}
		}
	}
	wait.For(t, "connections to be closed", func() bool { return closed.Load() >= int64(connections-mostOpen) })
	if code := ask(t, s.client(), "https://"+s.address+"/validate", pod); code != http.StatusOK {
		t.Errorf("with all connections: %d", code)
	}
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", s.pid))
	if err != nil {
		t.Fatal(err)
	}
	peak := s.status(t, "VmHWM") >> 10
	t.Logf("%d connections, %d opened, %d files are open, %d MiB", connections, opened.Load(), len(entries), peak)
	if len(entries) > mostOpen+100 {
		t.Errorf("%d files are open", len(entries))
	}
	if peak*100 > memory*mostPercent {
		t.Errorf("%d of %d MiB", peak, memory)
	}
	began := closed.Load()
	wait.For(t, "those that never ask to be cut", func() bool { return closed.Load() == int64(connections) })
	t.Logf("%d were cut in time", closed.Load()-began)
	cancel()
	group.Wait()
}

// files is how many files this process may open.
func files(t *testing.T) uint64 {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	return limit.Cur
}
