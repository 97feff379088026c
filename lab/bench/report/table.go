// Package report prints what was measured, and reads what `go test -bench` measured.
package report

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"
)

// Table is a title and rows of equal length.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
}

// Print writes the table to standard output.
func (t *Table) Print() {
	var cells, text strings.Builder
	w := tabwriter.NewWriter(&cells, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		// Every cell ends in a tab, or tabwriter takes the columns for different ones.
		_, _ = w.Write([]byte(strings.Join(row, "\t") + "\t\n")) // into memory
	}
	_ = w.Flush()
	for line := range strings.Lines(cells.String()) {
		text.WriteString("  " + strings.TrimRight(line, " \n") + "\n")
	}
	fmt.Printf("%s\n%s\n", t.Title, text.String())
}

// Duration writes nanoseconds with three digits.
func Duration(ns float64) string {
	switch {
	case ns < 1e3:
		return fmt.Sprintf("%.0f ns", ns)
	case ns < 1e5:
		return fmt.Sprintf("%.1f µs", ns/1e3)
	default:
		return fmt.Sprintf("%.2f ms", ns/1e6)
	}
}

// Milliseconds writes whole milliseconds.
func Milliseconds(d time.Duration) string {
	return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
}

// Mebi is a MiB.
const Mebi = 1 << 20

// Megabytes writes whole MiB.
func Megabytes(bytes int64) string { return fmt.Sprintf("%d MiB", (bytes+Mebi/2)/Mebi) }

// Times is a share of what is allowed: 1 × and less is within it.
func Times(share float64) string { return fmt.Sprintf("%.2f ×", share) }
