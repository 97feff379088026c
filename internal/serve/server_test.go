package serve

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/go-logr/logr"
)

func TestWhatOfConnectionsIsLogged(t *testing.T) {
	for message, want := range map[string]bool{
		"http: TLS handshake error from 127.0.0.1:1: EOF\n":                         false,
		"http: TLS handshake error from 127.0.0.1:1: remote error: bad certificate": true,
		"http: other error: EOF": true,
	} {
		var b bytes.Buffer
		server := Server(nil, logr.FromSlogHandler(slog.NewTextHandler(&b, nil)))
		server.ErrorLog.Print(message)
		if got := b.Len() > 0; got != want || strings.Contains(b.String(), `\n`) {
			t.Errorf("%q: %s", message, b.String())
		}
	}
	if server := Server(nil, logr.Discard()); !server.Protocols.HTTP1() || server.Protocols.HTTP2() {
		t.Errorf("%v", server.Protocols)
	}
}

func TestPortsAreGivenBackWhereOneIsTaken(t *testing.T) {
	const any, none = "127.0.0.1:0", "256.0.0.1:0"
	listeners, err := Listen(t.Context(), any, any, any)
	if err != nil || len(listeners) != 3 {
		t.Fatalf("%v, %v", listeners, err)
	}
	taken := listeners[0].Addr().String()
	for _, listener := range listeners {
		_ = listener.Close()
	}
	for range 2 { // the second time the first port is free again
		listeners, err := Listen(t.Context(), taken, none)
		if listeners != nil || err == nil || !strings.HasPrefix(err.Error(), "listen: ") || strings.Contains(err.Error(), "in use") {
			t.Errorf("%v, %v", listeners, err)
		}
	}
}
