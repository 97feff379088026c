package cfs

import (
	"fmt"
	"strings"
	"time"
)

// Cell is what a load does for most of a column of a chart.
type Cell byte

// What a load may do.
const (
	Idle Cell = iota
	Runs
	Frozen
)

// Row is one line of a chart: a load, column by column.
type Row struct {
	Name  string
	Cells []Cell
}

// Chart divides a time into columns of equal width.
type Chart struct {
	Until, Column time.Duration
	Rows          []Row
}

// Draw gives the chart of a result until a time. A column shows what lasts longest in it, but
// never hides a freeze: that is what the chart is for.
func Draw(r Result, loads []Load, until time.Duration, columns int) Chart {
	columns = max(columns, 1)
	c := Chart{Until: until, Column: max(until/time.Duration(columns), 1)}
	for i, l := range loads {
		row := Row{Name: l.Name, Cells: make([]Cell, columns)}
		for n := range row.Cells {
			from := time.Duration(n) * c.Column
			row.Cells[n] = mostly(r.Segments, i, from, from+c.Column)
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

func mostly(segments []Segment, load int, from, to time.Duration) Cell {
	var runs, frozen time.Duration
	for _, s := range segments {
		part := min(s.To, to) - max(s.From, from)
		if part <= 0 || s.Running[load] == 0 {
			continue
		}
		if s.Frozen {
			frozen += part
		} else {
			runs += part
		}
	}
	switch idle := to - from - runs - frozen; {
	case frozen > 0 && frozen >= runs:
		return Frozen
	case runs > 0 && (runs >= idle || frozen > 0):
		return Runs
	case runs > 0 && runs*8 >= to-from:
		return Runs
	}
	return Idle
}

var glyphs = map[Cell]string{Idle: " ", Runs: "█", Frozen: "░"}

// Text draws a chart for a terminal.
func (c Chart) Text(period time.Duration) string {
	width := 0
	for _, row := range c.Rows {
		width = max(width, len(row.Name))
	}
	var out strings.Builder
	for _, row := range c.Rows {
		fmt.Fprintf(&out, "%-*s  ", width, row.Name)
		for _, cell := range row.Cells {
			out.WriteString(glyphs[cell])
		}
		out.WriteByte('\n')
	}
	columns := int(c.Until / c.Column)
	axis := []rune(strings.Repeat("─", columns))
	labels := []rune(strings.Repeat(" ", columns+8))
	for at := time.Duration(0); at < c.Until; at += period {
		n := int(at / c.Column)
		axis[n] = '┬'
		copy(labels[n:], []rune(fmt.Sprintf("%g", float64(at)/float64(time.Millisecond))))
	}
	fmt.Fprintf(&out, "%*s  %s\n%*s  %s ms\n", width, "", string(axis), width, "", strings.TrimRight(string(labels), " "))
	return out.String()
}
