package main

import (
	"errors"
	"strconv"

	"github.com/headroom-dev/headroom/lab/bench/report"
)

// mostEdit is what an edit is held to, in ms: a person does not notice it.
const mostEdit = 50

// edits runs the benchmark of headroom lsp: one of 200 documents of a file is changed.
func edits() error {
	found, err := report.Benchmarks(".", "-bench", "^BenchmarkEdit$", "-benchtime", "200x", "./lint")
	if err != nil {
		return err
	}
	runs := found["BenchmarkEdit"]
	if len(runs) == 0 {
		return errors.New("BenchmarkEdit did not run")
	}
	p95 := runs[0]["p95-ms"]
	t := report.Table{
		Title: "In an editor: from an edit to the findings, one of 200 documents of a file changed, as many times",
		Head:  []string{"p95", "at most", "p95 is"},
		Rows:  [][]string{{strconv.FormatFloat(p95, 'f', 1, 64) + " ms", strconv.Itoa(mostEdit) + " ms", report.Times(p95 / mostEdit)}},
	}
	t.Print()
	return nil
}
