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

	"github.com/headroom-dev/headroom/internal/serve"
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
	for _, alive := range []uint64{math.MaxInt64 / 4, math.MaxUint64} {
		if got, want := heap(math.MaxInt64, false).For(alive, false), int64(2*(math.MaxInt64/4)+12<<20); got != want {
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
	serve.Probes(p.ready).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if w.Code != http.StatusServiceUnavailable || w.Body.String() != "stopping\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = httptest.NewRecorder()
	serve.Probes(p.ready).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
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

func TestTheLimitIsKeptInStep(t *testing.T) {
	keepCollector(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	debug.SetMemoryLimit(math.MaxInt64)
	go func() {
		defer close(done)
		heap(1<<40, false).Follow(ctx, time.Millisecond, func() bool { return false })
	}()
	for end := time.Now().Add(10 * time.Minute); debug.SetMemoryLimit(-1) == math.MaxInt64; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the limit stays where it was")
		}
	}
	cancel()
	<-done
}
