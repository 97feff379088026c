package history

import (
	"math"
	"time"
)

// Container is one run of a container: a restart is another one, with another ID.
type Container struct {
	Namespace, Pod, Name, ID string
	From, To                 time.Time
	// CPU is in cores, and Memory in bytes, at a time.
	CPU, Memory func(time.Time) float64
	// Throttled is the share of the periods that are throttled; negative without a CPU limit.
	Throttled float64
	// Labels are added to those of cAdvisor; an empty image is one.
	Labels Labels
}

// Constant is the same all the time.
func Constant(value float64) func(time.Time) float64 {
	return func(time.Time) float64 { return value }
}

const (
	period = 100 * time.Millisecond // of CFS (T1)
	// stall is how long threads wait in a throttled period (T5).
	stall = 40 * time.Millisecond
)

// Run writes what cAdvisor serves of a container.
func (h *History) Run(c Container) {
	labels := Labels{
		"namespace": c.Namespace, "pod": c.Pod, "container": c.Name,
		"id": "/kubepods.slice/" + c.ID, "name": c.ID, "image": "registry.example/" + c.Name + ":1",
		"node": "node-1", "job": "kubelet", "metrics_path": "/metrics/cadvisor",
	}.With(c.Labels)
	used := 0.0
	last := c.From
	h.Add("container_cpu_usage_seconds_total", labels.With(Labels{"cpu": "total"}), c.From, c.To,
		func(at time.Time) float64 {
			used += c.CPU(at) * at.Sub(last).Seconds()
			last = at
			return used
		})
	h.Add("container_memory_working_set_bytes", labels, c.From, c.To, c.Memory)
	if c.Throttled < 0 {
		return
	}
	periods := func(at time.Time) float64 { return float64(at.Sub(c.From) / period) }
	h.Add("container_cpu_cfs_periods_total", labels, c.From, c.To, periods)
	h.Add("container_cpu_cfs_throttled_periods_total", labels, c.From, c.To,
		func(at time.Time) float64 { return periods(at) * c.Throttled })
	h.Add("container_cpu_cfs_throttled_seconds_total", labels, c.From, c.To,
		func(at time.Time) float64 { return periods(at) * c.Throttled * stall.Seconds() })
}

// State is what kube-state-metrics serves of one container of a Pod.
type State struct {
	Namespace, Pod, UID, Name string
	From, To                  time.Time // of the Pod
	Restarts                  []time.Time
	// Reasons are those of the end before each restart: OOMKilled, Error …
	Reasons []string
	// Ended is the reason with which it ended for good; "" while it runs.
	Ended string
	// Labels are added to those of kube-state-metrics.
	Labels Labels
}

// Tell writes the state over time.
func (h *History) Tell(s State) {
	pod := Labels{"namespace": s.Namespace, "pod": s.Pod, "uid": s.UID, "job": "kube-state-metrics"}.With(s.Labels)
	labels := pod.With(Labels{"container": s.Name})
	begin := s.From
	if oldest := h.Ago(Retention); begin.Before(oldest) {
		begin = oldest
	}
	count := func(at time.Time) int {
		n := 0
		for _, restart := range s.Restarts {
			if !restart.After(at) {
				n++
			}
		}
		return n
	}
	h.Add("kube_pod_created", pod, begin, s.To, func(time.Time) float64 { return float64(s.From.Unix()) })
	h.Add("kube_pod_container_status_restarts_total", labels, begin, s.To,
		func(at time.Time) float64 { return float64(count(at)) })
	for _, reason := range []string{"OOMKilled", "Error"} {
		h.Add("kube_pod_container_status_last_terminated_reason", labels.With(Labels{"reason": reason}), begin, s.To,
			func(at time.Time) float64 {
				if n := count(at); n > 0 && s.Reasons[n-1] == reason {
					return 1
				}
				return math.NaN()
			})
	}
	if s.Ended != "" {
		h.Add("kube_pod_container_status_terminated_reason", labels.With(Labels{"reason": s.Ended}), s.To, s.To, Constant(1))
	}
}

// Owner writes who controls a Pod, ReplicaSet or Job, while it is there.
func (h *History) Owner(metric string, labels Labels, from, to time.Time) {
	h.Add(metric, labels.With(Labels{"job": "kube-state-metrics", "owner_is_controller": "true"}), from, to, Constant(1))
}

// Retention is how far back a history may go: nothing older is scraped.
const Retention = 8 * 24 * time.Hour
