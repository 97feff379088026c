package serve

import (
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are what every server tells Prometheus, in a registry of its own: of Go, of the process, of panics and
// of the config. It is safe for concurrent use.
type Metrics struct {
	registry   *prometheus.Registry
	register   prometheus.Registerer
	panics     prometheus.Counter
	reloadOK   prometheus.Gauge
	reloadTime prometheus.Gauge
	reloads    *prometheus.CounterVec
}

// NewMetrics makes them. All have the name of the cluster as the label cluster, where it is given.
func NewMetrics(cluster string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.register = m.registry
	if cluster != "" {
		m.register = prometheus.WrapRegistererWith(prometheus.Labels{"cluster": cluster}, m.registry)
	}
	m.panics = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "headroom_panics_total", Help: "Panics that were recovered; each is a bug.",
	})
	m.register.MustRegister(m.panics,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.reloads = m.Counters("headroom_config_reloads_total",
		"Loads of the config, by result (success, failure).", "result")
	m.reloadOK = m.Gauge("headroom_config_last_reload_successful",
		"Whether the config and the lock of images were loaded as they are; when not, the one before is in force.")
	m.reloadTime = m.Gauge("headroom_config_last_reload_success_timestamp_seconds",
		"When the config in force was loaded, in seconds since 1970.")
	return m
}

// BuildInfo tells which version serves.
func (m *Metrics) BuildInfo(version string) {
	m.register.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "headroom_build_info", Help: "1, with the version of headroom and of Go as labels.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
	}, func() float64 { return 1 }))
}

// Counters adds a counter for each value of the labels.
func (m *Metrics) Counters(name, help string, labels ...string) *prometheus.CounterVec {
	vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.register.MustRegister(vec)
	return vec
}

// Gauge adds a gauge.
func (m *Metrics) Gauge(name, help string) prometheus.Gauge {
	gauge := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	m.register.MustRegister(gauge)
	return gauge
}

// Register adds collectors, until the function that it gives is called.
func (m *Metrics) Register(all ...prometheus.Collector) (remove func()) {
	m.register.MustRegister(all...)
	return func() {
		for _, c := range all {
			m.register.Unregister(c)
		}
	}
}

// Registry gives the metrics as they are now.
func (m *Metrics) Registry() *prometheus.Registry { return m.registry }

// Handler serves the metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Panicked counts a panic that was recovered.
func (m *Metrics) Panicked() { m.panics.Inc() }

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
