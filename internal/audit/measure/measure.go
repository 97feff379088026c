// Package measure finds out what containers really use: from a Prometheus that scrapes cAdvisor
// and kube-state-metrics, and from VerticalPodAutoscalers. It only reads, and it only gives
// values: what follows from them is decided by the policies.
package measure

import (
	"context"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Use is what was measured, by owning workload and container name.
type Use = map[cluster.Key]map[string]engine.Measured

// Source measures.
type Source interface {
	// Describe says who measures, in words: "Prometheus at https://prometheus.example, last 7d".
	Describe() string
	// Namespace gives the use of every container of a namespace. What could not be had is an
	// error that names it (of several, each, by errors.Join), and the rest is given all the same.
	// An error that concerns all namespaces has the same text in all of them, or is given once.
	// An error that another try would not mend is a Lack. It may be called for several namespaces at once.
	Namespace(ctx context.Context, namespace string, owners cluster.Owners) (Use, error)
}

// Unknown is a Measured of which nothing is known yet.
func Unknown(source string) engine.Measured {
	return engine.Measured{
		Source: source, Periods: -1, Throttled: -1, ThrottledSeconds: -1, ThrottledLong: -1, CPUWaiting: -1, Observed: -1,
		MemoryGrowth: -1, MemoryGrown: -1,
		OOMKills: -1, Restarts: -1, ProbeKills: -1,
	}
}

// put makes the container's entry.
func put(use Use, key cluster.Key, container string, measured engine.Measured) {
	if use[key] == nil {
		use[key] = map[string]engine.Measured{}
	}
	use[key][container] = measured
}
