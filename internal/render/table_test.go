package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/terminal"
)

func TestTableWidths(t *testing.T) {
	for _, columns := range []int{60, 80, 140} {
		got := render(t, "table", sampleReport(), Options{Width: columns})
		checkGolden(t, fmt.Sprintf("table-%d.txt", columns), got)
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
	checkGolden(t, "table-verbose.txt", render(t, "table", sampleReport(), Options{Width: 100, Verbose: true}))
}

func TestTableColor(t *testing.T) {
	got := render(t, "table", sampleReport(), Options{Width: 100, Color: true})
	checkGolden(t, "table-color.txt", got)
	if plain := render(t, "table", sampleReport(), Options{Width: 100}); sgr.ReplaceAllString(got, "") != plain {
		t.Error("colour changes more than colour")
	}
}

func TestTableWideLetters(t *testing.T) {
	r := sampleReport()
	r.Findings[0].Message = strings.Repeat("日本語 ", 30)
	for line := range strings.Lines(render(t, "table", r, Options{Width: 80})) {
		if terminal.Width(strings.TrimSuffix(line, "\n")) > 80 {
			t.Errorf("too wide: %s", line)
		}
	}
}
