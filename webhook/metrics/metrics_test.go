package metrics

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	m.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text, err := io.ReadAll(recorder.Body)
	if err != nil || recorder.Code != 200 {
		t.Fatal(recorder.Code, err)
	}
	return string(text)
}

func TestEveryMetricIsThere(t *testing.T) {
	m := New([]string{"HR202"})
	m.CacheEntries(func() int { return 7 })
	m.Answered(Validate, Refused, Hit, 3*time.Millisecond)
	m.Found("HR202", "error")
	m.Exempted("HR202", "annotation")
	m.Patched("HR202")
	m.Erred(ErrorDeadline)
	m.Panicked()
	m.Cached(true)
	m.Cached(false)
	defer m.Started()()
	m.CertificateExpires(time.Unix(1800000000, 0))
	m.ConfigLoaded(time.Unix(1700000000, 0), nil, false)
	m.ConfigLoaded(time.Unix(1700000060, 0), errors.New("bad"), true)
	text := scrape(t, m)
	for _, line := range []string{
		`headroom_decisions_total{operation="validate",verdict="refused"} 1`,
		`headroom_findings_total{rule="HR202",severity="error"} 1`,
		`headroom_exemptions_total{rule="HR202",source="annotation"} 1`,
		`headroom_decision_duration_seconds_bucket{cache="hit",operation="validate",le="0.005"} 1`,
		`headroom_patches_total{rule="HR202"} 1`,
		`headroom_errors_total{kind="deadline"} 1`,
		`headroom_panics_total 1`,
		`headroom_cache_requests_total{result="hit"} 1`,
		`headroom_cache_requests_total{result="miss"} 1`,
		`headroom_cache_entries 7`,
		`headroom_requests_in_flight 1`,
		`headroom_certificate_expiry_timestamp_seconds 1.8e+09`,
		`headroom_config_last_reload_successful 0`,
		`headroom_config_last_reload_success_timestamp_seconds 1.7e+09`,
		`headroom_config_reloads_total{result="failure"} 1`,
		`headroom_config_reloads_total{result="success"} 1`,
		`go_goroutines`,
		`process_resident_memory_bytes`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s", line)
		}
	}
	m.CertificateExpires(time.Time{})
	if !strings.Contains(scrape(t, m), "headroom_certificate_expiry_timestamp_seconds 0\n") {
		t.Error("a certificate that is gone still has an expiry")
	}
	m.ConfigLoaded(time.Unix(1700000120, 0), nil, false)
	if !strings.Contains(scrape(t, m), "headroom_config_last_reload_successful 1\n") {
		t.Error("a config that is loaded after one that was not")
	}
}

func TestNamesAndHelpFollowTheConventions(t *testing.T) {
	m := New(nil)
	m.CacheEntries(func() int { return 0 })
	problems, err := testutil.GatherAndLint(m.Registry())
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Errorf("%s: %s", problem.Metric, problem.Text)
	}
}

// The number of series is bounded for any label values.
func TestLabelsAreBounded(t *testing.T) {
	m := New([]string{"HR202", "HR301"})
	flood := func() {
		for i := range 1000 {
			text := fmt.Sprintf("canary-%d", i)
			m.Answered(text, text, text, time.Millisecond)
			m.Found(text, text)
			m.Exempted(text, text)
			m.Patched(text)
			m.Erred(text)
		}
	}
	flood()
	count, err := testutil.GatherAndCount(m.Registry())
	if err != nil {
		t.Fatal(err)
	}
	flood()
	again, err := testutil.GatherAndCount(m.Registry())
	if err != nil || again != count {
		t.Errorf("%d series became %d, %v", count, again, err)
	}
	if strings.Contains(scrape(t, m), "canary") {
		t.Error("a label has a value that is on no list")
	}
	for _, operation := range operations {
		for _, verdict := range verdicts {
			for _, cache := range sources {
				m.Answered(operation, verdict, cache, 0)
			}
		}
	}
	for _, severity := range severities {
		m.Found("HR202", severity)
		m.Found("HR301", severity)
	}
	for _, kind := range kinds {
		m.Erred(kind)
	}
	for name, most := range map[string]int{
		"headroom_decisions_total":           13, // 2 operations × 6 verdicts, and other
		"headroom_findings_total":            7,
		"headroom_exemptions_total":          1,
		"headroom_decision_duration_seconds": 7,
		"headroom_errors_total":              8,
		"headroom_patches_total":             1,
	} {
		if n, err := testutil.GatherAndCount(m.Registry(), name); err != nil || n != most {
			t.Errorf("%s has %d series, %v; want %d", name, n, err, most)
		}
	}
}
