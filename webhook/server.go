package webhook

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/healthz"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/headroom-dev/headroom/internal/serve"
	"github.com/headroom-dev/headroom/webhook/admission"
)

// closeTimeout bounds how long requests are waited for after the drain.
const closeTimeout = 10 * time.Second

var (
	errDraining   = errors.New("stopping")
	errNotServing = errors.New("the webhook port is not served yet")
	// errPartFailed ends serving without a drain: nothing new can be answered.
	errPartFailed = errors.New("a part of the webhook failed")
)

// server is what the API server calls. It is controller-runtime's webhook.Server, which a manager takes, and has what
// the library's lacks: time limits for bodies, a bound on connections, and a drain.
type server struct {
	*parts
	listener net.Listener
	mux      *http.ServeMux
	started  atomic.Bool
}

var _ webhook.Server = (*server)(nil)

// admissionServer serves the paths of the webhook on a port.
func (p *parts) admissionServer(listener net.Listener) *server {
	s := &server{parts: p, listener: listener, mux: http.NewServeMux()}
	h := admission.New(p.decider, p.cluster, p.metrics, p.options.Log.WithName("admission"))
	s.Register(PathMutate, h.Mutate)
	s.Register(PathValidate, h.Validate)
	s.Register(PathValidateEnforce, h.ValidateEnforce)
	return s
}

// NeedLeaderElection is false: each replica answers.
func (s *server) NeedLeaderElection() bool { return false }

// Register serves a path.
func (s *server) Register(path string, handler http.Handler) { s.mux.Handle("POST "+path, handler) }

// WebhookMux has the paths that are served.
func (s *server) WebhookMux() *http.ServeMux { return s.mux }

// StartedChecker says whether the port is served.
func (s *server) StartedChecker() healthz.Checker {
	return func(*http.Request) error {
		if !s.started.Load() {
			return errNotServing
		}
		return nil
	}
}

// Start serves until the context ends and the drain is over.
func (s *server) Start(ctx context.Context) error {
	server := serve.Server(s.closing(s.mux), s.options.Log)
	server.TLSConfig = s.certificates.TLS()
	ended := make(chan error, 1)
	go func() { ended <- server.ServeTLS(s.listener, "", "") }()
	s.started.Store(true)
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	s.drain(context.WithoutCancel(ctx), err == nil && !errors.Is(context.Cause(ctx), errPartFailed), server)
	return err
}

// closing tells clients to open their next connection elsewhere once the drain has begun. The API
// server reuses connections, and would come back to a server that has gone. A connection
// on which nothing is asked is left open until the end, as closing it could meet a request that is
// on its way.
func (p *parts) closing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// drain makes the replica not ready and serves on for a while, then lets the requests that
// are being answered end.
func (p *parts) drain(ctx context.Context, serving bool, server *http.Server) {
	p.draining.Store(true)
	if serving {
		p.options.Log.Info("stopping: not ready any more, answering on", "drain", p.options.Drain.String())
		select {
		case <-time.After(p.options.Drain):
		case <-p.options.drained:
		case <-ctx.Done():
		}
	}
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		p.options.Log.Error(err, "requests were cut off")
		return
	}
	p.options.Log.Info("stopped")
}

// ready says why no requests should be sent here.
func (p *parts) ready() error {
	if p.draining.Load() {
		return errDraining
	}
	return errors.Join(p.cluster.Ready(), p.certificates.Ready())
}
