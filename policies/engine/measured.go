package engine

import (
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Measured is what was measured of one container of a workload, over all of its Pods. It takes
// the place of the annotations that declare the same.
type Measured struct {
	Source string        `rego:"source"`         // who measured, in words: "Prometheus", "VerticalPodAutoscaler"
	Window time.Duration `rego:"window_seconds"` // how far back the samples go
	// Samples is how many there are of the least sampled value, and Age how old the newest is.
	// Too few, or too old, is unknown: the policies say so. -1 (any negative Age) is for a
	// source that keeps no such count; it has to stand by what it gives.
	Samples int           `rego:"samples"`
	Age     time.Duration `rego:"age_seconds"`
	Seen    time.Duration `rego:"seen_seconds"` // from the first sample to the newest; 0 where that is not known
	// Quantities as Kubernetes writes them; "" where there is no value.
	CPUAverage string `rego:"cpu_average"`
	CPUPeak    string `rego:"cpu_peak"`
	MemoryPeak string `rego:"memory_peak"`
	// Periods and Throttled count CFS periods of all Pods over the window, and ThrottledSeconds
	// the time that threads were throttled (T5); -1 where it is not counted.
	Periods          float64 `rego:"periods"`
	Throttled        float64 `rego:"throttled"`
	ThrottledSeconds float64 `rego:"throttled_seconds"`
	// ThrottledLong is the time, in ten-minute pieces, in which more than 5 % of the periods were throttled.
	// CPUWaiting is the time in which some thread waited for a CPU (PSI), of Observed. All are seconds, -1 if not
	// counted.
	ThrottledLong float64 `rego:"throttled_long_seconds"`
	CPUWaiting    float64 `rego:"cpu_waiting_seconds"`
	Observed      float64 `rego:"observed_seconds"`
	// MemoryGrowth is by how many bytes memory has grown over the window, of the Pod that has grown most and in
	// each part of it. It is 0 if none grew, -1 if that was not measured. MemoryGrown is the peak of that Pod.
	MemoryGrowth float64 `rego:"memory_growth_bytes"`
	MemoryGrown  float64 `rego:"memory_grown_bytes"`
	// OOMKills and Restarts are those of the window; -1 where they are not counted.
	OOMKills int `rego:"oom_kills"`
	Restarts int `rego:"restarts"`
	// ProbeKills are the containers that ended last with 137 or 143, and not for memory; -1 where they are not counted.
	ProbeKills int `rego:"probe_kills"`
	// Runtime is what the program measures of itself.
	Runtime Runtime `rego:"runtime"`
}

// measuredValue is what was measured as data.headroom.workload.measured reads it.
func measuredValue(measured map[string]Measured) *plan.Object {
	containers := make([]plan.Pair, 0, len(measured))
	for name, m := range measured {
		containers = append(containers, plan.Pair{Key: name, Value: plan.NewObject(entriesOf(reflect.ValueOf(m))...)})
	}
	return plan.NewObject(containers...)
}

// entriesOf are the fields of a struct as the policies read them, by the tags that read goes by. What a field without
// a name has stands beside the others.
func entriesOf(of reflect.Value) []plan.Pair {
	var entries []plan.Pair
	for _, f := range membersOf(of.Type()) {
		field := of.Field(f.index)
		if f.name == "" {
			entries = append(entries, entriesOf(field)...)
		} else if value := written(field); value != nil {
			entries = append(entries, plan.Pair{Key: f.name, Value: value})
		}
	}
	return entries
}

func written(field reflect.Value) plan.Value {
	switch value := field.Interface().(type) {
	case string:
		return value
	case float64:
		return counted(value)
	case int:
		return counted(float64(value))
	case time.Duration:
		return counted(value.Seconds())
	case Pod:
		if value == (Pod{}) {
			return nil // it is first in nothing
		}
	case Runtime:
		if !value.Known() {
			return plan.NewObject()
		}
	}
	return plan.NewObject(entriesOf(field)...)
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
