//go:build integration

package measure_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/tests/harness/history"
)

// A server that lets only so many samples through is asked for less at once, and the answers
// are the same.
func TestTooManySamples(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		most    int
		problem string
	}{
		{50_000_000, ""},
		{700, ""}, // two days are 577 steps of a rate, and as many of what is made of them
		{20, "too many samples"},
	} {
		t.Run(fmt.Sprint(test.most), func(t *testing.T) {
			h := history.New()
			owners := shop(h)
			server := history.Start(t, h, history.Options{Flags: []string{fmt.Sprintf("--query.max-samples=%d", test.most)}})
			use, err := told(t, h, server).Namespace(t.Context(), "shop", owners)
			if test.problem != "" {
				if err == nil {
					t.Fatal("no problem")
				}
				says(t, err.Error(), test.problem, "--prometheus-step", "average CPU", "peak memory", "restarts")
				return
			}
			if err != nil {
				t.Error(err)
			}
			cart := use[key("Deployment", "cart")]["app"]
			near(t, "average CPU", cart.CPUAverage, ((0.5*47+2)/48+0.3)/2)
			near(t, "peak CPU", cart.CPUPeak, 2)
			if cart.MemoryPeak != "700Mi" || cart.Samples < 570 || cart.Restarts != 0 {
				t.Errorf("measured %+v", cart)
			}
			close(t, "throttled", cart.Throttled/cart.Periods, 0.2)
			if got := use[key("StatefulSet", "restarted")]["app"]; got.Restarts != 1 {
				t.Errorf("%d restarts, want 1", got.Restarts)
			}
		})
	}
}

// Which query is too slow depends on the machine: here every one is, in Prometheus' words.
func tooSlow(t *testing.T, server *history.Server) {
	slow := before(t, server, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if strings.HasSuffix(r.URL.Path, "/query") {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"status":"error","errorType":"timeout","error":"query timed out in expression evaluation"}`)
			return
		}
		next.ServeHTTP(w, r)
	})
	_, problem := ask(t, measure.PrometheusOptions{URL: slow})
	says(t, problem, "gave up after 1m", "--prometheus-window", "average CPU")
}

// A server that is busy is asked again.
func tooOften(t *testing.T, server *history.Server) {
	var asked sync.Map // every question is refused once
	limited := before(t, server, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if _, again := asked.LoadOrStore(r.URL.String()+string(body), true); !again {
			http.Error(w, "too many outstanding requests", http.StatusTooManyRequests)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
	use, problem := ask(t, measure.PrometheusOptions{URL: limited})
	if problem != "" {
		t.Error(problem)
	}
	near(t, "average CPU", use[key("StatefulSet", "web")]["app"].CPUAverage, 0.5)
	never := before(t, server, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if r.Method == http.MethodGet { // which metrics there are
			next.ServeHTTP(w, r)
			return
		}
		http.Error(w, "too many outstanding requests", http.StatusTooManyRequests)
	})
	_, problem = ask(t, measure.PrometheusOptions{URL: never})
	says(t, problem, "asked too often (429)", "average CPU")
}

// What is only a warning, as of a Thanos store that is down, is a problem too, but the rest is
// there.
func partialAnswers(t *testing.T, server *history.Server) {
	warned := before(t, server, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		recorded := &recorder{ResponseWriter: w}
		r.Header.Del("Accept-Encoding")
		next.ServeHTTP(recorded, r)
		fmt.Fprint(w, strings.Replace(recorded.text.String(), `{"status":"success",`,
			`{"status":"success","warnings":["store b is\n down"],`, 1))
	})
	use, problem := ask(t, measure.PrometheusOptions{URL: warned})
	says(t, problem, "not complete: store b is down")
	if strings.Count(problem, "store b") != 1 {
		t.Errorf("the warning is repeated: %s", problem)
	}
	near(t, "average CPU", use[key("StatefulSet", "web")]["app"].CPUAverage, 0.5)
}

// recorder keeps what is written instead of its length, which changes.
type recorder struct {
	http.ResponseWriter
	text strings.Builder
}

func (r *recorder) WriteHeader(int) { r.Header().Del("Content-Length") }

func (r *recorder) Write(p []byte) (int, error) { return r.text.Write(p) }

// An answer without an end is not read to it.
func endlessAnswer(t *testing.T, server *history.Server) {
	endless := before(t, server, func(w http.ResponseWriter, r *http.Request, next http.Handler) {
		if !strings.HasSuffix(r.URL.Path, "/query") {
			next.ServeHTTP(w, r)
			return
		}
		filler := []byte(strings.Repeat(" ", 1<<20))
		for r.Context().Err() == nil {
			if _, err := w.Write(filler); err != nil {
				return
			}
		}
	})
	_, problem := ask(t, measure.PrometheusOptions{URL: endless})
	says(t, problem, "answer of more than 64 MiB")
}
