package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
)

// table is a title and rows of equal length.
type table struct {
	title string
	head  []string
	rows  [][]string
}

func processTable(title string) *table {
	return &table{title: title, head: []string{"", "wall best", "wall median", "CPU best", "peak RSS", "at most", "best is"}}
}

func (t *table) add(name string, m *measured, promise, is string) {
	t.rows = append(t.rows, []string{
		name, milliseconds(m.bestWall()), milliseconds(m.medianWall()), milliseconds(m.bestCPU()), megabytes(m.rss), promise, is,
	})
}

func (t *table) print() {
	var cells, text strings.Builder
	w := tabwriter.NewWriter(&cells, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.head}, t.rows...) {
		// Every cell ends in a tab, or tabwriter takes the columns for different ones.
		_, _ = w.Write([]byte(strings.Join(row, "\t") + "\t\n")) // into memory
	}
	_ = w.Flush()
	for line := range strings.Lines(cells.String()) {
		text.WriteString("  " + strings.TrimRight(line, " \n") + "\n")
	}
	fmt.Printf("%s\n%s\n", t.title, text.String())
}

// duration writes nanoseconds with three digits.
func duration(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 1e5:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	default:
		return fmt.Sprintf("%.2f ms", ns/1e6)
	}
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
}

func megabytes(bytes int64) string { return fmt.Sprintf("%d MiB", (bytes+mebi/2)/mebi) }

// times is a share of what is allowed: 1 × and less is within it.
func times(share float64) string { return fmt.Sprintf("%.2f ×", share) }
