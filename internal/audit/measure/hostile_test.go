package measure

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

// everyone is a Pod of one StatefulSet.
type everyone struct{}

func (everyone) Of(string) (cluster.Key, bool) {
	return cluster.Key{Kind: "StatefulSet", Namespace: "shop", Name: "web"}, true
}

// lying is a Prometheus that gives one answer to whatever is asked, and knows every metric.
func lying(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) (Source, *atomic.Int32) {
	t.Helper()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/__name__/values") {
			_, _ = fmt.Fprintf(w, `{"status":"success","data":["%s"]}`, strings.Join(append([]string{
				metricCPU, metricMemory, metricPeriods, metricThrottled, metricThrottledSeconds, metricOOMEvents, metricWaiting, metricRestarts,
				metricLastReason, metricReason, metricCreated, metricPodOwner, metricPodInfo,
			}, metricsOf(exporters())...), `","`))
			return
		}
		if strings.HasSuffix(r.URL.Path, "/values") {
			_, _ = fmt.Fprint(w, `{"status":"success","data":["web-0"]}`)
			return
		}
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	s, err := Prometheus(PrometheusOptions{URL: server.URL, Window: 48 * time.Hour, Timeout: time.Minute, Growth: true})
	if err != nil {
		t.Fatal(err)
	}
	return s, &asked
}

// finite fails where a number of a struct is more than a container can have, or less.
func finite(t *testing.T, what string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) || f < -1 || f > 1e18 {
			t.Errorf("%s is %g", what, f)
		}
	case reflect.Int, reflect.Int64:
		if n := v.Int(); n < -1 {
			t.Errorf("%s is %d", what, n)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			finite(t, what+"."+v.Type().Field(i).Name, v.Field(i))
		}
	}
}

// What a Prometheus tells may be no number, or none that a container can have.
func TestLies(t *testing.T) {
	for _, value := range []string{"NaN", "+Inf", "-Inf", "-1", "1e308", "-1e308", "1e19", "1e-300", "0"} {
		s, asked := lying(t, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"status":"success","data":{"resultType":"vector","result":[{"metric":{"pod":"web-0","container":"app","uid":"u",`+
				`"namespace":"shop","area":"heap","id":"x","pool":"x","reason":"OOMKilled"},"value":[1,%q]}]}}`, value)
		})
		use, err := s.Namespace(t.Context(), "shop", everyone{})
		if err != nil && !strings.Contains(err.Error(), "unknown: ") {
			t.Errorf("%s: %v", value, err)
		}
		if asked.Load() > 10_000 {
			t.Errorf("%s: %d questions", value, asked.Load())
		}
		for _, containers := range use {
			for _, m := range containers {
				finite(t, value, reflect.ValueOf(m))
			}
		}
	}
}

// Whatever stands in the place of an answer is a problem that is told, soon.
func TestAnswersThatAreNone(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"HTML": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = fmt.Fprint(w, "<html>")
		},
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
		},
		"deep": func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, strings.Repeat("[", 10<<20)) },
		"another type": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprint(w, `{"status":"success","data":{"resultType":"string","result":[1,"x"]}}`)
		},
		"deep data": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprint(w, `{"status":"success","data":`+strings.Repeat(`{"a":`, 1<<20))
		},
	} {
		s, _ := lying(t, answer)
		use, err := s.Namespace(t.Context(), "shop", everyone{})
		if err == nil || len(use) > 0 || len(err.Error()) > 4000 {
			t.Errorf("%s: %v, %v", name, use, err)
		}
	}
}
