//go:build integration

package measure_test

import (
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/history"
)

// pod writes a Pod that ran for a while, and what kube-state-metrics said of it.
func pod(h *history.History, name string, ago, lasted time.Duration, cores float64) {
	from := h.Ago(ago)
	h.Run(history.Container{
		Namespace: "shop", Pod: name, Name: "app", ID: name, From: from, To: from.Add(lasted),
		CPU: history.Constant(cores), Memory: history.Constant(20 * mi), Throttled: -1,
	})
	h.Tell(history.State{Namespace: "shop", Pod: name, UID: name, Name: "app", From: from, To: from.Add(lasted)})
}

// owner writes who controlled what, and whom that controlled.
func owner(h *history.History, metric, label, name, kind, of string, ago, lasted time.Duration) {
	from := h.Ago(ago)
	h.Owner(metric, history.Labels{"namespace": "shop", label: name, "owner_kind": kind, "owner_name": of},
		from, from.Add(lasted))
}

// Pods that have ended count for the workload that they were of, and a sample is a time that
// was seen, however many Pods there were.
func TestPodsThatAreGone(t *testing.T) {
	t.Parallel()
	h := history.New()
	owners := owned{}

	// A Deployment before and after a rollout; the Pod before is known to the history alone.
	pod(h, "web-1-a", 2*day, day, 0.9)
	owner(h, "kube_pod_owner", "pod", "web-1-a", "ReplicaSet", "web-1", 2*day, day)
	owner(h, "kube_replicaset_owner", "replicaset", "web-1", "Deployment", "web", 2*day, day)
	pod(h, "web-2-b", day, day, 0.3)
	owners["web-2-b"] = key("Deployment", "web")

	// Jobs of three minutes, which no step of five minutes has to itself.
	for i := range 10 {
		name := fmt.Sprintf("quick-%d", i)
		pod(h, name, time.Duration(i)*3*time.Hour+40*time.Minute+time.Duration(i)*17*time.Second, 3*time.Minute, 0.8)
		owners[name] = key("CronJob", "quick")
	}

	// A CronJob: twelve minutes every two hours, at 0.6 cores. One of the Jobs is still there.
	for i := range 20 {
		name, ago := fmt.Sprintf("report-%d-x", i), time.Duration(i)*2*time.Hour+30*time.Minute
		pod(h, name, ago, 12*time.Minute, 0.6)
		if i == 0 {
			owners[name] = key("CronJob", "report")
			continue
		}
		owner(h, "kube_pod_owner", "pod", name, "Job", fmt.Sprintf("report-%d", i), ago, 12*time.Minute)
		owner(h, "kube_job_owner", "job_name", fmt.Sprintf("report-%d", i), "CronJob", "report", ago, 12*time.Minute)
	}

	// A DaemonSet that was installed twenty minutes ago on thirty nodes: 600 minutes of samples,
	// and twenty minutes of knowledge.
	for i := range 30 {
		name := fmt.Sprintf("agent-%d", i)
		pod(h, name, 20*time.Minute, 20*time.Minute, 0.1)
		owners[name] = key("DaemonSet", "agent")
	}

	// No workload owns this one any more.
	pod(h, "stray", day, time.Hour, 1)
	owner(h, "kube_pod_owner", "pod", "stray", "<none>", "<none>", day, time.Hour)

	server := history.Start(t, h, history.Options{})
	use, err := told(t, h, server).Namespace(t.Context(), "shop", owners)
	if err != nil {
		t.Error(err)
	}
	web := use[key("Deployment", "web")]["app"]
	near(t, "average of web", web.CPUAverage, 0.6)
	near(t, "peak of web", web.CPUPeak, 0.9)
	close(t, "samples of web", float64(web.Samples), 576)

	// At a step there is a rate from the second sample on, and until the last but one is five
	// minutes old.
	report := use[key("CronJob", "report")]["app"]
	within(t, "average of report", report.CPUAverage, 0.57, 0.63)
	if report.Samples < 20*2 || report.Samples > 20*4 {
		t.Errorf("report has %d samples, want some 3 for each of 20 Jobs", report.Samples)
	}

	quick := use[key("CronJob", "quick")]["app"]
	within(t, "average of quick", quick.CPUAverage, 0.65, 0.9)
	within(t, "peak of quick", quick.CPUPeak, 0.65, 0.95)

	agent := use[key("DaemonSet", "agent")]["app"]
	within(t, "average of agent", agent.CPUAverage, 0.094, 0.106)
	if agent.Samples < 3 || agent.Samples > 5 {
		t.Errorf("agent has %d samples, want some 4", agent.Samples)
	}
	if agent.Periods != -1 || agent.Throttled != -1 || agent.ThrottledSeconds != -1 {
		t.Errorf("agent has no CPU limit and was throttled: %+v", agent)
	}
	if len(use) != 4 {
		t.Errorf("%d workloads were measured, want 4", len(use))
	}
}

// within is for Pods of a few samples: what they used before the first is not known.
func within(t *testing.T, what, quantity string, least, most float64) {
	t.Helper()
	got, err := resource.ParseQuantity(quantity)
	if value := got.AsApproximateFloat64(); err != nil || value < least || value > most {
		t.Errorf("%s is %q, want between %v and %v", what, quantity, least, most)
	}
}

// Restarts and OOM kills, of Pods that are older than the window and of those that are not.
func TestKills(t *testing.T) {
	t.Parallel()
	h := history.New()
	owners := owned{}
	tell := func(name string, age time.Duration, ended string, kills ...string) {
		from := h.Ago(min(age, window))
		h.Run(history.Container{
			Namespace: "shop", Pod: name, Name: "app", ID: name, From: from, To: h.End,
			CPU: history.Constant(0.1), Memory: history.Constant(mi), Throttled: -1,
		})
		s := history.State{
			Namespace: "shop", Pod: name, UID: name, Name: "app", From: h.Ago(age), To: h.End, Ended: ended,
		}
		// The first restart comes before the first sample of a young Pod, and before the window of
		// an old one.
		for i, reason := range kills {
			at := from.Add(time.Duration(i) * 97 * time.Minute)
			if i == 0 && age > window {
				at = at.Add(-20 * time.Minute)
			}
			s.Restarts = append(s.Restarts, at)
			s.Reasons = append(s.Reasons, reason)
		}
		h.Tell(s)
		owners[name] = key("Deployment", name)
	}
	tell("calm", 30*day, "")
	tell("young", day, "", "OOMKilled", "OOMKilled", "Error", "OOMKilled")
	tell("old", 30*day, "", "OOMKilled", "OOMKilled", "Error", "OOMKilled") // the first before the window
	tell("long-ago", 30*day, "", "OOMKilled")
	tell("job", time.Hour, "OOMKilled")
	tell("errors", day, "", "Error", "Error")

	// A worker process that was killed twice while its container went on.
	tell("workers", 30*day, "")
	h.Add("container_oom_events_total", history.Labels{
		"namespace": "shop", "pod": "workers", "container": "app", "id": "w", "image": "i",
	}, h.Ago(window), h.End, func(at time.Time) float64 {
		if at.After(h.Ago(day - time.Hour)) {
			return 2
		}
		return 0
	})

	server := history.Start(t, h, history.Options{})
	for _, parts := range []string{"whole", "in parts"} {
		t.Run(parts, func(t *testing.T) {
			s := told(t, h, server)
			if parts == "in parts" {
				measure.Cut(s, 8)
			}
			use, err := s.Namespace(t.Context(), "shop", owners)
			if err != nil {
				t.Error(err)
			}
			for name, want := range map[string]engine.Measured{
				"calm":     {Restarts: 0, OOMKills: 0},
				"young":    {Restarts: 4, OOMKills: 3},
				"old":      {Restarts: 3, OOMKills: 2},
				"long-ago": {Restarts: 0, OOMKills: 0},
				"job":      {Restarts: 0, OOMKills: 1},
				"errors":   {Restarts: 2, OOMKills: 0},
				"workers":  {Restarts: 0, OOMKills: 2},
			} {
				got := use[key("Deployment", name)]["app"]
				if got.Restarts != want.Restarts || got.OOMKills != want.OOMKills {
					t.Errorf("%s: %d restarts and %d OOM kills, want %d and %d",
						name, got.Restarts, got.OOMKills, want.Restarts, want.OOMKills)
				}
			}
		})
	}
}
