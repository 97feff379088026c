package measure

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"
)

// Metrics that the queries read: cAdvisor's, as the kubelet serves them (T14), and those of
// kube-state-metrics.
const (
	metricCPU              = "container_cpu_usage_seconds_total"
	metricMemory           = "container_memory_working_set_bytes"
	metricPeriods          = "container_cpu_cfs_periods_total"
	metricThrottled        = "container_cpu_cfs_throttled_periods_total"
	metricThrottledSeconds = "container_cpu_cfs_throttled_seconds_total"
	metricOOMEvents        = "container_oom_events_total"
	metricWaiting          = "container_pressure_cpu_waiting_seconds_total"
	metricRestarts         = "kube_pod_container_status_restarts_total"
	metricLastReason       = "kube_pod_container_status_last_terminated_reason"
	metricReason           = "kube_pod_container_status_terminated_reason"
	metricCreated          = "kube_pod_created"
	metricPodOwner         = "kube_pod_owner"
	metricPodInfo          = "kube_pod_info"
	metricReplicaSetOwner  = "kube_replicaset_owner"
	metricJobOwner         = "kube_job_owner"
)

// query is one question about all containers of a namespace.
type query struct {
	metric string // without which there is nothing to ask
	tells  string // what is unknown without the answer
	// expression is for a window of this length, in PromQL.
	expression func(length time.Duration) string
	// fold puts together the answers for two parts of the window.
	fold  func(a, b float64) float64
	reads reads
}

// reads is what a question reads.
type reads int

const (
	samples reads = iota // of a series, one series after the other
	// allSamples are those of every part of the window: what one of the parts lacks is left out.
	allSamples
	// grid makes Prometheus hold a point of every series for every step while it answers: a large namespace is asked
	// about a part of the window at a time.
	grid
	instant // only what is there at the end
)

func add(a, b float64) float64 { return a + b }

// selectors write the PromQL for one namespace.
type selectors struct {
	namespace, matchers string
	step                time.Duration
	start               time.Time // of the whole window
	pods                string    // a matcher of some Pods, as the end of a selector; "" for all
}

// of selects the containers of a metric. The series without a container's name are those of
// Pods and of the levels above; POD is the pause container.
func (s selectors) of(metric string, more ...string) string {
	return fmt.Sprintf(`%s{namespace=%s,container!="",container!="POD"%s%s%s}`,
		metric, quoted(s.namespace), strings.Join(append([]string{""}, more...), ","), s.pods, s.matchers)
}

// among are the same selectors for some Pods alone.
func (s selectors) among(pods []string) selectors {
	names := make([]string, len(pods))
	for i, pod := range pods {
		names[i] = regexp.QuoteMeta(pod)
	}
	s.pods = ",pod=~" + quoted(strings.Join(names, "|"))
	return s
}

// grid evaluates an expression at every step of the window. Prometheus puts the steps at multiples
// of the step since 1970, so that two parts of a window have no step in common.
func (s selectors) grid(function, expression string, length time.Duration) string {
	return fmt.Sprintf("%s((%s)[%s:%s])", function, expression, Words(length), Words(s.step))
}

// one is what one container used, counted once. Others may have counted it too: two Prometheus servers,
// two scrape jobs, or the container before a restart, whose series goes on for some minutes.
func one(expression string) string { return "max by (pod, container) (" + expression + ")" }

// peak is the highest rate. The largest of several series is sought at the end, not at every step: that is the same.
func (s selectors) peak(length time.Duration) string {
	return one(s.grid("max_over_time", fmt.Sprintf("rate(%s[%s])", s.of(metricCPU), Words(s.step)), length))
}

// rates sums up, or counts, the rates at all steps, of every start of a container.
func (s selectors) rates(function string) func(time.Duration) string {
	return s.starts(func(series string, length time.Duration) string {
		return s.grid(function, fmt.Sprintf("rate(%s[%s])", series, Words(s.step)), length)
	}, metricCPU)
}

// counted is how much a counter of cAdvisor grew. Every start of a container has a series of
// its own, told apart by id and name: of one the largest counts, of several the sum. Series
// without an image are those of container runtimes that tell none, or else doubles.
// Where the window is cut, what a counter grew by between two samples is lost: a minute of hours.
func (s selectors) counted(metric string) func(time.Duration) string {
	return s.starts(over("increase"), metric)
}

// over is a function of a series' samples.
func over(function string) func(string, time.Duration) string {
	return func(series string, length time.Duration) string {
		return fmt.Sprintf("%s(%s[%s])", function, series, Words(length))
	}
}

func (s selectors) starts(function func(string, time.Duration) string, metric string) func(time.Duration) string {
	return func(length time.Duration) string {
		sum := func(image string) string {
			return fmt.Sprintf("sum by (pod, container) (max by (pod, container, id, name) (%s))",
				function(s.of(metric, image), length))
		}
		return sum(`image!=""`) + " or " + sum(`image=""`)
	}
}

// throttledTime is how long containers were throttled.
func (s selectors) throttledTime() map[string]query {
	return map[string]query{"throttled seconds": {
		metricThrottledSeconds, "throttled time", s.counted(metricThrottledSeconds), add, samples,
	}}
}

// throttledPieces is how many seconds of the window are in ten-minute pieces with more than 5 % of the periods
// throttled.
func (s selectors) throttledPieces() map[string]query {
	const piece = 10 * time.Minute
	of := func(metric string) string {
		return one(fmt.Sprintf("increase(%s[%s])", s.of(metric), Words(piece)))
	}
	long := func(length time.Duration) string {
		return fmt.Sprintf("%g * sum_over_time((%s > bool 0.05 * %s)[%s:%s])",
			piece.Seconds(), of(metricThrottled), of(metricPeriods), Words(length), Words(piece))
	}
	return map[string]query{"throttled long": {metricThrottled, "how long it was throttled", long, add, grid}}
}

// grown is by how many bytes the memory of a container has grown over the window; 0 unless it grew all the time.
func (s selectors) grown(length time.Duration) string {
	least := func(piece, ago time.Duration) string {
		return fmt.Sprintf("min_over_time(%s[%s]%s)", s.of(metricMemory), Words(piece), offset(ago))
	}
	growth := fmt.Sprintf("(%s - %s)", least(length/quarters, 0), least(length/quarters, length/quarters*(quarters-1)))
	return one(strings.Join(append([]string{growth}, steps(least, length)...), " * "))
}

const (
	quarters = 4 // in which what grows is compared
	day      = 24 * time.Hour
)

// steps are 1 where something grows all the time. The least of each quarter is 5 % above that of the quarter before,
// and above that of the same hours a day before. A leak grows so, the load of a day does not.
func steps(least func(piece, ago time.Duration) string, length time.Duration) []string {
	piece := length / quarters
	var grown []string
	step := func(now, before time.Duration) {
		grown = append(grown, fmt.Sprintf("((%s) > bool 1.05 * (%s))", least(piece, now), least(piece, before)))
	}
	for i := range time.Duration(quarters) {
		if i < quarters-1 {
			step(i*piece, (i+1)*piece)
		}
		if piece < day && ((i+1)*piece+day).Round(time.Hour) <= length.Round(time.Hour) {
			step(i*piece, i*piece+day)
		}
	}
	return grown
}

func offset(by time.Duration) string {
	if by == 0 {
		return ""
	}
	return " offset " + Words(by)
}

// grownInBoth adds up what has grown in two parts of the window: what has not in one of them does not grow all the time.
func grownInBoth(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return a + b
}

// oomEvents are the OOM kills that cAdvisor saw.
func (s selectors) oomEvents() map[string]query {
	return map[string]query{"oom events": {
		metricOOMEvents, "OOM kills that cAdvisor saw", s.counted(metricOOMEvents), add, samples,
	}}
}

// now is what a gauge, or a counter, is at the end of the window.
func (s selectors) now(metric, tells string) query {
	return query{metric, tells, func(time.Duration) string { return one(s.of(metric)) }, math.Max, instant}
}

// stamped is when the last sample of each container that still runs was taken, in seconds since 1970.
func (s selectors) stamped(metric string) query {
	return query{metric, "the age of the samples", func(time.Duration) string {
		return one("timestamp(" + s.of(metric) + ")")
	}, math.Max, instant}
}

// ended is the same for Pods that no longer run. This query is expensive.
func (s selectors) ended(metric string) query {
	return query{metric, "the age of the samples", func(length time.Duration) string {
		return one(s.grid("max_over_time", "timestamp("+s.of(metric)+")", length))
	}, math.Max, grid}
}

// usage are the questions about all containers that cAdvisor's series answer. A question that reads every sample once
// costs Prometheus as much as half of one with a grid.
func (s selectors) usage() map[string]query {
	memory := s.of(metricMemory)
	return map[string]query{
		"cpu count": {metricCPU, "average CPU", s.rates("count_over_time"), add, grid},
		"cpu max":   {metricCPU, "peak CPU", s.peak, math.Max, grid},
		"memory max": {metricMemory, "peak memory", func(length time.Duration) string {
			return one(fmt.Sprintf("max_over_time(%s[%s])", memory, Words(length)))
		}, math.Max, samples},
	}
}

// memoryCount is at how many steps there was a sample of the memory.
func (s selectors) memoryCount() map[string]query {
	present := func(series string, length time.Duration) string {
		return s.grid("count_over_time", fmt.Sprintf("present_over_time(%s[%s])", series, Words(s.step)), length)
	}
	return map[string]query{"memory count": {
		metricMemory, "how many memory samples there are", s.starts(present, metricMemory), add, grid,
	}}
}

// short are the questions about Pods that did not live for long.
func (s selectors) short() map[string]query {
	const tells = "CPU of short-lived Pods"
	return map[string]query{
		"cpu grown": {metricCPU, tells, s.counted(metricCPU), add, samples},
		"scrapes":   {metricCPU, tells, s.starts(over("count_over_time"), metricCPU), add, samples},
	}
}
