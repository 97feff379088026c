package table

import (
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/sample"
)

func TestTableWidths(t *testing.T) {
	for _, columns := range []int{60, 80, 140} {
		got := written(t, sample.Report(), Options{Width: columns})
		golden.Check(t, fmt.Sprintf("testdata/width-%d.txt", columns), got)
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(line, "\n")
			if terminal.Width(line) > columns {
				t.Errorf("%d columns wide, not %d: %s", terminal.Width(line), columns, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Errorf("blanks at the end of %q", line)
			}
		}
	}
}

func TestTableVerbose(t *testing.T) {
	golden.Check(t, "testdata/verbose.txt", written(t, sample.Report(), Options{Width: 100, Verbose: true}))
}

func TestTableColor(t *testing.T) {
	got := written(t, sample.Report(), Options{Width: 100, Color: true})
	golden.Check(t, "testdata/color.txt", got)
	if plain := written(t, sample.Report(), Options{Width: 100}); sgr.ReplaceAllString(got, "") != plain {
		t.Error("colour changes more than colour")
	}
}

func TestTableWideLetters(t *testing.T) {
	r := sample.Report()
	r.Findings[0].Message = strings.Repeat("日本語 ", 30)
	for line := range strings.Lines(written(t, r, Options{Width: 80})) {
		if terminal.Width(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("too wide: %s", line)
		}
	}
}

// TestUnnamedContainer: a line of the table does not begin with nothing.
func TestUnnamedContainer(t *testing.T) {
	r := sample.Sound()
	r.Workloads[0].Containers = []report.Container{{Class: "batch"}}
	if out := written(t, r, Options{Verbose: true}); !strings.Contains(out, "  (no name)  batch") {
		t.Error(out)
	}
}
