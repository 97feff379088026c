package engine

import (
	"reflect"
	"time"
)

// Runtime is what the runtime in a container measures of itself, as its own exporter tells it, over all Pods of the
// workload. 0 is not known.
type Runtime struct {
	Exporter string `rego:"exporter"` // whose names the metrics have: "Micrometer"
	Kind     string `rego:"kind"`     // what runs: jvm, go, node, dotnet or beam
	Version  string `rego:"version"`  // its release, as it says it: "v22.11.0"; "" where that is not known
	// Doubt is why nothing of it is used; "" where it is.
	Doubt string `rego:"doubt"`
	// HeapMax is the largest heap that it allows itself now, in bytes. Live is the most that it held after a collection
	// of its old generation.
	HeapMax float64 `rego:"heap_max"`
	Live    float64 `rego:"live"`
	// Floor is the most that the heap held at the lowest of any hour, in bytes: of runtimes that tell no Live.
	// MemoryLimit is the limit that the program itself keeps to, as GOMEMLIMIT.
	Floor       float64 `rego:"floor"`
	MemoryLimit float64 `rego:"memory_limit"`
	// Metaspace, CodeCache and Direct are the most that these regions outside the heap took, in bytes.
	Metaspace float64 `rego:"metaspace"`
	CodeCache float64 `rego:"code_cache"`
	Direct    float64 `rego:"direct"`
	// ClassSpace is the part of Metaspace that compressed class pointers lead to.
	ClassSpace float64 `rego:"class_space"`
	// BesideHeap is the most that the three took together at a time, in one Pod.
	BesideHeap float64 `rego:"beside_heap"`
	// Threads and Classes are the most that there were at a time; Processors are those that it counts now.
	Threads    float64 `rego:"threads"`
	Classes    float64 `rego:"classes"`
	Processors float64 `rego:"processors"`
	// GCShare is the largest share of any ten minutes in which collections stopped the program.
	GCShare float64 `rego:"gc_share"`
	// GCPause is how long a collection stopped the program on average, in milliseconds, of the Pod with the longest.
	GCPause float64 `rego:"pause"`
	// Rises are by how much each grows in a day, in bytes or threads. It does where the least of each quarter of the last
	// days is above that of the quarter before. 0 is what does not grow so, or is not known.
	Rises Rises `rego:""`
	// Pods are those that decide: figures that are told in one sentence are of one of them.
	Pods Pods `rego:"pods"`
	// Samples is at how many steps there was a sample of any Pod, Seen the time from the first to the newest.
	Samples int           `rego:"samples"`
	Seen    time.Duration `rego:"seen_seconds"`
}

// Rises are amounts of what may grow; 0 where nothing grows all the time.
type Rises struct {
	Live      float64 `rego:"live_rise"`
	Floor     float64 `rego:"floor_rise"`
	Metaspace float64 `rego:"metaspace_rise"`
	Direct    float64 `rego:"direct_rise"`
	Threads   float64 `rego:"threads_rise"`
}

// Pod is what one Pod told. 0 is not known. MemoryPeak is the peak of its container, in bytes; the rest is as in Runtime.
type Pod struct {
	HeapMax     float64 `rego:"heap_max" json:"heapMaxBytes,omitempty"`
	Live        float64 `rego:"live" json:"liveBytes,omitempty"`
	Floor       float64 `rego:"floor" json:"floorBytes,omitempty"`
	MemoryLimit float64 `rego:"memory_limit" json:"memoryLimitBytes,omitempty"`
	Metaspace   float64 `rego:"metaspace" json:"metaspaceBytes,omitempty"`
	Direct      float64 `rego:"direct" json:"directBytes,omitempty"`
	Threads     float64 `rego:"threads" json:"threads,omitempty"`
	GCShare     float64 `rego:"gc_share" json:"gcShare,omitempty"`
	MemoryPeak  float64 `rego:"memory_peak" json:"memoryPeakBytes,omitempty"`
}

// Pods are the Pods of a workload that are first in something. Live is first in what is live, LiveShare in its share of
// the heap or of the limit that the Pod keeps to. FloorShare and DirectShare are such shares of what they are named for. GCShare is
// the Pod with the most time in collections, and the others are those in which something grows most.
type Pods struct {
	Live          Pod `rego:"live" json:"live,omitzero"`
	LiveShare     Pod `rego:"live_share" json:"liveShare,omitzero"`
	FloorShare    Pod `rego:"floor_share" json:"floorShare,omitzero"`
	DirectShare   Pod `rego:"direct_share" json:"directShare,omitzero"`
	GCShare       Pod `rego:"gc_share" json:"gcShare,omitzero"`
	LiveRise      Pod `rego:"live_rise" json:"liveRise,omitzero"`
	FloorRise     Pod `rego:"floor_rise" json:"floorRise,omitzero"`
	MetaspaceRise Pod `rego:"metaspace_rise" json:"metaspaceRise,omitzero"`
	DirectRise    Pod `rego:"direct_rise" json:"directRise,omitzero"`
	ThreadsRise   Pod `rego:"threads_rise" json:"threadsRise,omitzero"`
}

// Known says that something was measured.
func (r *Runtime) Known() bool { return r.Exporter != "" }

// Without is what is left of it where there is a doubt.
func (r *Runtime) Without(doubt string) Runtime { return Runtime{Exporter: r.Exporter, Doubt: doubt} }

// Amounts are all that was measured in numbers with a fraction, but what the runtime told.
func (m *Measured) Amounts() []*float64 { return amountsIn(reflect.ValueOf(m).Elem()) }

// Amounts are all that it told in numbers, but of its Pods and of how often it told them.
func (r *Runtime) Amounts() []*float64 { return amountsIn(reflect.ValueOf(r).Elem()) }

// Amounts are all that the Pod told.
func (p *Pod) Amounts() []*float64 { return amountsIn(reflect.ValueOf(p).Elem()) }

func amountsIn(of reflect.Value) []*float64 {
	var all []*float64
	for i := range of.NumField() {
		switch field := of.Field(i).Addr().Interface().(type) {
		case *float64:
			all = append(all, field)
		case *Rises:
			all = append(all, amountsIn(of.Field(i))...)
		}
	}
	return all
}

// All are the Pods in one order; one that is first in nothing is empty.
func (p *Pods) All() []Pod {
	return []Pod{
		p.Live, p.LiveShare, p.FloorShare, p.DirectShare, p.GCShare,
		p.LiveRise, p.FloorRise, p.MetaspaceRise, p.DirectRise, p.ThreadsRise,
	}
}
