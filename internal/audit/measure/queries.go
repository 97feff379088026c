package measure

import (
	"fmt"
	"math"
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
	fold func(a, b float64) float64
}

func add(a, b float64) float64 { return a + b }

// selectors write the PromQL for one namespace.
type selectors struct {
	namespace, matchers string
	step                time.Duration
	start               time.Time // of the whole window
}

// of selects the containers of a metric. The series without a container's name are those of
// Pods and of the levels above; POD is the pause container.
func (s selectors) of(metric string, more ...string) string {
	return fmt.Sprintf(`%s{namespace=%s,container!="",container!="POD"%s%s}`,
		metric, quoted(s.namespace), strings.Join(append([]string{""}, more...), ","), s.matchers)
}

// grid evaluates an expression at every step of the window: Prometheus puts the steps at
// multiples of the step since 1970, so that two parts of a window have no step in common.
func (s selectors) grid(function, expression string, length time.Duration) string {
	return fmt.Sprintf("%s((%s)[%s:%s])", function, expression, Words(length), Words(s.step))
}

// one is what one container used, whoever else counted it: two Prometheus servers, two scrape
// jobs, or the container before a restart, whose series goes on for some minutes.
func one(expression string) string { return "max by (pod, container) (" + expression + ")" }

func (s selectors) cpu(function string) func(time.Duration) string {
	rate := one(fmt.Sprintf("rate(%s[%s])", s.of(metricCPU), Words(s.step)))
	return func(length time.Duration) string { return s.grid(function, rate, length) }
}

// counted is how much a counter of cAdvisor grew. Every start of a container has a series of
// its own, told apart by id and name: of one the largest counts, of several the sum. Series
// without an image are those of container runtimes that tell none, or else doubles.
// Where the window is cut, what a counter grew by between two samples is lost: a minute of hours.
func (s selectors) counted(metric string) func(time.Duration) string {
	return s.starts("increase", metric)
}

func (s selectors) starts(function, metric string) func(time.Duration) string {
	return func(length time.Duration) string {
		sum := func(image string) string {
			return fmt.Sprintf("sum by (pod, container) (max by (pod, container, id, name) (%s(%s[%s])))",
				function, s.of(metric, image), Words(length))
		}
		return sum(`image!=""`) + " or " + sum(`image=""`)
	}
}

// throttledLong is how many seconds of the window are in ten-minute pieces with more than 5 % of the periods throttled.
func (s selectors) throttledLong(length time.Duration) string {
	const piece = 10 * time.Minute
	of := func(metric string) string {
		return one(fmt.Sprintf("increase(%s[%s])", s.of(metric), Words(piece)))
	}
	return fmt.Sprintf("%g * sum_over_time((%s > bool 0.05 * %s)[%s:%s])",
		piece.Seconds(), of(metricThrottled), of(metricPeriods), Words(length), Words(piece))
}

// grown is by how many bytes the memory of a container has grown over the window: 0 unless the least of each quarter
// of it is 5 % above that of the quarter before, as it is where memory leaks, whatever the load does by day and night.
func (s selectors) grown(length time.Duration) string {
	const quarters = 4
	quarter := length / quarters
	least := make([]string, quarters) // of the last quarter first
	for i := range least {
		least[i] = fmt.Sprintf("min_over_time(%s[%s]%s)", s.of(metricMemory), Words(quarter), offset(time.Duration(i)*quarter))
	}
	growth := "(" + least[0] + " - " + least[quarters-1] + ")"
	for i := range quarters - 1 {
		growth += fmt.Sprintf(" * (%s > bool 1.05 * %s)", least[i], least[i+1])
	}
	return one(growth)
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

// newest is when the last sample of each container was taken, in seconds since 1970.
func (s selectors) newest(metric string) query {
	stamp := one("timestamp(" + s.of(metric) + ")")
	return query{metric, "the age of the samples", func(length time.Duration) string {
		// What is there at the end itself is newer than what was there at the last step.
		return stamp + " or " + s.grid("max_over_time", stamp, length)
	}, math.Max}
}

// usage are the questions that cAdvisor's series answer.
func (s selectors) usage() map[string]query {
	memory := s.of(metricMemory)
	present := one(fmt.Sprintf("present_over_time(%s[%s])", memory, Words(s.step)))
	return map[string]query{
		"cpu sum":   {metricCPU, "average CPU", s.cpu("sum_over_time"), add},
		"cpu count": {metricCPU, "average CPU", s.cpu("count_over_time"), add},
		"cpu max":   {metricCPU, "peak CPU", s.cpu("max_over_time"), math.Max},
		"cpu grown": {metricCPU, "CPU of short-lived Pods", s.counted(metricCPU), add},
		"scrapes":   {metricCPU, "CPU of short-lived Pods", s.starts("count_over_time", metricCPU), add},
		"memory max": {metricMemory, "peak memory", func(length time.Duration) string {
			return one(fmt.Sprintf("max_over_time(%s[%s])", memory, Words(length)))
		}, math.Max},
		"memory count": {metricMemory, "how many memory samples there are", func(length time.Duration) string {
			return s.grid("count_over_time", present, length)
		}, add},
		"periods":           {metricPeriods, "CPU periods", s.counted(metricPeriods), add},
		"throttled":         {metricThrottled, "throttled periods", s.counted(metricThrottled), add},
		"throttled seconds": {metricThrottledSeconds, "throttled time", s.counted(metricThrottledSeconds), add},
		"throttled long":    {metricThrottled, "how long it was throttled", s.throttledLong, add},
		"waiting":           {metricWaiting, "CPU pressure", s.counted(metricWaiting), add},
		"oom events":        {metricOOMEvents, "OOM kills that cAdvisor saw", s.counted(metricOOMEvents), add},
	}
}
