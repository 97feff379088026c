// Package metrics holds what the webhook tells Prometheus, in a registry of its own. Every
// label has a small, known set of values: none is taken from a request.
package metrics

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the webhook's own. It is safe for concurrent use.
type Metrics struct {
	registry      *prometheus.Registry
	rules         map[string]bool
	decisions     *prometheus.CounterVec
	findings      *prometheus.CounterVec
	exemptions    *prometheus.CounterVec
	duration      *prometheus.HistogramVec
	cacheRequests *prometheus.CounterVec
	patches       *prometheus.CounterVec
	errors        *prometheus.CounterVec
	panics        prometheus.Counter
	inFlight      prometheus.Gauge
	expiry        prometheus.Gauge
	reloadOK      prometheus.Gauge
	reloadTime    prometheus.Gauge
	reloads       *prometheus.CounterVec
}

// seconds are the buckets of a decision: from the cache some 50 µs, uncached 1 to 20 ms,
// and 250 ms is the deadline (F16).
var seconds = []float64{.00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1}

// New makes the metrics. rules are the IDs of the catalogue, which alone may be labels.
func New(rules []string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), rules: make(map[string]bool, len(rules))}
	for _, rule := range rules {
		m.rules[rule] = true
	}
	m.decisions = m.counters("headroom_decisions_total",
		"Admission requests answered, by operation (mutate, validate) and verdict.", "operation", "verdict")
	m.findings = m.counters("headroom_findings_total",
		"Findings of the objects that were judged, by rule and severity.", "rule", "severity")
	m.exemptions = m.counters("headroom_exemptions_total",
		"Findings that an exemption covers, by rule and who exempts (annotation, config).", "rule", "source")
	m.cacheRequests = m.counters("headroom_cache_requests_total",
		"Decisions asked of the cache, by result (hit, miss).", "result")
	m.patches = m.counters("headroom_patches_total", "Pods changed, by the rule that asked for it.", "rule")
	m.errors = m.counters("headroom_errors_total", "Requests that could not be judged, by kind of error.", "kind")
	m.reloads = m.counters("headroom_config_reloads_total",
		"Loads of the config, by result (success, failure).", "result")
	m.duration = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "headroom_decision_duration_seconds",
		Help:    "Time from the request's body to the answer, by operation and cache (hit, miss, none).",
		Buckets: seconds,
	}, []string{"operation", "cache"})
	m.panics = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "headroom_panics_total", Help: "Panics that were recovered; each is a bug.",
	})
	m.inFlight = m.gauge("headroom_requests_in_flight", "Admission requests being answered.")
	m.expiry = m.gauge("headroom_certificate_expiry_timestamp_seconds",
		"When the serving certificate expires, in seconds since 1970; 0 when there is none.")
	m.reloadOK = m.gauge("headroom_config_last_reload_successful",
		"Whether the config and the lock of images were loaded as they are; when not, the one before is in force.")
	m.reloadTime = m.gauge("headroom_config_last_reload_success_timestamp_seconds",
		"When the config in force was loaded, in seconds since 1970.")
	m.registry.MustRegister(m.duration, m.panics,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *Metrics) counters(name, help string, labels ...string) *prometheus.CounterVec {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(vec)
	return vec
}

func (m *Metrics) gauge(name, help string) prometheus.Gauge {
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	m.registry.MustRegister(gauge)
	return gauge
}

// Registry is where a caller may add collectors of its own.
func (m *Metrics) Registry() *prometheus.Registry { return m.registry }

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// CacheEntries takes the number of cached decisions from entries, whenever it is asked for.
func (m *Metrics) CacheEntries(entries func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "headroom_cache_entries", Help: "Decisions in the cache.",
	}, func() float64 { return float64(entries()) }))
}

// Waiting says how many objects wait to be judged, when it is asked.
func (m *Metrics) Waiting(waiting func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
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

// ConfigLoaded says that a config or a lock of images was loaded, or, with an error, refused; refused says whether one
// of the two still is.
func (m *Metrics) ConfigLoaded(at time.Time, err error, refused bool) {
	m.reloadOK.Set(1)
	if err != nil || refused {
		m.reloadOK.Set(0)
	}
	if err != nil {
		m.reloads.WithLabelValues("failure").Inc()
		return
	}
	m.reloadTime.Set(float64(at.Unix()))
	m.reloads.WithLabelValues("success").Inc()
}
