package webhook

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/headroom-dev/headroom/internal/certificates"
	"github.com/headroom-dev/headroom/webhook/metrics"
)

func newServer(t *testing.T) *server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &parts{
		options: Options{Log: logr.Discard(), Drain: time.Millisecond}, metrics: metrics.New(nil),
		certificates: certificates.New(certificates.Options{Dir: t.TempDir(), Log: logr.Discard()}),
	}
	return p.admissionServer(listener)
}

// A manager of controller-runtime starts the server, and its end drains it.
func TestAManagerTakesTheServer(t *testing.T) {
	s := newServer(t)
	m, err := manager.New(&rest.Config{Host: "http://127.0.0.1:1"}, manager.Options{
		WebhookServer: s, Metrics: metricsserver.Options{BindAddress: "0"}, Logger: logr.Discard(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.StartedChecker()(nil); err != errNotServing {
		t.Error(err)
	}
	m.GetWebhookServer().Register("/another", http.NotFoundHandler())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- m.Start(ctx) }()
	for end := time.Now().Add(time.Minute); s.StartedChecker()(nil) != nil; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not start")
		}
	}
	cancel()
	if err := <-done; err != nil || !s.draining.Load() {
		t.Errorf("%v, drained: %t", err, s.draining.Load())
	}
	if s.NeedLeaderElection() {
		t.Error("each replica answers")
	}
}

func TestPathsThatAreServed(t *testing.T) {
	mux := newServer(t).WebhookMux()
	for target, want := range map[string]int{
		"POST " + PathMutate: 415, "POST " + PathValidate: 415, "POST " + PathValidateEnforce: 415,
		"GET " + PathValidate: 405, "POST /": 404,
	} {
		method, path, _ := strings.Cut(target, " ")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(method, path, http.NoBody))
		if w.Code != want {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
}

// What ends a port, or another part, is not waited for.
func TestServingEndsWithoutADrain(t *testing.T) {
	failing := newServer(t)
	failing.options.Drain = time.Hour
	_ = failing.listener.Close()
	if err := failing.Start(t.Context()); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	abandoned := newServer(t)
	abandoned.options.Drain = time.Hour
	ctx, abandon := context.WithCancelCause(t.Context())
	abandon(errPartFailed)
	if err := abandoned.Start(ctx); err != nil || !abandoned.draining.Load() {
		t.Error(err)
	}
}
