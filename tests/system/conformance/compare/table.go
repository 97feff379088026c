package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// notCovered stands where an engine does not have a rule.
const notCovered = "–"

// Table is the comparison with a row for each rule and a column for each engine, aligned so
// that it can be read as it stands.
func (r *Result) Table(rules []engine.Rule, costs map[string]int64, link func(engine.Rule) string) string {
	head := []string{"rule"}
	judged := []string{"cases judged"}
	for _, column := range r.Columns {
		head = append(head, column.Engine.Name)
		judged = append(judged, fmt.Sprint(column.Judged))
	}
	rows := [][]string{append(head, "CEL cost"), append(judged, "")}
	for _, rule := range rules {
		row := []string{link(rule)}
		for _, column := range r.Columns {
			row = append(row, column.Cells[rule.ID].String())
		}
		cost := notCovered
		if most, ok := costs[rule.ID]; ok {
			cost = fmt.Sprint(most)
		}
		rows = append(rows, append(row, cost))
	}
	return aligned(rows)
}

// String is what a cell of the table says: how many verdicts are the Rego's, of how many, and
// how many are known to differ.
func (c Cell) String() string {
	if !c.Covered {
		return notCovered
	}
	text := fmt.Sprint(c.Agreed)
	if c.Agreed != c.Wanted {
		text += fmt.Sprintf(" of %d", c.Wanted)
	}
	if c.Gaps > 0 {
		text += fmt.Sprintf(", differs in %d", c.Gaps)
	}
	return text
}

// Costs lists what expressions cost.
func Costs(costs map[string]int64) string {
	rows := [][]string{{"variable", "cost"}}
	for _, name := range slices.Sorted(maps.Keys(costs)) {
		rows = append(rows, []string{"`" + name + "`", fmt.Sprint(costs[name])})
	}
	return aligned(rows)
}

// LeftOut lists why engines did not judge cases.
func (r *Result) LeftOut() string {
	rows := [][]string{{"engine", "cases", "why"}}
	for _, column := range r.Columns {
		for _, reason := range slices.Sorted(maps.Keys(column.Unjudged)) {
			rows = append(rows, []string{column.Engine.Name, fmt.Sprint(column.Unjudged[reason]), reason})
		}
	}
	return aligned(rows)
}

// Known lists the gaps that are known.
func Known(gaps []Gap) string {
	if len(gaps) == 0 {
		return "None.\n"
	}
	rows := [][]string{{"engine", "rule", "case", "why"}}
	for _, gap := range gaps {
		rows = append(rows, []string{gap.Engine, gap.Rule, gap.Case, gap.Reason})
	}
	return aligned(rows)
}

// aligned is a Markdown table; the first row is its head. Columns but the first are numbers
// or short words: short ones go right.
func aligned(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for number, row := range rows {
		for i, cell := range row {
			fmt.Fprintf(&b, "| %s%s ", cell, strings.Repeat(" ", widths[i]-len([]rune(cell))))
		}
		b.WriteString("|\n")
		if number == 0 {
			for _, width := range widths {
				b.WriteString("|" + strings.Repeat("-", width+2))
			}
			b.WriteString("|\n")
		}
	}
	return b.String()
}
