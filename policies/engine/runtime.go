package engine

import (
	"time"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Runtime is what the runtime in a container measures of itself, as its own exporter tells it, over all Pods of the
// workload. 0 is not known.
type Runtime struct {
	Exporter string // whose names the metrics have: "Micrometer"
	Kind     string // what runs: jvm, go, node, dotnet or beam
	Version  string // its release, as it says it: "v22.11.0"; "" where that is not known
	// Doubt is why nothing of it is used; "" where it is.
	Doubt string
	// HeapMax is the largest heap that it allows itself now, in bytes. Live is the most that it held after a collection
	// of its old generation.
	HeapMax, Live float64
	// Floor is the most that the heap held at the lowest of any hour, in bytes: of runtimes that tell no Live.
	// MemoryLimit is the limit that the program itself keeps to, as GOMEMLIMIT.
	Floor, MemoryLimit float64
	// Metaspace, CodeCache and Direct are the most that these regions outside the heap took, in bytes.
	Metaspace, CodeCache, Direct float64
	// Threads and Classes are the most that there were at a time; Processors are those that it counts now.
	Threads, Classes, Processors float64
	// GCShare is the largest share of any ten minutes in which collections stopped the program.
	GCShare float64
	// GCPause is how long a collection stopped the program on average, in milliseconds, of the Pod with the longest.
	GCPause float64
	// Rises are by how much each grows in a day, in bytes or threads. It does where the least of each quarter of the last
	// days is above that of the quarter before. 0 is what does not grow so, or is not known.
	Rises Rises
	// Pods are those that decide: figures that are told in one sentence are of one of them.
	Pods Pods
	// Samples is at how many steps there was a sample of any Pod, Seen the time from the first to the newest.
	Samples int
	Seen    time.Duration
}

// Rises are amounts of what may grow; 0 where nothing grows all the time.
type Rises struct{ Live, Floor, Metaspace, Direct, Threads float64 }

// Pod is what one Pod told. 0 is not known. MemoryPeak is the peak of its container, in bytes; the rest is as in Runtime.
type Pod struct {
	HeapMax     float64 `json:"heapMaxBytes,omitempty"`
	Live        float64 `json:"liveBytes,omitempty"`
	Floor       float64 `json:"floorBytes,omitempty"`
	MemoryLimit float64 `json:"memoryLimitBytes,omitempty"`
	Metaspace   float64 `json:"metaspaceBytes,omitempty"`
	Direct      float64 `json:"directBytes,omitempty"`
	Threads     float64 `json:"threads,omitempty"`
	GCShare     float64 `json:"gcShare,omitempty"`
	MemoryPeak  float64 `json:"memoryPeakBytes,omitempty"`
}

// Pods are the Pods of a workload that are first in something. Live is first in what is live, LiveShare in its share of
// the heap or of the limit that the Pod keeps to. FloorShare and DirectShare are such shares of what they are named for. GCShare is
// the Pod with the most time in collections, and the others are those in which something grows most.
type Pods struct {
	Live          Pod `json:"live,omitzero"`
	LiveShare     Pod `json:"liveShare,omitzero"`
	FloorShare    Pod `json:"floorShare,omitzero"`
	DirectShare   Pod `json:"directShare,omitzero"`
	GCShare       Pod `json:"gcShare,omitzero"`
	LiveRise      Pod `json:"liveRise,omitzero"`
	FloorRise     Pod `json:"floorRise,omitzero"`
	MetaspaceRise Pod `json:"metaspaceRise,omitzero"`
	DirectRise    Pod `json:"directRise,omitzero"`
	ThreadsRise   Pod `json:"threadsRise,omitzero"`
}

// Known says that something was measured.
func (r *Runtime) Known() bool { return r.Exporter != "" }

// Without is what is left of it where there is a doubt.
func (r *Runtime) Without(doubt string) Runtime { return Runtime{Exporter: r.Exporter, Doubt: doubt} }

func (r *Runtime) value() *plan.Object {
	if !r.Known() {
		return plan.NewObject()
	}
	entry := func(name string, value float64) plan.Pair { return plan.Pair{Key: name, Value: counted(value)} }
	return plan.NewObject(
		plan.Pair{Key: "exporter", Value: r.Exporter},
		plan.Pair{Key: "kind", Value: r.Kind},
		plan.Pair{Key: "version", Value: r.Version},
		plan.Pair{Key: "doubt", Value: r.Doubt},
		entry("heap_max", r.HeapMax),
		entry("live", r.Live),
		entry("floor", r.Floor),
		entry("memory_limit", r.MemoryLimit),
		entry("metaspace", r.Metaspace),
		entry("code_cache", r.CodeCache),
		entry("direct", r.Direct),
		entry("threads", r.Threads),
		entry("classes", r.Classes),
		entry("processors", r.Processors),
		entry("gc_share", r.GCShare),
		entry("pause", r.GCPause),
		entry("live_rise", r.Rises.Live),
		entry("floor_rise", r.Rises.Floor),
		entry("metaspace_rise", r.Rises.Metaspace),
		entry("direct_rise", r.Rises.Direct),
		entry("threads_rise", r.Rises.Threads),
		plan.Pair{Key: "pods", Value: r.Pods.value()},
		entry("samples", float64(r.Samples)),
		entry("seen_seconds", r.Seen.Seconds()),
	)
}

// All are the Pods in the order of firstIn; what has none is empty.
func (p *Pods) All() []Pod {
	return []Pod{
		p.Live, p.LiveShare, p.FloorShare, p.DirectShare, p.GCShare,
		p.LiveRise, p.FloorRise, p.MetaspaceRise, p.DirectRise, p.ThreadsRise,
	}
}

// firstIn are their names in the policies.
var firstIn = []string{
	"live", "live_share", "floor_share", "direct_share", "gc_share",
	"live_rise", "floor_rise", "metaspace_rise", "direct_rise", "threads_rise",
}

func (p *Pods) value() *plan.Object {
	var found []plan.Pair
	for i, pod := range p.All() {
		if pod != (Pod{}) {
			found = append(found, plan.Pair{Key: firstIn[i], Value: pod.value()})
		}
	}
	return plan.NewObject(found...)
}

func (p *Pod) value() *plan.Object {
	entry := func(name string, value float64) plan.Pair { return plan.Pair{Key: name, Value: counted(value)} }
	return plan.NewObject(
		entry("heap_max", p.HeapMax),
		entry("live", p.Live),
		entry("floor", p.Floor),
		entry("memory_limit", p.MemoryLimit),
		entry("metaspace", p.Metaspace),
		entry("direct", p.Direct),
		entry("threads", p.Threads),
		entry("gc_share", p.GCShare),
		entry("memory_peak", p.MemoryPeak),
	)
}
