package diagnose

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	minWidth   = 40
	maxProse   = 110 // longer lines are hard to read, however wide the terminal
	textColumn = 11  // where messages start: two blanks, the status, two blanks
)

// statuses in the order in which a reader wants them.
var statuses = []string{engine.StatusError, engine.StatusWarning, engine.StatusUnknown, engine.StatusOK}

// table prints for a person at a terminal.
type table struct {
	out   bytes.Buffer
	width int

	status                          map[string]*color.Color
	heading, strong, subdued, plain *color.Color
}

// WriteTable prints the reports for a person: what is wrong first. Width is the terminal's, in
// columns.
func WriteTable(w io.Writer, reports []*Report, colored bool, width int) error {
	t := newTable(colored, width)
	for _, r := range reports {
		t.report(r)
	}
	if note := engine.FactsNote(t.out.String()); note != "" {
		t.block(0, "", note, t.subdued)
	}
	t.line(t.strong, summary(Count(reports)))
	_, err := w.Write(t.out.Bytes())
	return err
}

func newTable(colored bool, width int) *table {
	style := func(attributes ...color.Attribute) *color.Color {
		c := color.New(attributes...)
		if colored {
			c.EnableColor() // the library would look at the process's own output
		} else {
			c.DisableColor()
		}
		return c
	}
	plain := color.New()
	plain.DisableColor()
	return &table{
		width: max(width, minWidth),
		status: map[string]*color.Color{
			engine.StatusError: style(color.FgRed, color.Bold), engine.StatusWarning: style(color.FgYellow, color.Bold),
			engine.StatusUnknown: style(color.FgCyan), engine.StatusOK: style(color.FgGreen),
		},
		heading: style(color.Bold, color.Underline), strong: style(color.Bold), subdued: style(color.Faint), plain: plain,
	}
}

func (t *table) line(style *color.Color, text string) {
	t.out.WriteString(style.Sprint(strings.TrimRight(text, " ")) + "\n")
}

// block prints text wrapped, from a column on.
func (t *table) block(column int, lead, text string, style *color.Color) {
	for i, line := range wrap(text, min(t.width-column, maxProse)) {
		if i > 0 || lead == "" {
			lead = strings.Repeat(" ", column)
		}
		if strings.TrimSpace(lead) != "" {
			lead = t.subdued.Sprint(lead)
		}
		t.out.WriteString(lead + style.Sprint(line) + "\n")
	}
}

func (t *table) report(r *Report) {
	t.line(t.heading, title(r))
	if about := circumstances(r); about != "" {
		t.line(t.subdued, "  "+about)
	}
	t.out.WriteString("\n")
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
	t.out.WriteString("\n")
	for _, note := range r.Notes {
		t.block(2, "  ", terminal.Printable(note), t.plain)
	}
	if r.Findings != nil {
		t.block(2, "  ", lintLine(r), t.plain)
	}
	if r.Folder != "" {
		t.block(2, "  ", "What was read is kept in "+terminal.Printable(r.Folder)+"; --from judges it again.", t.plain)
	}
	for _, problem := range r.Problems {
		t.block(textColumn, "  problem  ", terminal.Printable(problem), t.status[engine.StatusError])
	}
	if len(r.Notes)+len(r.Problems) > 0 || r.Findings != nil || r.Folder != "" {
		t.out.WriteString("\n")
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
		style = t.plain
	}
	figure := terminal.Pad(terminal.Printable(c.Value), value)
	line := style.Sprint(terminal.Pad("  "+terminal.Printable(c.Status), textColumn)) + t.strong.Sprint(terminal.Pad(c.Check, name)) + "  " + figure
	if c.Healthy != "" && c.Status != engine.StatusUnknown {
		healthy := "  healthy: " + c.Healthy
		if c.Fact != "" {
			healthy += " (" + c.Fact + ")"
		}
		if textColumn+name+2+len([]rune(figure))+len([]rune(healthy)) <= t.width {
			line += t.subdued.Sprint(healthy)
		}
	}
	t.out.WriteString(strings.TrimRight(line, " ") + "\n")
	style = t.plain
	if c.Status == engine.StatusOK {
		style = t.subdued
	}
	t.block(textColumn, "", terminal.Printable(c.Message), style)
	if c.Fix != "" {
		t.block(textColumn+5, strings.Repeat(" ", textColumn)+"fix: ", terminal.Printable(c.Fix), t.plain)
	}
}

// regions holds the budget to what is taken, one line a region.
func (t *table) regions(regions []engine.Region) {
	if len(regions) == 0 {
		return
	}
	t.out.WriteString("\n")
	t.line(t.strong, fmt.Sprintf("  %-14s%10s%10s", "memory, MiB", "taken", "budget"))
	for _, region := range regions {
		taken, style := "?", t.plain
		if region.UsedMiB >= 0 {
			taken = fmt.Sprintf("%.0f", region.UsedMiB)
		}
		if region.UsedMiB > region.BudgetMiB {
			style = t.status[engine.StatusWarning]
		}
		t.out.WriteString("  " + terminal.Pad(terminal.Printable(region.Name), 14) + style.Sprintf("%10s", taken) +
			fmt.Sprintf("%10.0f", region.BudgetMiB) + t.subdued.Sprint("  "+terminal.Printable(region.Source)) + "\n")
	}
}
