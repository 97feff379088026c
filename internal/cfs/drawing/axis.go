package drawing

import (
	"math"
	"strings"
	"time"
)

// axis draws the line of time and its labels.
func (c *canvas) axis(out *strings.Builder) {
	pad := strings.Repeat(" ", c.label+1)
	line := pad + "└"
	labels := &labels{width: c.width}
	x := len([]rune(line))
	for i, p := range c.panels {
		end := "┴"
		if i == len(c.panels)-1 {
			end = "┘"
		}
		labels.put(x-1, p.from)
		if p.folded > 0 {
			line += center(" "+p.label()+" ", foldedWidth, "╌") + end
			x += foldedWidth + 1
			continue
		}
		cells := []rune(strings.Repeat("─", c.column))
		for _, at := range ticks(p.from, p.to, max(c.column/10, 1)) {
			n := int(int64(at-p.from) * int64(c.column) / int64(p.to-p.from))
			if n > 0 && n < c.column {
				cells[n] = '┴'
				labels.put(x+n, at)
			}
		}
		line += string(cells) + end
		x += c.column + 1
	}
	labels.put(x-1, c.panels[len(c.panels)-1].to)
	out.WriteString(line + "\n" + labels.String() + "\n")
}

// ticks are round times between two, at most so many.
func ticks(from, to time.Duration, most int) []time.Duration {
	step := niceStep(float64(to-from) / float64(most+1))
	var at []time.Duration
	for next := (from/step + 1) * step; next < to; next += step {
		at = append(at, next)
	}
	return at
}

// niceStep is the next 1, 2 or 5 with zeros that is not less.
func niceStep(least float64) time.Duration {
	unit := math.Pow(10, math.Floor(math.Log10(max(least, 1))))
	for _, factor := range []float64{1, 2, 5, 10} {
		if unit*factor >= least-1e-6 {
			return time.Duration(unit * factor)
		}
	}
	return time.Duration(unit * 10)
}

// labels is a line of text under the axis. What would touch what is there already is left out.
// What would stand beyond the width moves to the left.
type labels struct {
	line  []rune
	width int
}

// tick is a time on the axis; the first has the unit.
func tick(at time.Duration) string {
	if at == 0 {
		return "0 ms"
	}
	return strings.TrimSuffix(durationText(at), " ms")
}

// put writes a time, its first digit under a column.
func (l *labels) put(column int, at time.Duration) {
	runes := []rune(tick(at))
	column = max(min(column, l.width-len(runes)), 0)
	for n := column - 1; n < min(column+len(runes)+1, len(l.line)); n++ {
		if n >= 0 && l.line[n] != ' ' {
			return
		}
	}
	for len(l.line) < column+len(runes) {
		l.line = append(l.line, ' ')
	}
	copy(l.line[column:], runes)
}

func (l *labels) String() string { return strings.TrimRight(string(l.line), " ") }
