package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Found is a number of findings of one rule and severity.
type Found struct{ Rule, Severity string }

// Verdict is what a tally counts of one workload.
type Verdict struct {
	Namespace string
	// Worst is the highest severity of its findings, None, or Unjudged; "" for what is no
	// workload.
	Worst    string
	Findings map[Found]int
}

// What Worst may be beside a severity.
const (
	None     = "none"
	Unjudged = "unjudged"
)

// Tally counts what the workloads of the cluster were found to be. It exists as long as its
// replica leads: two replicas that both counted would count twice.
type Tally struct {
	queues map[string]func() (int, time.Duration)

	mu        sync.Mutex
	findings  map[string]map[Found]int
	workloads map[string]map[string]int
}

var (
	descFindings = prometheus.NewDesc("headroom_audit_findings",
		"Findings that hold now, by namespace, rule and severity; exempted ones are not counted.",
		[]string{"namespace", "rule", "severity"}, nil)
	descWorkloads = prometheus.NewDesc("headroom_audit_workloads",
		"Workloads by namespace and the worst severity of their findings (error, warning, info, none, unjudged).",
		[]string{"namespace", "worst"}, nil)
	descDepth = prometheus.NewDesc("headroom_audit_queue_depth",
		"What waits to be judged (queue judge) or to be reported (queue report), retries included.",
		[]string{"queue"}, nil)
	descOldest = prometheus.NewDesc("headroom_audit_queue_oldest_seconds",
		"How long the oldest entry of a queue has waited.", []string{"queue"}, nil)
)

// NewTally counts from nothing. queues tell how many entries wait, and for how long.
func NewTally(queues map[string]func() (int, time.Duration)) *Tally {
	return &Tally{queues: queues, findings: map[string]map[Found]int{}, workloads: map[string]map[string]int{}}
}

// Replace counts a verdict in place of an earlier one; nil stands for none.
func (t *Tally) Replace(before, after *Verdict) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.add(before, -1)
	t.add(after, 1)
}

func (t *Tally) add(v *Verdict, sign int) {
	if v == nil {
		return
	}
	if v.Worst != "" {
		addTo(t.workloads, v.Namespace, v.Worst, sign)
	}
	for found, count := range v.Findings {
		addTo(t.findings, v.Namespace, found, sign*count)
	}
}

// addTo keeps no zeros, so that a namespace that is gone is forgotten.
func addTo[K comparable](all map[string]map[K]int, namespace string, key K, count int) {
	inner := all[namespace]
	if inner == nil {
		inner = map[K]int{}
		all[namespace] = inner
	}
	if inner[key] += count; inner[key] == 0 {
		delete(inner, key)
	}
	if len(inner) == 0 {
		delete(all, namespace)
	}
}

// Describe implements prometheus.Collector.
func (t *Tally) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{descFindings, descWorkloads, descDepth, descOldest} {
		out <- desc
	}
}

// Collect implements prometheus.Collector.
func (t *Tally) Collect(out chan<- prometheus.Metric) {
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	for name, waiting := range t.queues {
		depth, oldest := waiting()
		gauge(descDepth, float64(depth), name)
		gauge(descOldest, oldest.Seconds(), name)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for namespace, inner := range t.findings {
		for found, count := range inner {
			gauge(descFindings, float64(count), namespace, found.Rule, found.Severity)
		}
	}
	for namespace, inner := range t.workloads {
		for worst, count := range inner {
			gauge(descWorkloads, float64(count), namespace, worst)
		}
	}
}
