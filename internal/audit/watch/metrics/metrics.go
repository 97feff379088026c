// Package metrics holds what the audit in the cluster tells Prometheus, in a registry of its
// own. Its labels are namespaces of the cluster and values of small, known sets.
package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/headroom-dev/headroom/internal/serve"
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
	*serve.Metrics
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
}

// seconds are the buckets of a lag: a change alone takes some milliseconds, ten thousand at
// once a minute, their reports some minutes.
var seconds = []float64{.005, .025, .1, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}

// New makes the metrics. All of them have the name of the cluster as the label cluster, where it is given.
func New(cluster string) *Metrics {
	m := &Metrics{Metrics: serve.NewMetrics(cluster)}
	m.judged = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "headroom_audit_judged_total", Help: "Evaluations of the policies. What has not changed is not judged again.",
	})
	m.lag = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "headroom_audit_lag_seconds",
		Help:    "Time from a change to its verdict (queue judge), and from the verdict to its report (queue report).",
		Buckets: seconds,
	}, []string{"queue"})
	m.Register(m.judged, m.lag)
	m.errors = m.Counters("headroom_audit_errors_total",
		"Objects that could not be judged, by kind of error (read, evaluate, panic).", "kind")
	m.reports = m.Counters("headroom_audit_report_writes_total",
		"Writes of reports, by operation (create, update, delete) and result (success, failure).", "operation", "result")
	m.api = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "headroom_audit_reports_api",
		Help: "1 for the kind of reports that is written; none where there is no such kind.",
	}, []string{"api"})
	m.Register(m.api)
	m.lastSync = m.Gauge("headroom_audit_last_sync_timestamp_seconds",
		"When every workload last had a verdict that was up to date, in seconds since 1970; 0 before the first time.")
	m.measured = m.Gauge("headroom_audit_measured_timestamp_seconds",
		"When the Pods' status, and Prometheus where there is one, last answered every question about every namespace, in "+
			"seconds since 1970; 0 before.")
	m.answered = prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "headroom_audit_measured_namespaces",
		Help: "Namespaces by what the last round of measuring learned of them (whole, partial, nothing).",
	}, []string{"answer"})
	m.Register(m.answered)
	m.interval = m.Gauge("headroom_audit_measure_interval_seconds", "How often is measured; 0 is never.")
	m.leader = m.Gauge("headroom_audit_leader", "Whether this replica is the one that judges and writes.")
	return m
}

// Judged counts an evaluation of the policies.
func (m *Metrics) Judged() { m.judged.Inc() }

// Erred counts an object that could not be judged.
func (m *Metrics) Erred(kind string) { m.errors.WithLabelValues(kind).Inc() }

// Panicked counts a panic that was recovered.
func (m *Metrics) Panicked() {
	m.Metrics.Panicked()
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
