package json

import (
	"math"
	"time"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// What an audit adds to the JSON. Keys carry their unit; null means not known or not counted.
type (
	cluster struct {
		Name       string      `json:"name"`
		Taken      string      `json:"taken,omitempty"` // RFC 3339
		Measured   string      `json:"measured"`        // by what, "" where nothing was measured
		Namespaces []namespace `json:"namespaces"`
	}
	namespace struct {
		Name           string `json:"name"`
		Mode           string `json:"mode"`
		Mutate         string `json:"mutate"`
		LimitRanges    int    `json:"limitRanges"`
		ResourceQuotas int    `json:"resourceQuotas"`
		Score          *int   `json:"score"` // of 100, null where there is no container
		Workloads      int    `json:"workloads"`
		Containers     int    `json:"containers"`
		Errors         int    `json:"errors"`
		Warnings       int    `json:"warnings"`
		Infos          int    `json:"infos"`
	}
	workload struct {
		Resource   engine.Resource `json:"resource"`
		Replicas   int             `json:"replicas"`
		Containers []container     `json:"containers"`
	}
	container struct {
		Name     string         `json:"name"`
		Class    string         `json:"class"`
		Evidence string         `json:"evidence"`
		Runtime  string         `json:"runtime"`
		Detail   *engine.Detail `json:"detail"`
		Measured *Measured      `json:"measured"`
	}
	// Measured is what was measured of a container.
	Measured struct {
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
		Runtime          *Runtime `json:"runtime"`
		// Seen is the time from the first sample to the newest. The others are of the Pod whose memory has grown most in
		// it: by how much, and up to what.
		Seen         float64  `json:"seenSeconds,omitempty"`
		MemoryGrowth *float64 `json:"memoryGrowthBytes,omitempty"`
		MemoryGrown  float64  `json:"memoryGrownBytes,omitempty"`
	}
	// Runtime is what a program measures of itself.
	Runtime struct {
		Exporter   string   `json:"exporter"`
		Doubt      string   `json:"doubt"`
		Samples    int      `json:"samples"`
		Seen       float64  `json:"seenSeconds"`
		HeapMax    *float64 `json:"heapMaxBytes"`
		Live       *float64 `json:"liveBytes"`
		Metaspace  *float64 `json:"metaspaceBytes"`
		CodeCache  *float64 `json:"codeCacheBytes"`
		Direct     *float64 `json:"directBytes"`
		Threads    *float64 `json:"threads"`
		Classes    *float64 `json:"classes"`
		Processors *float64 `json:"processors"`
		GCShare    *float64 `json:"gcShare"` // the largest of any ten minutes
		GCPause    float64  `json:"gcPauseMilliseconds,omitempty"`
		// Kind is what runs, Floor what its heap held at the lowest of an hour.
		Kind        string  `json:"kind,omitempty"`
		Version     string  `json:"version,omitempty"`
		Floor       float64 `json:"floorBytes,omitempty"`
		MemoryLimit float64 `json:"memoryLimitBytes,omitempty"`
		BesideHeap  float64 `json:"besideHeapBytes,omitempty"`
		// Pods are those that decide, by what they are first in.
		Pods engine.Pods `json:"pods,omitzero"`
	}
	preview struct {
		Mode  string        `json:"mode"`
		Items []previewItem `json:"items"`
	}
	previewItem struct {
		Resource engine.Resource  `json:"resource"`
		File     string           `json:"file"`
		Line     int              `json:"line"`
		Replicas int              `json:"replicas"`
		Refused  []finding        `json:"refused"`
		Warned   []finding        `json:"warned"`
		Changed  []engine.Applied `json:"changed"`
	}
)

func clusterOf(r *report.Report) *cluster {
	c := r.Cluster
	if c == nil {
		return nil
	}
	out := &cluster{Name: c.Name, Measured: c.Measured, Namespaces: []namespace{}}
	if !c.Taken.IsZero() {
		out.Taken = c.Taken.UTC().Format(time.RFC3339)
	}
	_, list := report.Sections(r, report.Groups(r))
	for _, s := range list {
		n := namespace{
			Name: s.Name, Workloads: s.Workloads, Containers: s.Containers,
			Errors: s.Errors, Warnings: s.Warnings, Infos: s.Infos,
		}
		if score := s.Score(); score >= 0 {
			n.Score = &score
		}
		if s.Namespace != nil {
			n.Mode, n.Mutate = s.Namespace.Mode, s.Namespace.Mutate
			n.LimitRanges, n.ResourceQuotas = s.Namespace.LimitRanges, s.Namespace.ResourceQuotas
		}
		out.Namespaces = append(out.Namespaces, n)
	}
	return out
}

func workloadsOf(r *report.Report) []workload {
	if r.Cluster == nil {
		return nil
	}
	list := make([]workload, 0, len(r.Workloads))
	for i := range r.Workloads {
		w := workload{r.Workloads[i].Resource, r.Workloads[i].Replicas, []container{}}
		for j := range r.Workloads[i].Containers {
			c := &r.Workloads[i].Containers[j]
			w.Containers = append(w.Containers, container{
				c.Name, c.Class, c.Evidence, c.Runtime, c.Detail, measuredOf(c.Measured),
			})
		}
		list = append(list, w)
	}
	return list
}

func measuredOf(m *engine.Measured) *Measured {
	if m == nil {
		return nil
	}
	return &Measured{
		m.Source, m.Window.Seconds(), known(m.Samples), known(m.Age.Seconds()), m.CPUAverage, m.CPUPeak, m.MemoryPeak,
		known(m.Periods), known(m.Throttled), known(m.ThrottledSeconds), known(m.OOMKills), known(m.Restarts),
		runtimeOf(&m.Runtime), m.Seen.Seconds(), known(m.MemoryGrowth), max(0, m.MemoryGrown),
	}
}

func runtimeOf(r *engine.Runtime) *Runtime {
	if !r.Known() {
		return nil
	}
	return &Runtime{
		r.Exporter, r.Doubt, r.Samples, r.Seen.Seconds(), told(r.HeapMax), told(r.Live), told(r.Metaspace), told(r.CodeCache),
		told(r.Direct), told(r.Threads), told(r.Classes), told(r.Processors), told(r.GCShare),
		r.GCPause, r.Kind, r.Version, r.Floor, r.MemoryLimit, r.BesideHeap, r.Pods,
	}
}

// told is nil for 0, which a runtime did not tell.
func told(n float64) *float64 {
	if n == 0 {
		return nil
	}
	return known(n)
}

// known is nil for -1, which means not asked for or not counted, and for NaN.
func known[T int | int64 | float64](n T) *T {
	if n < 0 || math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return nil
	}
	return &n
}

func previewOf(r *report.Report) *preview {
	if r.Preview == nil {
		return nil
	}
	out := &preview{r.Preview.Mode, []previewItem{}}
	for i := range r.Preview.Items {
		item := &r.Preview.Items[i]
		shapes := shaper{prints: report.Fingerprints{}}
		out.Items = append(out.Items, previewItem{
			item.Resource, item.File, item.Line, item.Replicas, shapes.findings(item.Refused), shapes.findings(item.Warned),
			append([]engine.Applied{}, item.Changed...),
		})
	}
	return out
}
