package annotate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
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
			Name     string         `json:"name"`
			Measured *savedMeasured `json:"measured"`
		} `json:"containers"`
	} `json:"workloads"`
}

type savedMeasured struct {
	Source           string   `json:"source"`
	Window           float64  `json:"windowSeconds"`
	Samples          *int     `json:"samples"`
	Age              *float64 `json:"ageSeconds"`
	CPUAverage       string   `json:"cpuAverage"`
	CPUPeak          string   `json:"cpuPeak"`
	MemoryPeak       string   `json:"memoryPeak"`
	Periods          *float64 `json:"periods"`
	Throttled        *float64 `json:"throttledPeriods"`
	ThrottledSeconds *float64 `json:"throttledSeconds"`
	OOMKills         *int     `json:"oomKills"`
	Restarts         *int     `json:"restarts"`
	Runtime          *struct {
		Exporter    string  `json:"exporter"`
		Doubt       string  `json:"doubt"`
		Samples     int     `json:"samples"`
		Seen        float64 `json:"seenSeconds"`
		HeapMax     float64 `json:"heapMaxBytes"`
		Live        float64 `json:"liveBytes"`
		Metaspace   float64 `json:"metaspaceBytes"`
		CodeCache   float64 `json:"codeCacheBytes"`
		Direct      float64 `json:"directBytes"`
		Threads     float64 `json:"threads"`
		Classes     float64 `json:"classes"`
		Processors  float64 `json:"processors"`
		GCShare     float64 `json:"gcShare"`
		GCPause     float64 `json:"gcPauseMilliseconds"`
		Kind        string  `json:"kind"`
		Version     string  `json:"version"`
		Floor       float64 `json:"floorBytes"`
		MemoryLimit float64 `json:"memoryLimitBytes"`
	} `json:"runtime"`
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
		return nil, fmt.Errorf("not what `headroom audit -o json` prints")
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
			use[key][c.Name] = c.Measured.engine(elapsed)
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

func (m *savedMeasured) engine(elapsed time.Duration) engine.Measured {
	out := engine.Measured{
		Source: m.Source, Window: seconds(m.Window), Samples: counted(m.Samples), Age: -1,
		CPUAverage: m.CPUAverage, CPUPeak: m.CPUPeak, MemoryPeak: m.MemoryPeak,
		Periods: counted(m.Periods), Throttled: counted(m.Throttled), ThrottledSeconds: counted(m.ThrottledSeconds),
		ThrottledLong: -1, CPUWaiting: -1, Observed: -1,
		OOMKills: counted(m.OOMKills), Restarts: counted(m.Restarts), ProbeKills: -1,
	}
	if m.Age != nil {
		out.Age = seconds(*m.Age) + elapsed
	}
	if r := m.Runtime; r != nil {
		out.Runtime = engine.Runtime{
			Exporter: r.Exporter, Doubt: r.Doubt, HeapMax: r.HeapMax, Live: r.Live, Metaspace: r.Metaspace,
			CodeCache: r.CodeCache, Direct: r.Direct, Threads: r.Threads, Classes: r.Classes, Processors: r.Processors,
			GCShare: r.GCShare, GCPause: r.GCPause, Kind: r.Kind, Version: r.Version, Floor: r.Floor, MemoryLimit: r.MemoryLimit,
			Samples: r.Samples, Seen: seconds(r.Seen),
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
