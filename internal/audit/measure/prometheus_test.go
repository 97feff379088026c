//go:build integration

package measure_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/history"
)

const (
	mi     = 1 << 20
	day    = 24 * time.Hour
	window = 2 * day
)

// owned are the Pods that run, by the workload that they are of.
type owned map[string]cluster.Key

func (o owned) Of(pod string) (cluster.Key, bool) {
	key, ok := o[pod]
	return key, ok
}

func key(kind, name string) cluster.Key {
	return cluster.Key{Kind: kind, Namespace: "shop", Name: name}
}

// source asks this Prometheus about two days.
func source(t *testing.T, o measure.PrometheusOptions) measure.Source {
	t.Helper()
	o.Window = window
	s, err := measure.Prometheus(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// told asks a server about its history as if it had just been told: samples get older while a
// busy machine starts Prometheus.
func told(t *testing.T, h *history.History, server *history.Server) measure.Source {
	t.Helper()
	s := source(t, measure.PrometheusOptions{URL: server.URL, Timeout: time.Hour})
	measure.At(s, h.End.Add(10*time.Second))
	return s
}

// runs writes a container that runs to the end of the history.
func runs(h *history.History, pod, container string, since time.Duration, cpu func(time.Time) float64) {
	h.Run(history.Container{
		Namespace: "shop", Pod: pod, Name: container, ID: pod + container, From: h.Ago(since), To: h.End,
		CPU: cpu, Memory: history.Constant(300 * mi), Throttled: 0.1,
	})
	h.Tell(history.State{Namespace: "shop", Pod: pod, UID: pod, Name: container, From: h.Ago(30 * day), To: h.End})
}

// between is one value within a time, and another one outside it.
func between(h *history.History, from, to time.Duration, inside, outside float64) func(time.Time) float64 {
	return func(at time.Time) float64 {
		if at.After(h.Ago(from)) && !at.After(h.Ago(to)) {
			return inside
		}
		return outside
	}
}

// shop is a namespace with everything that makes cAdvisor's series hard to read.
func shop(h *history.History) owned {
	owners := owned{}

	// Two Pods, one with an hour at two cores, the other scraped by two Prometheus servers.
	runs(h, "cart-1-a", "app", 3*day, between(h, 5*time.Hour, 4*time.Hour, 2, 0.5))
	for _, replica := range []string{"a", "b"} {
		h.Run(history.Container{
			Namespace: "shop", Pod: "cart-1-b", Name: "app", ID: "cart-1-b", From: h.Ago(3 * day), To: h.End,
			CPU: history.Constant(0.3), Memory: between(h, 3*time.Hour, 2*time.Hour, 700*mi, 200*mi), Throttled: 0.3,
			Labels: history.Labels{"prometheus_replica": replica},
		})
		h.Tell(history.State{
			Namespace: "shop", Pod: "cart-1-b", UID: "b", Name: "app", From: h.Ago(30 * day), To: h.End,
			Labels: history.Labels{"prometheus_replica": replica},
		})
	}
	owners["cart-1-a"], owners["cart-1-b"] = key("Deployment", "cart"), key("Deployment", "cart")

	// What is no container, and what is one twice.
	for _, extra := range []history.Labels{
		{"container": "", "image": "", "name": "", "id": "/kubepods.slice/pod"},
		{"container": "POD", "id": "/kubepods.slice/pause"},
		{"image": "", "name": "", "id": "/system.slice/twice"},
	} {
		h.Run(history.Container{
			Namespace: "shop", Pod: "cart-1-a", Name: "app", ID: "x", From: h.Ago(day), To: h.End, Labels: extra,
			CPU: history.Constant(0.1), Memory: history.Constant(10 * mi), Throttled: 1,
		})
	}

	// A runtime that tells no image.
	h.Run(history.Container{
		Namespace: "shop", Pod: "plain-0", Name: "db", ID: "p", From: h.Ago(day), To: h.End,
		CPU: history.Constant(0.25), Memory: history.Constant(100.5 * mi), Throttled: 0, Labels: history.Labels{"image": ""},
	})
	owners["plain-0"] = key("StatefulSet", "plain")

	// Restarts: a new series that begins at 0, and, where the labels that tell them apart are
	// dropped, the same series that falls back to 0.
	for _, pod := range []string{"restarted-0", "merged-0"} {
		for i, cores := range []float64{0.2, 0.4} {
			c := history.Container{
				Namespace: "shop", Pod: pod, Name: "app", ID: pod + string(rune('a'+i)),
				From: h.Ago(2*day - time.Duration(i)*day), To: h.Ago(day - time.Duration(i)*day - time.Minute*time.Duration(i-1)),
				CPU: history.Constant(cores), Memory: history.Constant(50 * mi), Throttled: 0.5,
			}
			c.To = c.From.Add(day - time.Minute)
			if pod == "merged-0" {
				c.Labels = history.Labels{"id": "", "name": "", "image": ""}
			}
			h.Run(c)
		}
		h.Tell(history.State{
			Namespace: "shop", Pod: pod, UID: pod, Name: "app", From: h.Ago(30 * day), To: h.End,
			Restarts: []time.Time{h.Ago(day)}, Reasons: []string{"Error"},
		})
		owners[pod] = key("StatefulSet", strings.TrimSuffix(pod, "-0"))
	}
	return owners
}

func near(t *testing.T, what, quantity string, want float64) {
	t.Helper()
	got, err := resource.ParseQuantity(quantity)
	if err != nil {
		t.Errorf("%s is %q", what, quantity)
		return
	}
	close(t, what, got.AsApproximateFloat64(), want)
}

// close allows for what the samples at the ends of the window make of a rate.
func close(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.015*math.Abs(want) {
		t.Errorf("%s is %v, want about %v", what, got, want)
	}
}

func TestUse(t *testing.T) {
	t.Parallel()
	h := history.New()
	owners := shop(h)
	server := history.Start(t, h, history.Options{})
	use, err := told(t, h, server).Namespace(t.Context(), "shop", owners)
	if err != nil {
		t.Error(err)
	}
	for at, containers := range use {
		for name, m := range containers {
			t.Logf("%s %s %s: %+v", at.Kind, at.Name, name, m)
		}
	}
	const perDay = 24 * 60 * 60 * 10 // periods
	for _, test := range []struct {
		of        cluster.Key
		container string
		want      engine.Measured
		average   float64
		peak      float64
	}{
		{
			key("Deployment", "cart"), "app",
			engine.Measured{
				MemoryPeak: "700Mi", Samples: 576, Periods: 4 * perDay, Throttled: (0.1 + 0.3) * 2 * perDay,
				ThrottledSeconds: (0.1 + 0.3) * 2 * perDay * 0.04,
			},
			((0.5*47+2)/48 + 0.3) / 2, 2,
		},
		{
			key("StatefulSet", "plain"), "db",
			engine.Measured{MemoryPeak: "101Mi", Samples: 288, Periods: perDay, Restarts: -1, OOMKills: -1},
			0.25, 0.25,
		},
		{
			key("StatefulSet", "restarted"), "app",
			engine.Measured{
				MemoryPeak: "50Mi", Samples: 576, Periods: 2 * perDay, Throttled: perDay,
				ThrottledSeconds: perDay * 0.04, Restarts: 1,
			},
			0.3, 0.4,
		},
		{
			key("StatefulSet", "merged"), "app",
			engine.Measured{
				MemoryPeak: "50Mi", Samples: 576, Periods: 2 * perDay, Throttled: perDay,
				ThrottledSeconds: perDay * 0.04, Restarts: 1,
			},
			0.3, 0.4,
		},
	} {
		t.Run(test.of.Name, func(t *testing.T) {
			got, ok := use[test.of][test.container]
			if !ok {
				t.Fatal("nothing was measured")
			}
			near(t, "average CPU", got.CPUAverage, test.average)
			near(t, "peak CPU", got.CPUPeak, test.peak)
			if got.MemoryPeak != test.want.MemoryPeak {
				t.Errorf("peak memory is %s, want %s", got.MemoryPeak, test.want.MemoryPeak)
			}
			close(t, "periods", got.Periods, test.want.Periods)
			close(t, "throttled periods", got.Throttled, test.want.Throttled)
			close(t, "throttled seconds", got.ThrottledSeconds, test.want.ThrottledSeconds)
			close(t, "samples", float64(got.Samples), float64(test.want.Samples))
			if got.Restarts != test.want.Restarts || got.OOMKills != test.want.OOMKills {
				t.Errorf("%d restarts, %d OOM kills; want %d, %d",
					got.Restarts, got.OOMKills, test.want.Restarts, test.want.OOMKills)
			}
			if got.Age > 2*time.Minute || got.Window != window || got.Source != "Prometheus" {
				t.Errorf("newest sample %s old, window %s, by %q", got.Age, got.Window, got.Source)
			}
		})
	}
	if len(use) != 4 {
		t.Errorf("%d workloads were measured, want 4", len(use))
	}
}
