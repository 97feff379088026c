package process_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/headroom-dev/headroom/lab/bench/process"
)

func TestReadMetrics(t *testing.T) {
	said := "# HELP a 1\na{b=\"c d\"} 2\na{b=\"e\"} 3\nf 1e3\ng NaN\n\nh x\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = w.Write([]byte(said))
	}))
	defer server.Close()
	m, err := process.ReadMetrics(t.Context(), server.Client(), server.URL+"/metrics")
	if err != nil || len(m) != 4 || m[`a{b="c d"}`] != 2 || m["f"] != 1000 || m.Sum("a") != 5 || m.Sum("h") != 0 {
		t.Errorf("%v, %v", m, err)
	}
	if m, err := process.ReadMetrics(t.Context(), server.Client(), server.URL); err == nil {
		t.Errorf("refused, and read %v", m)
	}
}
