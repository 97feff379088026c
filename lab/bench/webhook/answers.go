//go:build linux

package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/headroom-dev/headroom/lab/bench/report"
)

// seenBefore is what a decision on the same template may take again, from the bytes of the
// Pod, before it is put into words.
const seenBefore = 50e3 // ns

var answerRows = []struct {
	name, what string
	atMost     float64
}{
	{"BenchmarkSameTemplate", "the decision alone, its template seen before", seenBefore},
	{"BenchmarkAnswer/validate/seen", "validate, seen before", 0},
	{"BenchmarkAnswer/mutate/seen", "mutate, nothing to do, seen before", 0},
	{"BenchmarkAnswer/fix/seen", "mutate, one field to fix, seen before", 0},
	{"BenchmarkAnswer/validate/unseen", "validate, never seen", 0},
	{"BenchmarkAnswer/mutate/unseen", "mutate, nothing to do, never seen", 0},
	{"BenchmarkAnswer/fix/unseen", "mutate, one field to fix, never seen", 0},
}

// answers runs the benchmarks of this package.
func answers() error {
	found, err := report.Benchmarks("lab", "-benchtime", "300ms", "-count", "5", "-cpu", "1", "./bench/webhook")
	if err != nil {
		return err
	}
	const cpuTime = "cpu-ns/op"
	t := report.Table{
		Title: "One answer, in process, from the bytes of a review to those of the answer: CPU time, garbage collection included",
		Head:  []string{"", "best", "median", "allocations", "at most", "best is"},
	}
	for _, row := range answerRows {
		runs := found[row.name]
		if len(runs) == 0 {
			return fmt.Errorf("%s did not run", row.name)
		}
		slices.SortFunc(runs, func(a, b report.Values) int { return cmp.Compare(a[cpuTime], b[cpuTime]) })
		best := runs[0][cpuTime]
		cells := []string{
			row.what, report.Duration(best), report.Duration(runs[len(runs)/2][cpuTime]),
			fmt.Sprintf("%.0f", runs[0]["allocs/op"]), "", "",
		}
		if row.atMost > 0 {
			cells[4], cells[5] = report.Duration(row.atMost), report.Times(best/row.atMost)
		}
		t.Rows = append(t.Rows, cells)
	}
	t.Print()
	return nil
}
