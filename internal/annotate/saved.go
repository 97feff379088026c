package annotate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"k8s.io/utils/ptr"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	findings "github.com/headroom-dev/headroom/internal/render/json"
	"github.com/headroom-dev/headroom/policies/engine"
)

// saved is what is read of the JSON of an audit.
type saved struct {
	Schema  string `json:"schema"`
	Cluster *struct {
		Taken time.Time `json:"taken"`
	} `json:"cluster"`
	Workloads []struct {
		Resource   engine.Resource `json:"resource"`
		Containers []struct {
			Name     string             `json:"name"`
			Measured *findings.Measured `json:"measured"`
		} `json:"containers"`
	} `json:"workloads"`
}

const schemaPrefix = "headroom.dev/findings/"

// Saved looks up what `headroom audit -o json` printed. Samples are older now than they were
// then. Where a manifest names no namespace, the one given is taken, or, without one, that of
// the only workload of its kind and name.
func Saved(text []byte, now time.Time, fallback string) (Lookup, error) {
	var s saved
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("read the JSON of an audit: %w", err)
	}
	if !strings.HasPrefix(s.Schema, schemaPrefix) || s.Cluster == nil {
		return nil, fmt.Errorf("it is not the output of headroom audit -o json")
	}
	elapsed := time.Duration(0)
	if !s.Cluster.Taken.IsZero() {
		elapsed = max(0, now.Sub(s.Cluster.Taken))
	}
	use := map[cluster.Key]map[string]engine.Measured{}
	for _, w := range s.Workloads {
		for _, c := range w.Containers {
			if c.Measured == nil {
				continue
			}
			key := cluster.Key{Kind: w.Resource.Kind, Namespace: w.Resource.Namespace, Name: w.Resource.Name}
			if use[key] == nil {
				use[key] = map[string]engine.Measured{}
			}
			use[key][c.Name] = measured(c.Measured, elapsed)
		}
	}
	return func(_ context.Context, kind, namespace, name string) (map[string]engine.Measured, error) {
		if namespace == "" {
			namespace = fallback
		}
		if namespace != "" {
			return use[cluster.Key{Kind: kind, Namespace: namespace, Name: name}], nil
		}
		return only(use, kind, name), nil
	}, nil
}

// only finds the workload in whatever namespace, if there is just one.
func only(use map[cluster.Key]map[string]engine.Measured, kind, name string) map[string]engine.Measured {
	var found map[string]engine.Measured
	for key, measured := range use {
		if key.Kind != kind || key.Name != name {
			continue
		}
		if found != nil {
			return nil
		}
		found = measured
	}
	return found
}

func measured(m *findings.Measured, elapsed time.Duration) engine.Measured {
	out := engine.Measured{
		Source: m.Source, Window: seconds(m.Window), Samples: counted(m.Samples), Age: -1, Seen: seconds(m.Seen),
		CPUAverage: m.CPUAverage, CPUPeak: m.CPUPeak, MemoryPeak: m.MemoryPeak,
		Periods: counted(m.Periods), Throttled: counted(m.Throttled), ThrottledSeconds: counted(m.ThrottledSeconds),
		ThrottledLong: -1, CPUWaiting: -1, Observed: -1,
		MemoryGrowth: counted(m.MemoryGrowth), MemoryGrown: m.MemoryGrown,
		OOMKills: counted(m.OOMKills), Restarts: counted(m.Restarts), ProbeKills: -1,
	}
	if m.Age != nil {
		out.Age = seconds(*m.Age) + elapsed
	}
	if r := m.Runtime; r != nil {
		out.Runtime = engine.Runtime{
			Exporter: r.Exporter, Doubt: r.Doubt, HeapMax: ptr.Deref(r.HeapMax, 0), Live: ptr.Deref(r.Live, 0),
			Metaspace: ptr.Deref(r.Metaspace, 0), CodeCache: ptr.Deref(r.CodeCache, 0), Direct: ptr.Deref(r.Direct, 0),
			Threads: ptr.Deref(r.Threads, 0), Classes: ptr.Deref(r.Classes, 0), Processors: ptr.Deref(r.Processors, 0),
			GCShare: ptr.Deref(r.GCShare, 0), GCPause: r.GCPause, Kind: r.Kind, Version: r.Version, Floor: r.Floor,
			MemoryLimit: r.MemoryLimit, BesideHeap: r.BesideHeap, Pods: r.Pods, Samples: r.Samples, Seen: seconds(r.Seen),
		}
	}
	return out
}

// counted is -1 for what was not counted.
func counted[N int | float64](n *N) N {
	if n == nil || *n < 0 {
		return -1
	}
	return *n
}

// seconds bounds what a file may say to what a duration holds: 30 years are old enough.
func seconds(value float64) time.Duration {
	const most = 30 * 365 * 24 * 3600
	return time.Duration(min(max(value, 0), most) * float64(time.Second))
}
