package diagnose

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// textColumn is where messages start: two blanks, the status, two blanks.
const textColumn = 11

// statuses in the order in which a reader wants them.
var statuses = []string{engine.StatusError, engine.StatusWarning, engine.StatusUnknown, engine.StatusOK}

// table prints for a person at a terminal.
type table struct {
	terminal.Paper
	status map[string]terminal.Style
}

// WriteTable prints the reports for a person: what is wrong first. Width is the terminal's, in
// columns.
func WriteTable(w io.Writer, reports []*Report, colored bool, width int) error {
	t := newTable(colored, width)
	for _, r := range reports {
		t.report(r)
	}
	if note := engine.FactsNote(t.Out.String()); note != "" {
		t.block(0, "", note, t.Subdued)
	}
	t.Line(t.Strong.Of(summary(Count(reports))))
	_, err := w.Write(t.Out.Bytes())
	return err
}

func newTable(colored bool, width int) *table {
	t := &table{Paper: terminal.NewPaper(&bytes.Buffer{}, colored, width)}
	t.status = map[string]terminal.Style{
		engine.StatusError: t.Bad, engine.StatusWarning: t.Fair, engine.StatusUnknown: t.Info, engine.StatusOK: t.Good,
	}
	return t
}

// block prints text wrapped, from a column on.
func (t *table) block(column int, lead, text string, style terminal.Style) {
	for i, line := range wrap(text, min(t.Width-column, terminal.MaxProse)) {
		if i > 0 || lead == "" {
			lead = strings.Repeat(" ", column)
		}
		if strings.TrimSpace(lead) != "" {
			lead = t.Subdued.Sprint(lead)
		}
		t.Out.WriteString(lead + style.Sprint(line) + "\n")
	}
}

func (t *table) report(r *Report) {
	t.Line(t.Heading.Of(title(r)))
	if about := circumstances(r); about != "" {
		t.Line(t.Subdued.Of("  " + about))
	}
	t.Out.WriteString("\n")
	checks := slices.Clone(r.Checks)
	slices.SortStableFunc(checks, func(a, b engine.Check) int {
		return slices.Index(statuses, a.Status) - slices.Index(statuses, b.Status)
	})
	name, value := 0, 0
	checks = together(checks)
	for i := range checks {
		if checks[i].Value != "" {
			name, value = max(name, len(checks[i].Check)), max(value, len([]rune(checks[i].Value)))
		}
	}
	for i := range checks {
		t.check(&checks[i], name, value)
	}
	t.regions(r.Regions)
	t.Out.WriteString("\n")
	for _, note := range r.Notes {
		t.block(2, "  ", terminal.Printable(note), t.Plain)
	}
	if r.Findings != nil {
		t.block(2, "  ", lintLine(r), t.Plain)
	}
	if r.Folder != "" {
		t.block(2, "  ", "What was read is kept in "+terminal.Printable(r.Folder)+"; --from judges it again.", t.Plain)
	}
	for _, problem := range r.Problems {
		t.block(textColumn, "  problem  ", terminal.Printable(problem), t.status[engine.StatusError])
	}
	if len(r.Notes)+len(r.Problems) > 0 || r.Findings != nil || r.Folder != "" {
		t.Out.WriteString("\n")
	}
}

// together joins the names of those checks of which the same is not known.
func together(checks []engine.Check) []engine.Check {
	var joined []engine.Check
	for i := range checks {
		if last := len(joined) - 1; last >= 0 && checks[i].Status == engine.StatusUnknown &&
			joined[last].Message == checks[i].Message && joined[last].Fix == checks[i].Fix {
			joined[last].Check += ", " + checks[i].Check
			continue
		}
		joined = append(joined, checks[i])
	}
	return joined
}

// check is a line of figures, and below it what they mean and what to do.
func (t *table) check(c *engine.Check, name, value int) {
	style, known := t.status[c.Status]
	if !known {
		style = t.Plain
	}
	figure := terminal.Pad(terminal.Printable(c.Value), value)
	line := style.Sprint(terminal.Pad("  "+terminal.Printable(c.Status), textColumn)) + t.Strong.Sprint(terminal.Pad(c.Check, name)) + "  " + figure
	if c.Healthy != "" && c.Status != engine.StatusUnknown {
		healthy := "  healthy: " + c.Healthy
		if c.Fact != "" {
			healthy += " (" + c.Fact + ")"
		}
		if textColumn+name+2+len([]rune(figure))+len([]rune(healthy)) <= t.Width {
			line += t.Subdued.Sprint(healthy)
		}
	}
	t.Out.WriteString(strings.TrimRight(line, " ") + "\n")
	style = t.Plain
	if c.Status == engine.StatusOK {
		style = t.Subdued
	}
	t.block(textColumn, "", terminal.Printable(c.Message), style)
	if c.Fix != "" {
		t.block(textColumn+5, strings.Repeat(" ", textColumn)+"fix: ", terminal.Printable(c.Fix), t.Plain)
	}
}

// regions holds the budget to what is taken, one line a region.
func (t *table) regions(regions []engine.Region) {
	if len(regions) == 0 {
		return
	}
	t.Out.WriteString("\n")
	t.Line(t.Strong.Of(fmt.Sprintf("  %-14s%10s%10s", "memory, MiB", "taken", "budget")))
	for _, region := range regions {
		taken, style := "?", t.Plain
		if region.UsedMiB >= 0 {
			taken = fmt.Sprintf("%.0f", region.UsedMiB)
		}
		if region.UsedMiB > region.BudgetMiB {
			style = t.status[engine.StatusWarning]
		}
		t.Out.WriteString("  " + terminal.Pad(terminal.Printable(region.Name), 14) +
			style.Sprint(terminal.PadLeft(taken, 10)) +
			fmt.Sprintf("%10.0f", region.BudgetMiB) + t.Subdued.Sprint("  "+terminal.Printable(region.Source)) + "\n")
	}
}
