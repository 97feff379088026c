//go:build integration

package webhook

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/tlstest"
	"github.com/headroom-dev/headroom/tests/harness/wait"
)

// service sends new connections to ready replicas, and learns late who is ready, as the
// endpoints of a Service do.
type service struct{ address atomic.Value }

func (s *service) client(ca *tlstest.CA) *http.Client {
	return &http.Client{Timeout: 10 * time.Minute, Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: ca.Pool, ServerName: "localhost"},
		MaxIdleConnsPerHost: 100,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, s.address.Load().(string))
		},
	}}
}

// longDrain is a drain that the test ends, however long the machine takes for what comes before.
func longDrain(t *testing.T) (change func(*Options), end func()) {
	t.Helper()
	drained, end := context.WithCancel(context.Background())
	return func(o *Options) { o.Drain, o.drained = time.Hour, drained.Done() }, end
}

// F3, W17, W18: replicas are replaced one after the other under load, and no request
// fails.
func TestRollingRestartUnderLoad(t *testing.T) {
	ca := tlstest.NewCA(t)
	start := func() (*replica, func()) {
		change, end := longDrain(t)
		r := launch(t, ca, change)
		t.Cleanup(end) // before the end of the replica is waited for
		wait.For(t, "readiness", func() bool { return r.status("/readyz") == http.StatusOK })
		return r, end
	}
	current, end := start()
	var s service
	s.address.Store(current.address)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const clients = 8
	var asked [clients]atomic.Int64
	var group sync.WaitGroup
	failed := make(chan error, clients)
	shared := s.client(ca)
	for i := range clients {
		group.Go(func() {
			for ctx.Err() == nil {
				if _, err := ask(shared, "headroom-webhook"); err != nil {
					failed <- err
					return
				}
				asked[i].Add(1)
			}
		})
	}
	// What a client asks for the second time from here on, it asked from here on.
	answered := func(what string) {
		t.Helper()
		for i := range asked {
			enough := asked[i].Load() + 2
			wait.For(t, what, func() bool { return asked[i].Load() >= enough || len(failed) > 0 })
		}
	}
	for range 4 {
		next, endNext := start()
		current.terminate()
		wait.For(t, "the old replica to be not ready", func() bool { return current.status("/readyz") != http.StatusOK })
		answered("answers during the drain")
		s.address.Store(next.address)
		answered("answers of the new replica")
		// A connection that was idle all through the drain can be used in the moment in which it is closed, for which
		// HTTP/1.1 has no remedy.
		shared.CloseIdleConnections()
		end()
		if err := <-current.done; err != nil {
			t.Error(err)
		}
		current.done <- nil
		current, end = next, endNext
	}
	cancel()
	group.Wait()
	close(failed)
	for err := range failed {
		t.Error(err)
	}
}

func TestConnectionsAreClosedWhileDraining(t *testing.T) {
	t.Parallel() // it mostly waits
	change, end := longDrain(t)
	r := ready(t, change)
	defer end()
	client := r.client()
	closes := func() bool {
		response, err := client.Post("https://"+r.address+PathValidate, "application/json", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }()
		return response.Close
	}
	if closes() {
		t.Error("connections are closed while serving")
	}
	r.terminate()
	wait.For(t, "the drain", func() bool { return r.status("/readyz") == http.StatusServiceUnavailable })
	if !closes() {
		t.Error("connections are kept while draining")
	}
	if r.status("/healthz") != http.StatusOK {
		t.Error("unhealthy while draining: the kubelet would kill it")
	}
}

// F17: clients that send one byte and then nothing hold their connections for some seconds
// and do not affect others.
func TestSlowClients(t *testing.T) {
	t.Parallel() // it mostly waits
	r := ready(t, nil)
	const slow = 200
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	var opened, closed atomic.Int64
	for i := range slow {
		// Half of them in the header, half in the body.
		text := "POST /validate HTTP/1.1\r\nHost: localhost\r\n"
		if i%2 == 0 {
			text += "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"
		}
		group.Go(func() {
			for first := true; ctx.Err() == nil; first = false {
				if err := r.stall(ctx, text, func() {
					if first {
						opened.Add(1)
					}
				}); err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
				closed.Add(1)
			}
		})
	}
	wait.For(t, "the slow clients", func() bool { return opened.Load() == slow || t.Failed() })
	client := r.client()
	// As each slow client comes back, who waits for them is never answered.
	for range 200 {
		if _, err := ask(client, r.address); err != nil {
			t.Fatal(err)
		}
	}
	wait.For(t, "slow connections to be closed", func() bool { return closed.Load() >= slow || t.Failed() })
	cancel()
	group.Wait()
}

// stall sends the beginning of a request, and waits until the replica closes the connection.
func (r *replica) stall(ctx context.Context, text string, sent func()) error {
	dialer := tls.Dialer{Config: &tls.Config{RootCAs: r.ca.Pool, ServerName: "localhost"}}
	conn, err := dialer.DialContext(ctx, "tcp", r.address)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	if _, err := conn.Write([]byte(text)); err != nil {
		return err
	}
	sent()
	_, _ = io.Copy(io.Discard, conn)
	return nil
}
