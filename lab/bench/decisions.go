package main

import (
	"fmt"
	"strconv"

	"github.com/headroom-dev/headroom/lab/bench/report"
)

// decision is one benchmark of package engine and what it is held to.
type decision struct {
	name, what string
	atMost     float64 // ns; 0 where nothing is promised
}

var decisionRows = []decision{
	{"BenchmarkDecision/simple/plan", "1 container, 5 variables, as it should be", 0.07e6},
	{"BenchmarkDecision/simple/opa", "with OPA", 0},
	{"BenchmarkDecision/pod/plan", "3 containers, 30 variables, no JVM", 0.2e6},
	{"BenchmarkDecision/pod/opa", "with OPA", 0},
	{"BenchmarkDecision/jvms/plan", "the same with two JVMs, 10 and 12 flags", 0.5e6},
	{"BenchmarkDecision/jvms/opa", "with OPA", 0},
	{"BenchmarkDecision/jvm/plan", "a JVM with findings", 0.5e6},
	{"BenchmarkDecision/jvm/opa", "with OPA", 0},
	{"BenchmarkDecision/service", "a Service, which no rule looks at", 0},
	{"BenchmarkRule/simple", "one more rule, 1 container", 0.02e6},
	{"BenchmarkRule/pod", "one more rule, 3 containers", 0.02e6},
	{"BenchmarkRule/jvms", "one more rule, two JVMs", 0.02e6},
	{"BenchmarkStart/new", "make the policies ready", 0},
	{"BenchmarkStart/decision", "and decide once", 0},
	{"BenchmarkYardstick", "yardstick: encoding/json reads that Pod", 0},
}

// decisions runs the benchmarks of package engine.
func decisions() error {
	// Each benchmark looks for the best of its own batches, and so runs once.
	found, err := report.Benchmarks(".", "-benchtime", "1s", "./policies/engine")
	if err != nil {
		return err
	}
	t := report.Table{
		Title: "One decision, uncached: CPU time of the process, garbage collection included",
		Head:  []string{"", "best", "median", "allocations", "findings", "at most", "best is"},
	}
	for _, row := range decisionRows {
		runs := found[row.name]
		if len(runs) == 0 {
			return fmt.Errorf("%s did not run", row.name)
		}
		values := runs[0]
		best := values["best-cpu-ns"]
		cells := []string{
			row.what, report.Duration(best), report.Duration(values["median-cpu-ns"]),
			optional(values, "allocs/op"), optional(values, "findings"), "", "",
		}
		if row.atMost > 0 {
			cells[5], cells[6] = report.Duration(row.atMost), report.Times(best/row.atMost)
		}
		t.Rows = append(t.Rows, cells)
	}
	t.Print()
	return nil
}

func optional(values report.Values, unit string) string {
	value, ok := values[unit]
	if !ok {
		return ""
	}
	return strconv.FormatFloat(value, 'f', 0, 64)
}
