// Package serve has what the webhook and the audit in the cluster share: servers with time limits, probes,
// metrics, and the config and the lock of images that are followed.
package serve

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/go-logr/logr"
)

// Time limits of a connection. controller-runtime's webhook server sets none for reading a body. A
// client that sends one byte a minute would hold a connection and its memory for ever (decision 0003).
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 8 * time.Second
	writeTimeout      = 15 * time.Second
	// Longer than the 90 seconds after which the API server itself closes an idle
	// connection: who closes first must not be the one who is about to be asked.
	idleTimeout = 120 * time.Second
	// maxHeaderBytes is far above what the API server sends.
	maxHeaderBytes = 64 << 10
)

// Server answers with a handler, over HTTP/1.1 alone.
func Server(handler http.Handler, log logr.Logger) *http.Server {
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
	server.ConnState = newConnections(maxConnections).note
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

// Listen opens a port for each address, all of them or none.
func Listen(ctx context.Context, addresses ...string) ([]net.Listener, error) {
	var listeners []net.Listener
	for _, address := range addresses {
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		if err != nil {
			for _, opened := range listeners {
				_ = opened.Close()
			}
			return nil, fmt.Errorf("listen: %w", err)
		}
		listeners = append(listeners, listener)
	}
	return listeners, nil
}

// Probes answers the kubelet; ready says why no requests should be sent here.
func Probes(ready func() error) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if err := ready(); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = fmt.Fprintln(w, "ok")
	})
	return mux
}

// Monitoring answers Prometheus, and nothing else: no profiles.
func Monitoring(metrics http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	return mux
}
