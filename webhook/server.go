package webhook

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-logr/logr"
)

// Time limits of a connection. controller-runtime's webhook server sets none for reading a
// body, so that a client that sends one byte a minute holds a
// connection and its memory for ever, and it takes no http.Server of ours: hence this one.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 8 * time.Second
	writeTimeout      = 15 * time.Second
	// Longer than the 90 seconds after which the API server itself closes an idle
	// connection: who closes first must not be the one who is about to be asked.
	idleTimeout = 120 * time.Second
	// closeTimeout bounds how long requests are waited for after the drain.
	closeTimeout = 10 * time.Second
	// maxHeaderBytes is far above what the API server sends.
	maxHeaderBytes = 64 << 10
)

// admissionServer is the server that the API server calls.
func (p *parts) admissionServer() *http.Server {
	server := plainServer(p.closing(p.handlers()), p.options.Log)
	server.TLSConfig = p.certificates.TLS()
	return server
}

func plainServer(handler http.Handler, log logr.Logger) *http.Server {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(connectionLog{logr.ToSlogHandler(log.WithName("http"))}, slog.LevelInfo),
		Protocols:         &http.Protocols{},
	}
	server.Protocols.SetHTTP1(true)
	return server
}

// connectionLog leaves out connections that were closed before a request came, which is
// what port scans and TCP probes do. A refused certificate is logged.
type connectionLog struct{ slog.Handler }

func (l connectionLog) Handle(ctx context.Context, r slog.Record) error {
	r.Message = strings.TrimSpace(r.Message)
	if strings.HasPrefix(r.Message, "http: TLS handshake error") && strings.HasSuffix(r.Message, ": EOF") {
		return nil
	}
	return l.Handler.Handle(ctx, r)
}

// closing tells clients to open their next connection elsewhere once the drain has begun:
// the API server reuses connections, and would come back to a server that has gone (row
// 18). A connection on which nothing is asked is left open until the end, as closing it
// could meet a request that is on its way.
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

// probes answers the kubelet.
func (p *parts) probes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if err := p.ready(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprintln(w, "ok")
	})
	return mux
}

var errDraining = errors.New("stopping")

// ready says why no requests should be sent here.
func (p *parts) ready() error {
	if p.draining.Load() {
		return errDraining
	}
	return errors.Join(p.cluster.Ready(), p.certificates.Ready())
}

// monitoring answers Prometheus, and nothing else: no profiles.
func (p *parts) monitoring() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", p.metrics.Handler())
	return mux
}
