package explain

import (
	"bytes"
	"strings"

	"github.com/fatih/color"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	minWidth  = 40
	maxProse  = 110 // longer lines are hard to read, however wide the terminal
	minBeside = 30  // with less room beside it, an explanation goes below
)

// run is a piece of a line in one style.
type run struct {
	text  string
	style *color.Color
}

// paper is what a terminal is printed on. Nothing is said by colour alone.
type paper struct {
	out   bytes.Buffer
	width int

	heading, strong, subdued, plain, good, bad, fair, info *color.Color
	regions                                                []*color.Color
}

func newPaper(colored bool, columns int) *paper {
	style := func(attributes ...color.Attribute) *color.Color {
		c := color.New(attributes...)
		if colored {
			c.EnableColor() // the library would look at the process's own output
		} else {
			c.DisableColor()
		}
		return c
	}
	p := &paper{
		width: max(columns, minWidth), heading: style(color.Bold, color.Underline), strong: style(color.Bold),
		subdued: style(color.Faint), good: style(color.FgGreen), bad: style(color.FgRed, color.Bold),
		fair: style(color.FgYellow, color.Bold), info: style(color.FgCyan), plain: color.New(),
	}
	p.plain.DisableColor()
	for _, c := range []color.Attribute{
		color.FgBlue, color.FgYellow, color.FgCyan, color.FgMagenta, color.FgHiBlue, color.FgWhite,
	} {
		p.regions = append(p.regions, style(c))
	}
	return p
}

func (p *paper) severity(s string) *color.Color {
	switch s {
	case engine.SeverityError:
		return p.bad
	case engine.SeverityWarning:
		return p.fair
	}
	return p.info
}

// line prints runs without blanks at the end, which diffs and copies would carry.
func (p *paper) line(runs ...run) {
	for len(runs) > 0 {
		last := &runs[len(runs)-1]
		if last.text = strings.TrimRight(last.text, " "); last.text != "" {
			break
		}
		runs = runs[:len(runs)-1]
	}
	for _, r := range runs {
		if strings.TrimSpace(r.text) == "" {
			p.out.WriteString(r.text)
			continue
		}
		p.out.WriteString(r.style.Sprint(r.text))
	}
	p.out.WriteByte('\n')
}

// block prints text wrapped from a column on; lead stands before it on the first line, and has
// a line of its own where it leaves too little room.
func (p *paper) block(column int, lead []run, text string, style *color.Color) {
	used := 0
	for _, r := range lead {
		used += terminal.Width(r.text)
	}
	switch {
	case used > 0 && used <= column && column <= p.width-min(minBeside, p.width/2):
		lead = append(lead, run{strings.Repeat(" ", column-used), p.plain})
	case used > 0:
		p.line(lead...)
		lead, column = nil, min(column, 8)
	}
	lines := terminal.Wrap(text, min(p.width-column, maxProse))
	for i, line := range lines {
		if i > 0 || lead == nil {
			lead = []run{{strings.Repeat(" ", column), p.plain}}
		}
		p.line(append(lead, run{line, style})...)
	}
	if len(lines) == 0 && len(lead) > 0 {
		p.line(lead...)
	}
}
