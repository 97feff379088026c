package engine

import (
	"math"
	"strconv"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
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
	// Quantities as Kubernetes writes them; "" where there is no value.
	CPUAverage, CPUPeak, MemoryPeak string
	// Periods and Throttled count CFS periods of all Pods over the window, and ThrottledSeconds
	// the time that threads were throttled (T5); -1 where it is not counted.
	Periods, Throttled, ThrottledSeconds float64
	// OOMKills and Restarts are those of the window; -1 where they are not counted.
	OOMKills, Restarts int
}

var keyMeasured = ast.StringTerm("measured")

// measuredTerm is what was measured as data.headroom.workload.measured reads it.
func measuredTerm(measured map[string]Measured) *ast.Term {
	object := ast.NewObjectWithCapacity(len(measured))
	for name, m := range measured {
		object.Insert(ast.StringTerm(name), m.term())
	}
	return ast.NewTerm(object)
}

func (m Measured) term() *ast.Term {
	field := func(name string, value *ast.Term) [2]*ast.Term { return [2]*ast.Term{ast.StringTerm(name), value} }
	return ast.ObjectTerm(
		field("source", ast.StringTerm(m.Source)),
		field("window_seconds", counted(m.Window.Seconds())),
		field("samples", counted(float64(m.Samples))),
		field("age_seconds", counted(m.Age.Seconds())),
		field("cpu_average", ast.StringTerm(m.CPUAverage)),
		field("cpu_peak", ast.StringTerm(m.CPUPeak)),
		field("memory_peak", ast.StringTerm(m.MemoryPeak)),
		field("periods", counted(m.Periods)),
		field("throttled", counted(m.Throttled)),
		field("throttled_seconds", counted(m.ThrottledSeconds)),
		field("oom_kills", counted(float64(m.OOMKills))),
		field("restarts", counted(float64(m.Restarts))),
	)
}

// counted is a number as the policies read it: without an exponent, and -1 for what nobody
// counted, which a quotient of two counters may well be.
func counted(value float64) *ast.Term {
	const thousandths, most = 1000, 1e300
	if math.IsNaN(value) || value < 0 || value > most {
		value = -1
	}
	value = math.Round(value*thousandths) / thousandths
	return ast.NewTerm(ast.Number(strconv.FormatFloat(value, 'f', -1, 64)))
}
