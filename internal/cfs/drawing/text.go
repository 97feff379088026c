package drawing

import (
	"fmt"
	"strings"
	"time"

	"github.com/mattn/go-runewidth"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// Bounds of a drawing, in columns of a terminal.
const (
	minWidth    = 60
	maxLabel    = 30
	panelWidth  = 18 // at least, of a period
	foldedWidth = 14
	maxLanes    = 16
)

// Text draws the timeline for a terminal of so many columns, and tells it in words below.
func (t Timeline) Text(width int) string {
	var out strings.Builder
	if title := shown(t.Title); title != "" {
		out.WriteString(title + "\n")
	}
	heading := t.heading()
	out.WriteString(strings.ToUpper(heading[:1]) + heading[1:] + "\n\n")
	t.draw(&out, max(width, minWidth))
	out.WriteString("\n")
	events := t.Events()
	at := 0
	for _, e := range events {
		at = max(at, len(durationText(e.At)))
	}
	for _, e := range events {
		time := durationText(e.At)
		for _, line := range terminal.Wrap(e.Text, max(width, minWidth)-at-4) {
			fmt.Fprintf(&out, "  %*s  %s\n", at, time, line)
			time = ""
		}
	}
	out.WriteString("\n" + strings.Join(terminal.Wrap(t.summary(), max(width, minWidth)), "\n") + "\n")
	return out.String()
}

// canvas is what the rows of a drawing have in common.
type canvas struct {
	Timeline
	panels []panel
	column int // of a period
	label  int
	width  int // of the drawing
}

func (t Timeline) draw(out *strings.Builder, width int) {
	lanes := t.lanes()
	left := len(lanes) - maxLanes
	lanes = lanes[:min(len(lanes), maxLanes)]
	c := canvas{Timeline: t, width: width}
	if t.Quota > 0 {
		c.label = len("quota left")
	}
	for _, l := range lanes {
		c.label = max(c.label, runewidth.StringWidth(laneLabel(l)))
	}
	c.label = min(c.label, maxLabel)
	panels, each := t.fit(float64(width-c.label-3), panelWidth, foldedWidth, 1)
	c.panels, c.column = panels, max(int(each), 1)
	for _, l := range lanes {
		c.row(out, laneLabel(l), func(p panel) []rune { return c.cells(l, p) })
	}
	if left > 0 {
		fmt.Fprintf(out, "  … and %s\n", words.Count(left, "more load"))
	}
	if t.Quota > 0 {
		c.row(out, "quota left", c.quotaCells)
	}
	c.axis(out)
}

func laneLabel(l lane) string {
	if l.most == 0 {
		return l.name
	}
	return fmt.Sprintf("%s ×%d", l.name, l.most)
}

func (c *canvas) row(out *strings.Builder, label string, cells func(panel) []rune) {
	label = runewidth.Truncate(label, c.label, "…")
	line := runewidth.FillLeft(label, c.label) + " │"
	for _, p := range c.panels {
		if p.folded > 0 {
			line += center("⋯", foldedWidth, " ") + "│"
			continue
		}
		line += string(cells(p)) + "│"
	}
	out.WriteString(line + "\n")
}

// center fills up a text on both sides.
func center(text string, width int, with string) string {
	gap := max(width-len([]rune(text)), 0)
	return strings.Repeat(with, gap/2) + text + strings.Repeat(with, gap-gap/2)
}

// at is the time at which a column of a period begins.
func (c *canvas) at(p panel, column int) time.Duration {
	return p.from + time.Duration(int64(p.to-p.from)/int64(c.column)*int64(column)+
		int64(p.to-p.from)%int64(c.column)*int64(column)/int64(c.column))
}

// heights are eighths of a row.
const heights = "▁▂▃▄▅▆▇█"

// height is a bar for part of a whole; anything above 0 is visible.
func height(part, whole float64) rune {
	bars := []rune(heights)
	return bars[min(max(int(part/whole*8+0.5), 1), 8)-1]
}

// cells draws a lane in a period. A column shows what lasts longest in it, but nothing vanishes:
// what fills no column gets the one in which most of it is.
func (c *canvas) cells(l lane, p panel) []rune {
	cells := []rune(strings.Repeat(" ", c.column))
	draw := func(n int, s stretch) {
		cells[n] = '░'
		if !s.frozen {
			cells[n] = height(float64(s.threads), float64(l.most))
		}
	}
	stretches := c.stretches(l, p.from, p.to)
	seen := make([]bool, len(stretches))
	for n := range cells {
		from, to := c.at(p, n), c.at(p, n+1)
		longest, which := time.Duration(0), -1
		busy := time.Duration(0)
		for i, s := range stretches {
			part := min(s.to, to) - max(s.from, from)
			busy += max(part, 0)
			if part > longest {
				longest, which = part, i
			}
		}
		if which >= 0 && 2*busy >= to-from {
			draw(n, stretches[which])
			seen[which] = true
		}
	}
	for i, s := range stretches {
		if !seen[i] {
			middle := s.from + (s.to-s.from)/2 - p.from
			draw(min(int(int64(middle)*int64(c.column)/int64(p.to-p.from)), c.column-1), s)
		}
	}
	return markFrozen(cells)
}

// markFrozen writes the word into what is frozen, where there is room.
func markFrozen(cells []rune) []rune {
	const word = " FROZEN "
	for from := 0; from < len(cells); from++ {
		to := from
		for to < len(cells) && cells[to] == '░' {
			to++
		}
		if to-from >= len(word)+2 {
			copy(cells[from+(to-from-len(word))/2:], []rune(word))
		}
		from = max(to, from)
	}
	return cells
}

// quotaCells draws what is left of the quota, as a bar that falls.
func (c *canvas) quotaCells(p panel) []rune {
	cells := make([]rune, c.column)
	for n := range cells {
		from, to := c.at(p, n), c.at(p, n+1)
		cells[n] = ' '
		if left := c.quotaAt(p.from, from+(to-from)/2); left > 0 {
			cells[n] = height(float64(left), float64(c.most()))
		}
	}
	return cells
}
