//go:build integration

package webhook

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/tlstest"
)

// service sends new connections to ready replicas, and learns late who is ready, as the
// endpoints of a Service do.
type service struct{ address atomic.Value }

func (s *service) client(ca *tlstest.CA) *http.Client {
	return &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: ca.Pool, ServerName: "localhost"},
		MaxIdleConnsPerHost: 100,
		// Less than the drain: a connection that was idle all through it can be used in the moment in which it is
		// closed, for which HTTP/1.1 has no remedy.
		IdleConnTimeout: time.Second,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, s.address.Load().(string))
		},
	}}
}

// F3, W17, W18: replicas are replaced one after the other under load, and no request
// fails.
func TestRollingRestartUnderLoad(t *testing.T) {
	ca := tlstest.NewCA(t)
	start := func() *replica {
		// Long enough for this machine to change the endpoints under load.
		r := launch(t, ca, func(o *Options) { o.Drain = 3 * time.Second })
		eventually(t, "readiness", func() bool { return r.status("/readyz") == http.StatusOK })
		return r
	}
	current := start()
	var s service
	s.address.Store(current.address)

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const clients = 8
	var asked atomic.Int64
	failed, done := make(chan error, clients), make(chan struct{}, clients)
	shared := s.client(ca)
	for range clients {
		go func() {
			defer func() { done <- struct{}{} }()
			for ctx.Err() == nil {
				if _, err := ask(shared, "headroom-webhook"); err != nil {
					failed <- err
					return
				}
				asked.Add(1)
			}
		}()
	}
	for range 4 {
		next := start()
		before := asked.Load()
		current.terminate()
		eventually(t, "the old replica to be not ready", func() bool { return current.status("/readyz") != http.StatusOK })
		time.Sleep(400 * time.Millisecond) // until the endpoints have changed
		s.address.Store(next.address)
		if err := <-current.done; err != nil {
			t.Error(err)
		}
		current.done <- nil
		current = next
		if asked.Load() == before {
			t.Error("nothing was answered during the drain")
		}
	}
	cancel()
	for range clients {
		<-done
	}
	close(failed)
	for err := range failed {
		t.Error(err)
	}
	t.Logf("%d requests", asked.Load())
}

func TestConnectionsAreClosedWhileDraining(t *testing.T) {
	t.Parallel() // it mostly waits
	r := ready(t, func(o *Options) { o.Drain = 5 * time.Second })
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
	eventually(t, "the drain", func() bool { return r.status("/readyz") == http.StatusServiceUnavailable })
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
	config := &tls.Config{RootCAs: r.ca.Pool, ServerName: "localhost"}
	closed := make(chan time.Duration, slow)
	for i := range slow {
		conn, err := tls.Dial("tcp", r.address, config)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		// Half of them in the header, half in the body.
		text := "POST /validate HTTP/1.1\r\nHost: localhost\r\n"
		if i%2 == 0 {
			text += "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"
		}
		if _, err := conn.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		go func() {
			buffer := make([]byte, 512)
			for {
				if _, err := conn.Read(buffer); err != nil {
					closed <- time.Since(began)
					return
				}
			}
		}()
	}
	client := r.client()
	for range 200 {
		held, began := len(closed), time.Now()
		if _, err := ask(client, r.address); err != nil {
			t.Fatal(err)
		}
		// Who waits for slow clients is answered when they are gone. A machine that does other
		// things is slow, too.
		if took := time.Since(began); took > 2*time.Second && len(closed) > held {
			t.Errorf("beside slow clients a request took %s", took)
		}
	}
	for range slow {
		select {
		case after := <-closed:
			if after > 20*time.Second {
				t.Errorf("a slow connection was held for %s", after)
			}
		case <-time.After(30 * time.Second):
			t.Fatal("a slow connection is held for ever")
		}
	}
}

func TestLargeHeaders(t *testing.T) {
	r := ready(t, nil)
	url := "https://" + r.address + PathValidate
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		request.Header.Set(fmt.Sprintf("X-Header-%d", i), "some value that is not long but there are many")
	}
	response, err := r.client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Error(response.Status)
	}
}
