package engine

import (
	"math"
	"strconv"
	"time"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Measured is what was measured of one container of a workload, over all of its Pods. It takes
// the place of the annotations that declare the same.
type Measured struct {
	Source string        // who measured, in words: "Prometheus", "VerticalPodAutoscaler"
	Window time.Duration // how far back the samples go
	// Samples is how many there are of the least sampled value, and Age how old the newest is.
	// Too few, or too old, is unknown: the policies say so. -1 (any negative Age) is for a
	// source that keeps no such count; it has to stand by what it gives.
	Samples int
	Age     time.Duration
	Seen    time.Duration // from the first sample to the newest; 0 where that is not known
	// Quantities as Kubernetes writes them; "" where there is no value.
	CPUAverage, CPUPeak, MemoryPeak string
	// Periods and Throttled count CFS periods of all Pods over the window, and ThrottledSeconds
	// the time that threads were throttled (T5); -1 where it is not counted.
	Periods, Throttled, ThrottledSeconds float64
	// ThrottledLong is the time, in ten-minute pieces, in which more than 5 % of the periods were throttled.
	// CPUWaiting is the time in which some thread waited for a CPU (PSI), of Observed. All are seconds, -1 if not
	// counted.
	ThrottledLong, CPUWaiting, Observed float64
	// MemoryGrowth is by how many bytes memory has grown over the window, of the Pod that has grown most and in
	// each part of it. It is 0 if none grew, -1 if that was not measured. MemoryGrown is the peak of that Pod.
	MemoryGrowth, MemoryGrown float64
	// OOMKills and Restarts are those of the window; -1 where they are not counted.
	OOMKills, Restarts int
	// ProbeKills are the containers that ended last with 137 or 143, and not for memory; -1 where they are not counted.
	ProbeKills int
	// Runtime is what the program measures of itself.
	Runtime Runtime
}

// measuredValue is what was measured as data.headroom.workload.measured reads it.
func measuredValue(measured map[string]Measured) *plan.Object {
	containers := make([]plan.Pair, 0, len(measured))
	for name, m := range measured {
		containers = append(containers, plan.Pair{Key: name, Value: m.value()})
	}
	return plan.NewObject(containers...)
}

func (m Measured) value() *plan.Object {
	entry := func(name string, value plan.Value) plan.Pair { return plan.Pair{Key: name, Value: value} }
	return plan.NewObject(
		entry("source", m.Source),
		entry("window_seconds", counted(m.Window.Seconds())),
		entry("samples", counted(float64(m.Samples))),
		entry("age_seconds", counted(m.Age.Seconds())),
		entry("seen_seconds", counted(m.Seen.Seconds())),
		entry("memory_growth_bytes", counted(m.MemoryGrowth)),
		entry("memory_grown_bytes", counted(m.MemoryGrown)),
		entry("cpu_average", m.CPUAverage),
		entry("cpu_peak", m.CPUPeak),
		entry("memory_peak", m.MemoryPeak),
		entry("periods", counted(m.Periods)),
		entry("throttled", counted(m.Throttled)),
		entry("throttled_seconds", counted(m.ThrottledSeconds)),
		entry("oom_kills", counted(float64(m.OOMKills))),
		entry("restarts", counted(float64(m.Restarts))),
		entry("throttled_long_seconds", counted(m.ThrottledLong)),
		entry("cpu_waiting_seconds", counted(m.CPUWaiting)),
		entry("observed_seconds", counted(m.Observed)),
		entry("probe_kills", counted(float64(m.ProbeKills))),
		entry("runtime", m.Runtime.value()),
	)
}

// counted is a number as the policies read it: without an exponent, and -1 if it was not
// counted. The quotient of two counters may well be unknown.
func counted(value float64) plan.Value {
	const thousandths, most = 1000, 1e300
	if math.IsNaN(value) || value < 0 || value > most {
		value = -1
	}
	value = math.Round(value*thousandths) / thousandths
	return plan.ParseNumber(strconv.FormatFloat(value, 'f', -1, 64))
}
