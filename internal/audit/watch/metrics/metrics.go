// Package metrics holds what the audit in the cluster tells Prometheus, in a registry of its
// own. Its labels are namespaces of the cluster and values of small, known sets.
package metrics

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// The queues.
const (
	Judge  = "judge"
	Report = "report"
)

// What is done to a report.
const (
	Create = "create"
	Update = "update"
	Delete = "delete"
)

// What a round of measuring learned of a namespace.
const (
	Whole   = "whole"   // all questions were answered
	Partial = "partial" // some were
	Nothing = "nothing"
)

// Kinds of errors.
const (
	ErrorRead     = "read"     // an object could not be read from the API server
	ErrorEvaluate = "evaluate" // the policies gave no verdict
	ErrorPanic    = "panic"
)

// Metrics are the audit's own. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	register prometheus.Registerer
	judged   prometheus.Counter
	errors   *prometheus.CounterVec
	lag      *prometheus.HistogramVec
	reports  *prometheus.CounterVec
	api      *prometheus.GaugeVec
	lastSync prometheus.Gauge
	measured prometheus.Gauge
	answered *prometheus.GaugeVec
	interval prometheus.Gauge
	leader   prometheus.Gauge
	panics   prometheus.Counter
	// These bear the webhook's names: the same file is loaded, and the same alert holds.
	reloadOK   prometheus.Gauge
	reloadTime prometheus.Gauge
	reloads    *prometheus.CounterVec
}

// seconds are the buckets of a lag: a change alone takes some milliseconds, ten thousand at
// once a minute, their reports some minutes.
var seconds = []float64{.005, .025, .1, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}

// New makes the metrics. All of them have the name of the cluster as the label cluster, where it is given.
func New(cluster string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.register = m.registry
	if cluster != "" {
		m.register = prometheus.WrapRegistererWith(prometheus.Labels{"cluster": cluster}, m.registry)
	}
	m.judged = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "headroom_audit_judged_total", Help: "Evaluations of the policies. What has not changed is not judged again.",
	})
	m.panics = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "headroom_panics_total", Help: "Panics that were recovered; each is a bug.",
	})
	m.lag = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "headroom_audit_lag_seconds",
		Help:    "Time from a change to its verdict (queue judge), and from the verdict to its report (queue report).",
		Buckets: seconds,
	}, []string{"queue"})
	m.register.MustRegister(m.judged, m.panics, m.lag,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.errors = m.counters("headroom_audit_errors_total",
		"Objects that could not be judged, by kind of error (read, evaluate, panic).", "kind")
	m.reports = m.counters("headroom_audit_report_writes_total",
		"Writes of reports, by operation (create, update, delete) and result (success, failure).", "operation", "result")
	m.reloads = m.counters("headroom_config_reloads_total",
		"Loads of the config, by result (success, failure).", "result")
	m.api = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "headroom_audit_reports_api",
		Help: "1 for the kind of reports that is written; none where there is no such kind.",
	}, []string{"api"})
	m.register.MustRegister(m.api)
	m.lastSync = m.gauge("headroom_audit_last_sync_timestamp_seconds",
		"When every workload last had a verdict that was up to date, in seconds since 1970; 0 before the first time.")
	m.measured = m.gauge("headroom_audit_measured_timestamp_seconds",
		"When the Pods' status, and Prometheus where there is one, last answered every question about every namespace, in "+
			"seconds since 1970; 0 before.")
	m.answered = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "headroom_audit_measured_namespaces",
		Help: "Namespaces by what the last round of measuring learned of them (whole, partial, nothing).",
	}, []string{"answer"})
	m.register.MustRegister(m.answered)
	m.interval = m.gauge("headroom_audit_measure_interval_seconds", "How often is measured; 0 is never.")
	m.leader = m.gauge("headroom_audit_leader", "Whether this replica is the one that judges and writes.")
	m.reloadOK = m.gauge("headroom_config_last_reload_successful",
		"Whether the config and the lock of images were loaded as they are; when not, the one before is in force.")
	m.reloadTime = m.gauge("headroom_config_last_reload_success_timestamp_seconds",
		"When the config in force was loaded, in seconds since 1970.")
	return m
}

func (m *Metrics) counters(name, help string, labels ...string) *prometheus.CounterVec {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.register.MustRegister(vec)
	return vec
}

func (m *Metrics) gauge(name, help string) prometheus.Gauge {
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	m.register.MustRegister(gauge)
	return gauge
}

// Register adds a collector, until the function that it gives is called.
func (m *Metrics) Register(c prometheus.Collector) func() {
	m.register.MustRegister(c)
	return func() { m.register.Unregister(c) }
}

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Gather gives the metrics as they are now.
func (m *Metrics) Gather() prometheus.Gatherer { return m.registry }

// Judged counts an evaluation of the policies.
func (m *Metrics) Judged() { m.judged.Inc() }

// Erred counts an object that could not be judged.
func (m *Metrics) Erred(kind string) { m.errors.WithLabelValues(kind).Inc() }

// Panicked counts a panic that was recovered.
func (m *Metrics) Panicked() {
	m.panics.Inc()
	m.Erred(ErrorPanic)
}

// Took tells how long an entry of a queue took.
func (m *Metrics) Took(queue string, lag time.Duration) {
	m.lag.WithLabelValues(queue).Observe(lag.Seconds())
}

// Wrote counts a write of a report.
func (m *Metrics) Wrote(operation string, err error) {
	result := "success"
	if err != nil {
		result = "failure"
	}
	m.reports.WithLabelValues(operation, result).Inc()
}

// Writes says which kind of reports is written, "" for none.
func (m *Metrics) Writes(api string) {
	m.api.Reset()
	if api != "" {
		m.api.WithLabelValues(api).Set(1)
	}
}

// Synced says that every workload has a verdict that is up to date.
func (m *Metrics) Synced(at time.Time) { m.lastSync.Set(float64(at.Unix())) }

// MeasuresEvery says how often is measured.
func (m *Metrics) MeasuresEvery(interval time.Duration) { m.interval.Set(interval.Seconds()) }

// Measured says what a round that began then learned of how many namespaces.
func (m *Metrics) Measured(at time.Time, namespaces map[string]int) {
	for _, answer := range []string{Whole, Partial, Nothing} {
		m.answered.WithLabelValues(answer).Set(float64(namespaces[answer]))
	}
	if namespaces[Partial]+namespaces[Nothing] == 0 {
		m.measured.Set(float64(at.Unix()))
	}
}

// Leads says whether this replica judges and writes.
func (m *Metrics) Leads(leads bool) {
	m.leader.Set(0)
	if leads {
		m.leader.Set(1)
		return
	}
	m.answered.Reset()
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
