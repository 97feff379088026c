package webhook

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
)

func TestNamesOfTheInstallation(t *testing.T) {
	for _, tc := range []struct {
		options  Options
		excluded []string
		service  string
	}{
		{Options{}, nil, ""},
		{Options{Exclude: []string{"b"}}, []string{"b"}, ""},
		{Options{Exclude: []string{"b"}, Namespace: "a"}, []string{"b", "a"}, ""},
		{Options{Namespace: "a", Service: "s"}, []string{"a"}, "s.a.svc"},
	} {
		if got := excluded(tc.options); !slices.Equal(got, tc.excluded) {
			t.Errorf("%+v: %v", tc.options, got)
		}
		if got := serviceName(tc.options); got != tc.service {
			t.Errorf("%+v: %s", tc.options, got)
		}
	}
}

func TestTheMostThatIsAlive(t *testing.T) {
	keepCollector(t)
	for _, alive := range []uint64{math.MaxInt64 / 4, math.MaxUint64} {
		memory{most: math.MaxInt64}.limit(alive, false)
		if got, want := debug.SetMemoryLimit(-1), int64(2*(math.MaxInt64/4)+12<<20); got != want {
			t.Errorf("%d alive: %d, not %d", alive, got, want)
		}
	}
}

func TestLevelsOfTheLog(t *testing.T) {
	for level, want := range map[string]string{
		"debug": "fine info error", "info": "info error", "warn": "error", "ERROR": "error",
	} {
		var b bytes.Buffer
		handler, err := newHandler(&b, level)
		if err != nil {
			t.Fatal(err)
		}
		log := logr.FromSlogHandler(handler)
		log.V(1).Info("fine")
		log.Info("info")
		log.Error(nil, "error")
		var said []string
		for _, message := range []string{"fine", "info", "error"} {
			if strings.Contains(b.String(), `"msg":"`+message+`"`) {
				said = append(said, message)
			}
		}
		if got := strings.Join(said, " "); got != want {
			t.Errorf("%s: %s", level, got)
		}
	}
	if _, err := newHandler(io.Discard, "loud"); err == nil || err.Error() != `--log-level "loud" is not one of debug, info, warn, error` {
		t.Error(err)
	}
}

func TestWhatOfConnectionsIsLogged(t *testing.T) {
	for message, want := range map[string]bool{
		"http: TLS handshake error from 127.0.0.1:1: EOF\n":                         false,
		"http: TLS handshake error from 127.0.0.1:1: remote error: bad certificate": true,
		"http: other error: EOF": true,
	} {
		var b bytes.Buffer
		server := plainServer(nil, logr.FromSlogHandler(slog.NewTextHandler(&b, nil)))
		server.ErrorLog.Print(message)
		if got := b.Len() > 0; got != want || strings.Contains(b.String(), `\n`) {
			t.Errorf("%q: %s", message, b.String())
		}
	}
	if server := plainServer(nil, logr.Discard()); !server.Protocols.HTTP1() || server.Protocols.HTTP2() {
		t.Errorf("%v", server.Protocols)
	}
}

func TestConnectionsEndOnceItDrains(t *testing.T) {
	p := &parts{}
	handler := p.closing(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	for _, want := range []string{"", "close"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
		if got := w.Header().Get("Connection"); got != want || w.Code != http.StatusTeapot {
			t.Errorf("%q, %d, not %q", got, w.Code, want)
		}
		p.draining.Store(true)
	}
	if err := p.ready(); err != errDraining {
		t.Error(err)
	}
	w := httptest.NewRecorder()
	p.probes().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if w.Code != http.StatusServiceUnavailable || w.Body.String() != "stopping\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	p.probes().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
	if w.Code != http.StatusOK || w.Body.String() != "ok\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestDrain(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tc := range []struct {
		name    string
		ctx     context.Context
		serving bool
		drain   time.Duration
		want    string
	}{
		{"after serving", t.Context(), true, time.Millisecond, "stopping: not ready any more, answering on|stopped"},
		{"after an error", t.Context(), false, time.Hour, "stopped"},
		{"without time", ended, true, time.Hour, "stopping: not ready any more, answering on|stopped"},
	} {
		var b bytes.Buffer
		p := &parts{options: Options{Drain: tc.drain, Log: logr.FromSlogHandler(slog.NewTextHandler(&b, nil))}}
		p.drain(tc.ctx, tc.serving, &http.Server{})
		for _, message := range strings.Split(tc.want, "|") {
			if strings.Count(b.String(), message) == 0 {
				t.Errorf("%s: no %q in %s", tc.name, message, b.String())
			}
		}
		if lines := strings.Count(b.String(), "\n"); !p.draining.Load() || lines != strings.Count(tc.want, "|")+1 {
			t.Errorf("%s: %s", tc.name, b.String())
		}
	}
}

func TestPortsAreGivenBackWhereOneIsTaken(t *testing.T) {
	const any, none = "127.0.0.1:0", "256.0.0.1:0"
	listeners, err := (&parts{options: Options{Listen: any, ProbeListen: any, MetricsListen: any}}).listen(t.Context())
	if err != nil || len(listeners) != 3 {
		t.Fatalf("%v, %v", listeners, err)
	}
	taken := listeners[0].Addr().String()
	for _, listener := range listeners {
		_ = listener.Close()
	}
	for range 2 { // the second time the first port is free again
		listeners, err := (&parts{options: Options{Listen: taken, ProbeListen: none}}).listen(t.Context())
		if listeners != nil || err == nil || !strings.HasPrefix(err.Error(), "listen: ") || strings.Contains(err.Error(), "in use") {
			t.Errorf("%v, %v", listeners, err)
		}
	}
}

func TestTheLimitIsKeptInStep(t *testing.T) {
	keepCollector(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	debug.SetMemoryLimit(math.MaxInt64)
	go func() {
		defer close(done)
		memory{most: 1 << 40}.follow(ctx, time.Millisecond, func(time.Duration) bool { return false })
	}()
	for end := time.Now().Add(10 * time.Minute); debug.SetMemoryLimit(-1) == math.MaxInt64; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the limit stays where it was")
		}
	}
	cancel()
	<-done
}
