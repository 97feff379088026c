package engine

import "time"

// Measured is what was measured of one container of a workload, over all of its Pods. It takes
// the place of the annotations that declare the same.
type Measured struct {
	Source string        // who measured, in words: "Prometheus", "VerticalPodAutoscaler"
	Window time.Duration // how far back the samples go
	// Samples is how many there are of the least sampled value, and Age how old the newest is.
	// Too few, or too old, is unknown: the policies say so.
	Samples int
	Age     time.Duration
	// Quantities as Kubernetes writes them; "" where there is no value.
	CPUAverage, CPUPeak, MemoryPeak string
	// Periods and Throttled count CFS periods of all Pods over the window, and ThrottledSeconds
	// the time that threads were kept from running (T5); -1 where nobody counted.
	Periods, Throttled, ThrottledSeconds float64
	// OOMKills and Restarts are those of the window; -1 where nobody counted.
	OOMKills, Restarts int
}
