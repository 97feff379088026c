//go:build system

package size

import (
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
)

const (
	mi   = 1 << 20
	week = 7 * 24 * time.Hour
)

// workload is one that was made up to differ from the others: what it used for seven days, what of that Prometheus
// has seen, and what it needs.
type workload struct {
	name  string
	story string // in words, for the table
	kind  string // Deployment unless it says another
	class string
	// annotations, container and second are YAML: more annotations of the Pod, the fields of its container behind the
	// name and the image, and those of a second one.
	annotations, container string
	containerName          string // of the one that is compared; app without it
	beside                 string // another container
	// cpu in cores and memory in bytes, by the time since the Pod started.
	cpu, memory func(time.Duration) float64
	throttled   float64 // share of the periods; negative without a limit
	kills       int
	// burst is one second of its work, and need the memory in MiB that it comes to in the next weeks. That is
	// what it has shown, or for a JVM (0) what its flags allow, by the budget.
	burst []cfs.Load
	need  float64
	why   string // the need
}

func flat(value float64) func(time.Duration) float64 {
	return func(time.Duration) float64 { return value }
}

// daily swings around a value, with the day.
func daily(value, swing float64) func(time.Duration) float64 {
	return func(at time.Duration) float64 {
		hours := int(at.Hours()) % 24
		if hours >= 8 && hours < 20 {
			return value * (1 + swing)
		}
		return value * (1 - swing)
	}
}

// now and then: a value for some minutes of each hour, and another otherwise.
func hourly(minutes int, then, else_ float64) func(time.Duration) float64 {
	return func(at time.Duration) float64 {
		if int(at.Minutes())%60 < minutes {
			return then
		}
		return else_
	}
}

// threads start together, as those of a collection or of a batch of requests do.
func threads(n int, work time.Duration) []cfs.Load {
	return []cfs.Load{{Name: "burst", Threads: n, Work: work}}
}

const ms = time.Millisecond

var workloads = []workload{
	{
		name: "steady", class: "latency-sensitive", annotations: "runtime.headroom.dev/app: native",
		story:     "an even service; each second 4 requests at once, 40 ms of CPU each",
		container: `resources: {requests: {cpu: 500m, memory: 512Mi}, limits: {cpu: "1", memory: 512Mi}}`,
		cpu:       daily(.3, .3), memory: flat(300 * mi), throttled: .01, burst: threads(4, 40*ms), need: 310, why: "as seen",
	},
	{
		name: "collector", class: "latency-sensitive", annotations: "jvm.headroom.dev/app: version=21",
		story: "a JVM; each second a collection, 8 threads for 30 ms",
		container: `command: [java, -Xmx1g, -XX:ParallelGCThreads=8, -jar, app.jar]
        resources: {requests: {cpu: "1", memory: 2Gi}, limits: {cpu: "2", memory: 2Gi}}`,
		cpu: daily(.6, .3), memory: flat(1250 * mi), throttled: .12, burst: threads(8, 30*ms), why: "its heap is 1 GiB",
	},
	{
		name: "warm-up", class: "latency-sensitive", annotations: "jvm.headroom.dev/app: version=21",
		story: "a JVM that compiles for ten minutes after each start",
		container: `command: [java, -Xmx512m, -jar, app.jar]
        resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: "2", memory: 1Gi}}`,
		cpu: func(at time.Duration) float64 {
			if at < 10*time.Minute {
				return 1.9
			}
			return .15
		}, memory: flat(620 * mi), throttled: .02, burst: threads(6, 100*ms), why: "its heap is 512 MiB",
	},
	{
		name: "leak", class: "latency-sensitive", story: "memory grows by 100 MiB a day",
		container: `resources: {requests: {cpu: 200m, memory: 1Gi}, limits: {memory: 1Gi}}`,
		cpu:       flat(.2), memory: func(at time.Duration) float64 { return 200*mi + at.Hours()/24*100*mi },
		throttled: -1, burst: threads(2, 40*ms), need: 1e6, why: "no limit is enough",
	},
	{
		name: "nightly", kind: "CronJob", class: "cron", story: "ten minutes of work every two hours",
		container: `resources: {requests: {cpu: 200m, memory: 1Gi}, limits: {cpu: "2", memory: 1Gi}}`,
		cpu:       flat(1.5), memory: flat(600 * mi), throttled: 0, burst: threads(2, 750*ms), need: 610, why: "as seen",
	},
	{
		name: "large-heap", class: "latency-sensitive", annotations: "jvm.headroom.dev/app: version=21",
		story: "a JVM with 3 GiB of heap, of which quiet weeks use a part",
		container: `command: [java, -Xmx3g, -jar, app.jar]
        resources: {requests: {cpu: "1", memory: 4Gi}, limits: {memory: 4Gi}}`,
		cpu: daily(.5, .5), memory: flat(1300 * mi), throttled: -1, burst: threads(4, 60*ms), why: "its heap is 3 GiB",
	},
	{
		name: "workers", class: "latency-sensitive", story: "8 gunicorn workers; each second all of them are busy for 60 ms",
		container: `command: [gunicorn, --workers=8, app:app]
        resources: {requests: {cpu: "2", memory: 1Gi}, limits: {cpu: "4", memory: 1Gi}}`,
		cpu: daily(1.2, .4), memory: flat(700 * mi), throttled: .05, burst: threads(8, 60*ms), need: 710, why: "as seen",
	},
	{
		name: "proxy", class: "latency-sensitive", story: "a sidecar with peaks of five minutes in the hour",
		containerName: "istio-proxy",
		beside: `- name: app
        image: registry.example/app:1
        resources: {requests: {cpu: 100m, memory: 512Mi}, limits: {memory: 512Mi}}
      `,
		container: `resources: {requests: {cpu: 100m, memory: 256Mi}, limits: {cpu: "2", memory: 256Mi}}`,
		cpu:       hourly(6, .6, .05), memory: flat(120 * mi), throttled: 0, burst: threads(2, 30*ms), need: 125, why: "as seen",
	},
	{
		name: "crunch", class: "batch", story: "works off queues, up to twice its average",
		container: `resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: 800m, memory: 1Gi}}`,
		cpu:       hourly(20, .8, .35), memory: flat(500 * mi), throttled: .2, burst: threads(2, 500*ms), need: 510, why: "as seen",
	},
	{
		name: "tenant", class: "multi-tenant", story: "a customer's program; the customer pays for 2 cores",
		annotations: `headroom.dev/cpu-allocation: "2"`,
		container:   `resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: "4", memory: 1Gi}}`,
		cpu:         daily(.8, .5), memory: flat(800 * mi), throttled: 0, burst: threads(4, 200*ms), need: 820, why: "as seen",
	},
	{
		name: "go-service", class: "latency-sensitive", story: "Go; each second 8 goroutines run for 30 ms",
		annotations: `runtime.headroom.dev/app: go version=1.24`,
		container:   `resources: {requests: {cpu: 500m, memory: 512Mi}, limits: {cpu: "1", memory: 512Mi}}`,
		cpu:         flat(.25), memory: daily(220*mi, .2), throttled: .15, burst: threads(8, 30*ms), need: 270, why: "as seen",
	},
	{
		name: "killed", class: "latency-sensitive", story: "grows to its limit and was OOMKilled there 5 times; it needs 620 MiB", kills: 5,
		container: `resources: {requests: {cpu: 200m, memory: 512Mi}, limits: {memory: 512Mi}}`,
		cpu:       flat(.2), memory: hourly(30, 500*mi, 350*mi), throttled: -1, burst: threads(2, 40*ms), need: 620, why: "more than it was let have",
	},
	{
		name: "quiet", class: "latency-sensitive", story: "hardly any traffic; a request takes two threads for 40 ms",
		container: `resources: {requests: {cpu: 250m, memory: 256Mi}, limits: {cpu: 250m, memory: 256Mi}}`,
		cpu:       flat(.004), memory: flat(40 * mi), throttled: .01, burst: threads(2, 40*ms), need: 42, why: "as seen",
	},
	{
		name: "monthly", class: "latency-sensitive", story: "a report at the end of the month, which the week did not have",
		container: `resources: {requests: {cpu: 200m, memory: 1Gi}, limits: {memory: 1Gi}}`,
		cpu:       flat(.1), memory: flat(300 * mi), throttled: -1, burst: threads(2, 40*ms), need: 900, why: "the report",
	},
	{
		name: "spikes", class: "latency-sensitive", story: "takes 40 % more memory for seconds, between two samples",
		container: `resources: {requests: {cpu: 200m, memory: 768Mi}, limits: {memory: 768Mi}}`,
		cpu:       flat(.1), memory: flat(400 * mi), throttled: -1, burst: threads(2, 40*ms), need: 560, why: "the spikes",
	},
}
