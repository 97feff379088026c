package webhook

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/headroom-dev/headroom/internal/serve"
)

// closeTimeout bounds how long requests are waited for after the drain.
const closeTimeout = 10 * time.Second

// admissionServer is the server that the API server calls.
func (p *parts) admissionServer() *http.Server {
	server := serve.Server(p.closing(p.handlers()), p.options.Log)
	server.TLSConfig = p.certificates.TLS()
	return server
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

var errDraining = errors.New("stopping")

// ready says why no requests should be sent here.
func (p *parts) ready() error {
	if p.draining.Load() {
		return errDraining
	}
	return errors.Join(p.cluster.Ready(), p.certificates.Ready())
}
