package main

import (
	"fmt"
	"io"
	"os"
	"slices"

	"golang.org/x/term"

	"github.com/headroom-dev/headroom/internal/baseline"
	"github.com/headroom-dev/headroom/internal/render/report"
)

// hintFirstRun says how to go on to a person who reads findings at a terminal and has set up
// nothing yet.
func hintFirstRun(stderr io.Writer, outputs []output, r *report.Report, configured bool, b *baselineFlags) {
	_, err := os.Stat(baseline.FileName)
	if isFirstRun(outputs, r, configured || b.path() != "" || err == nil) && term.IsTerminal(int(os.Stdout.Fd())) {
		_, _ = fmt.Fprintln(stderr, firstRun)
	}
}

const firstRun = "No headroom.yaml and no baseline: `headroom init` writes both."

// isFirstRun says whether a person is shown findings and nothing is set up.
func isFirstRun(outputs []output, r *report.Report, setUp bool) bool {
	return !setUp && len(r.Findings) > 0 && slices.Contains(outputs, output{format: "table"})
}
