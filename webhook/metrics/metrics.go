// Package metrics holds what the webhook tells Prometheus, in a registry of its own. Every
// label has a small, known set of values: none is taken from a request.
package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/headroom-dev/headroom/internal/serve"
)

// Metrics are the webhook's own. It is safe for concurrent use.
type Metrics struct {
	*serve.Metrics
	rules         map[string]bool
	decisions     *prometheus.CounterVec
	findings      *prometheus.CounterVec
	exemptions    *prometheus.CounterVec
	duration      *prometheus.HistogramVec
	cacheRequests *prometheus.CounterVec
	patches       *prometheus.CounterVec
	errors        *prometheus.CounterVec
	inFlight      prometheus.Gauge
	expiry        prometheus.Gauge
}

// seconds are the buckets of a decision: from the cache some 50 µs, uncached 1 to 20 ms,
// and 250 ms is the deadline (F16).
var seconds = []float64{.00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1}

// New makes the metrics. rules are the IDs of the catalogue, which alone may be labels.
func New(rules []string) *Metrics {
	m := &Metrics{Metrics: serve.NewMetrics(""), rules: make(map[string]bool, len(rules))}
	for _, rule := range rules {
		m.rules[rule] = true
	}
	m.decisions = m.Counters("headroom_decisions_total",
		"Admission requests answered, by operation (mutate, validate) and verdict.", "operation", "verdict")
	m.findings = m.Counters("headroom_findings_total",
		"Findings of the objects that were judged, by rule and severity.", "rule", "severity")
	m.exemptions = m.Counters("headroom_exemptions_total",
		"Findings that an exemption covers, by rule and who exempts (annotation, config).", "rule", "source")
	m.cacheRequests = m.Counters("headroom_cache_requests_total",
		"Decisions asked of the cache, by result (hit, miss).", "result")
	m.patches = m.Counters("headroom_patches_total", "Pods changed, by the rule that asked for it.", "rule")
	m.errors = m.Counters("headroom_errors_total", "Requests that could not be judged, by kind of error.", "kind")
	m.duration = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "headroom_decision_duration_seconds",
		Help:    "Time from the request's body to the answer, by operation and cache (hit, miss, none).",
		Buckets: seconds,
	}, []string{"operation", "cache"})
	m.inFlight = m.Gauge("headroom_requests_in_flight", "Admission requests being answered.")
	m.expiry = m.Gauge("headroom_certificate_expiry_timestamp_seconds",
		"When the serving certificate expires, in seconds since 1970; 0 when there is none.")
	m.Register(m.duration)
	return m
}

// CacheEntries takes the number of cached decisions from entries, whenever it is asked for.
func (m *Metrics) CacheEntries(entries func() int) {
	m.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "headroom_cache_entries", Help: "Decisions in the cache.",
	}, func() float64 { return float64(entries()) }))
}

// Waiting says how many objects wait to be judged, when it is asked.
func (m *Metrics) Waiting(waiting func() int) {
	m.Register(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "headroom_decisions_waiting", Help: "Objects that wait to be judged, of all namespaces.",
	}, func() float64 { return float64(waiting()) }))
}

// CertificateExpires says until when the serving certificate is good.
func (m *Metrics) CertificateExpires(at time.Time) {
	if at.IsZero() {
		m.expiry.Set(0)
		return
	}
	m.expiry.Set(float64(at.Unix()))
}
