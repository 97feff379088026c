package main

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// document is the page as it grows. The first error is kept.
type document struct {
	out bytes.Buffer
	err error
}

// text adds a paragraph.
func (d *document) text(format string, args ...any) {
	fmt.Fprintf(&d.out, strings.TrimSpace(format)+"\n\n", args...)
}

// table adds a table; cells are text, or numbers, which are printed short.
func (d *document) table(header []string, rows ...[]any) {
	line := func(cells []string) { d.out.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(header)
	d.out.WriteString("|" + strings.Repeat("---|", len(header)) + "\n")
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = short(cell)
		}
		if len(cells) != len(header) {
			d.fail(fmt.Errorf("%d cells in a table of %d columns", len(cells), len(header)))
		}
		line(cells)
	}
	d.out.WriteByte('\n')
}

// code adds a block as it stands.
func (d *document) code(text string) {
	d.out.WriteString("```text\n" + strings.TrimRight(text, "\n") + "\n```\n\n")
}

func (d *document) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// model runs the period layer.
func (d *document) model(b cfs.Bandwidth, processors int, loads ...cfs.Load) cfs.Result {
	result, err := cfs.Run(b, processors, loads)
	if err != nil {
		d.fail(err)
		return cfs.Result{Finished: make([]time.Duration, len(loads)), Stalled: make([]time.Duration, len(loads))}
	}
	return result
}

// short prints a value for a cell: numbers with two decimals at most, times in milliseconds.
func short(cell any) string {
	switch v := cell.(type) {
	case float64:
		return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
	case time.Duration:
		return short(millis(v))
	default:
		return fmt.Sprint(v)
	}
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func duration(millis float64) time.Duration { return time.Duration(millis * float64(time.Millisecond)) }

// percent prints a share of 1.
func percent(share float64) string {
	return strconv.FormatFloat(math.Round(share*1000)/10, 'f', -1, 64) + " %"
}
