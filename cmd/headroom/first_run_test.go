package main

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestIsFirstRun(t *testing.T) {
	table, found := []output{{format: "table"}}, &report.Report{Findings: []engine.Finding{{Rule: "HR302"}}}
	for name, c := range map[string]struct {
		outputs []output
		report  *report.Report
		setUp   bool
		want    bool
	}{
		"findings at a terminal":   {table, found, false, true},
		"beside a file":            {[]output{{format: "sarif", file: "a.sarif"}, {format: "table"}}, found, false, true},
		"nothing found":            {table, &report.Report{}, false, false},
		"set up":                   {table, found, true, false},
		"for a program":            {[]output{{format: "json"}}, found, false, false},
		"the table goes to a file": {[]output{{format: "table", file: "a.txt"}, {format: "github"}}, found, false, false},
	} {
		if got := isFirstRun(c.outputs, c.report, c.setUp); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
