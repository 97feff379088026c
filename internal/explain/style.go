package explain

import (
	"bytes"
	"strings"

	"github.com/fatih/color"

	"github.com/headroom-dev/headroom/internal/terminal"
)

// minBeside is the least room beside a lead: with less, an explanation goes below.
const minBeside = 30

// paper is what a terminal is printed on.
type paper struct {
	terminal.Paper
	regions []terminal.Style
}

func newPaper(colored bool, columns int) *paper {
	p := &paper{Paper: terminal.NewPaper(&bytes.Buffer{}, colored, columns)}
	for _, c := range []color.Attribute{
		color.FgBlue, color.FgYellow, color.FgCyan, color.FgMagenta, color.FgHiBlue, color.FgWhite,
	} {
		p.regions = append(p.regions, p.Style(c))
	}
	return p
}

// block prints text wrapped from a column on; lead stands before it on the first line, and has
// a line of its own where it leaves too little room.
func (p *paper) block(column int, lead []terminal.Run, text string, style terminal.Style) {
	used := 0
	for _, r := range lead {
		used += terminal.Width(r.Text)
	}
	switch {
	case used > 0 && used <= column && column <= p.Width-min(minBeside, p.Width/2):
		lead = append(lead, p.Plain.Of(strings.Repeat(" ", column-used)))
	case used > 0:
		p.Line(lead...)
		lead, column = nil, min(column, 8)
	}
	lines := terminal.Wrap(text, min(p.Width-column, terminal.MaxProse))
	for i, line := range lines {
		if i > 0 || lead == nil {
			lead = []terminal.Run{p.Plain.Of(strings.Repeat(" ", column))}
		}
		p.Line(append(lead, style.Of(line))...)
	}
	if len(lines) == 0 && len(lead) > 0 {
		p.Line(lead...)
	}
}
