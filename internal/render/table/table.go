// Package table prints a report for a person at a terminal.
package table

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	defaultWidth = 80
	minBeside    = 30 // with less room beside it, an explanation goes below
	textColumn   = 9  // where messages start: the severity, two blanks
)

// table prints for a person at a terminal.
type table struct {
	terminal.Paper
	verbose bool
	explain bool
}

// Write prints a report: the answer, what was found, the worst first, then the lists, then the
// summary.
func Write(w *bytes.Buffer, r *report.Report, o Options) error {
	columns := o.Width
	if columns <= 0 {
		columns = defaultWidth
	}
	t := &table{Paper: terminal.NewPaper(w, o.Color, columns), verbose: o.Verbose, explain: o.Explain}
	entries := report.Entries(r)
	end := t.ending(r, t.printed(r, entries))
	if answer := sentences.Answer(entries); answer != "" {
		t.block(0, nil, answer+".", t.Strong)
		t.Line()
	}
	short := false
	if t.verbose {
		for _, g := range report.Listed(r) {
			t.group(g, r)
		}
	} else {
		// One blank line before the end, and one line that tells of what is shortened.
		short = t.entries(r, entries, lines(w.Bytes())+lines(end)+2)
	}
	t.preview(r)
	t.namespaces(r)
	if t.verbose {
		t.exempted(r)
		t.skipped(r)
	}
	t.stale(r)
	t.problems(r)
	if short {
		t.Line(t.Subdued.Of("Shortened; --verbose tells all."))
	}
	w.Write(end)
	return nil
}

func lines(text []byte) int { return bytes.Count(text, []byte("\n")) }

// printed counts what the report prints: entries or, workload by workload, the items of each.
func (t *table) printed(r *report.Report, entries []*report.Entry) (p sentences.Printed) {
	if !t.verbose {
		return sentences.PrintedEntries(entries)
	}
	for _, g := range report.Groups(r) {
		for _, i := range g.Shown(r) {
			p.Add(&i.Finding, i.Mark.New)
		}
	}
	return p
}

// ending is the last lines of a report.
func (t *table) ending(r *report.Report, shown sentences.Printed) []byte {
	to := *t
	to.Out = &bytes.Buffer{}
	for _, line := range sentences.AsidesOf(r, shown) {
		to.block(0, nil, words.UpperFirst(line)+".", t.Plain)
	}
	to.block(0, nil, words.UpperFirst(sentences.SummaryOf(r, shown)), t.Strong)
	if hint := sentences.FixHint(r, shown.Fixable); hint != "" {
		to.Line(t.Subdued.Of(hint))
	}
	return to.Out.Bytes()
}

// block prints text wrapped, from a column on; lead is what stands before it on the first line.
func (t *table) block(column int, lead []terminal.Run, text string, style terminal.Style) {
	for i, line := range terminal.Wrap(text, min(t.Width-column, terminal.MaxProse)) {
		if i > 0 || lead == nil {
			lead = []terminal.Run{t.Plain.Of(strings.Repeat(" ", column))}
		}
		t.Line(append(lead, style.Of(line))...)
	}
}

func (t *table) group(g *report.Group, r *report.Report) {
	t.headline(sentences.Place(g.File, g.Line), sentences.Title(g.Resource))
	if state := sentences.State(g); state != "" {
		t.block(2, nil, state, t.Strong)
	}
	name, class := 0, 0
	for i := range g.Containers {
		name = max(name, terminal.Width(g.Containers[i].Shown()))
		class = max(class, terminal.Width(g.Containers[i].ClassName()))
	}
	for i := range g.Containers {
		t.container(&g.Containers[i], min(name, 24), min(class, 20))
	}
	items := g.Shown(r)
	if len(items) == 0 {
		verdict := "no findings"
		if g.Exempted > 0 {
			verdict = fmt.Sprintf("no findings beside %d exempted", g.Exempted)
		}
		t.Line(t.Plain.Of("  "), t.Subdued.Of(verdict))
	}
	t.Line()
	for _, i := range items {
		t.item(i)
		t.Line()
	}
}

// headline is a place and what stands there, on two lines where one is too narrow.
func (t *table) headline(at, what string) {
	if at == "" {
		t.Line(t.Heading.Of(what))
		return
	}
	if terminal.Width(at)+2+terminal.Width(what) <= t.Width {
		t.Line(t.Heading.Of(at), t.Plain.Of("  "), t.Strong.Of(what))
		return
	}
	t.Line(t.Heading.Of(at))
	t.Line(t.Plain.Of("  "), t.Strong.Of(what))
}

// container says what a container was taken for, and why.
func (t *table) container(c *report.Container, name, class int) {
	head := "  " + terminal.Pad(c.Shown(), name) + "  "
	lead := []terminal.Run{t.Plain.Of(head), t.Plain.Of(terminal.Pad(c.ClassName(), class) + "  ")}
	column := terminal.Width(lead[0].Text) + terminal.Width(lead[1].Text)
	if column > t.Width-minBeside {
		t.Line(lead...)
		lead, column = nil, 6
	}
	if c.Why() == "" {
		t.Line(lead...)
	} else {
		t.block(column, lead, c.Why(), t.Subdued)
	}
	t.block(column, nil, sentences.MeasuredLine(c), t.Plain)
}

// item is a finding of the group that stands above it.
func (t *table) item(i *report.Item) {
	notes := ""
	switch {
	case i.Fixable && i.Mark.New:
		notes = "new, auto-fixable"
	case i.Mark.New:
		notes = "new"
	case i.Fixable:
		notes = "auto-fixable"
	}
	t.head(&i.Finding, i.Where(), notes)
	t.block(textColumn, nil, terminal.Printable(i.Message), t.Plain)
	t.arithmetic(i.Figures)
	t.labelled("wanted", terminal.Printable(i.Expected))
	t.labelled("price", terminal.Printable(i.Price))
}

// head is the first line of a finding: how bad, which rule, where.
func (t *table) head(f *engine.Finding, where, notes string) {
	severity, rule, slug := headOf(f)
	head := []terminal.Run{t.Severity(f.Severity).Of(severity), t.Strong.Of(rule), t.Subdued.Of(slug)}
	note := t.Subdued.Of(noteOf(notes))
	switch {
	case where == "":
		t.Line(append(head, note)...)
	case t.fits(f, where, notes):
		t.Line(append(head, t.Plain.Of("  "+where), note)...)
	default:
		t.Line(append(head, note)...)
		if indent := strings.Repeat(" ", textColumn); terminal.Width(indent+where) <= t.Width {
			t.Line(t.Plain.Of(indent + where)) // wrapping would take its double blanks
			return
		}
		t.block(textColumn, nil, where, t.Plain)
	}
}

// fits tells whether a head takes one line.
func (t *table) fits(f *engine.Finding, where, notes string) bool {
	severity, rule, slug := headOf(f)
	return terminal.Width(severity+rule+slug+"  "+where+noteOf(notes)) <= t.Width
}

func headOf(f *engine.Finding) (severity, rule, slug string) {
	return terminal.Pad(terminal.Printable(f.Severity), textColumn-1) + " ",
		terminal.Printable(f.Rule), " " + terminal.Printable(f.Slug)
}

func noteOf(notes string) string {
	if notes == "" {
		return ""
	}
	return "  (" + notes + ")"
}

// labelled is a text below a finding, after a word that says what it is.
func (t *table) labelled(label, text string) {
	if text == "" {
		return
	}
	label += ": "
	indent := t.Plain.Of(strings.Repeat(" ", textColumn))
	t.block(textColumn+len(label), []terminal.Run{indent, t.Subdued.Of(label)}, text, t.Plain)
}

// arithmetic is what a verdict rests on, for those who ask.
func (t *table) arithmetic(figures map[string]any) {
	if !t.explain {
		return
	}
	t.budget(figures)
	for _, f := range report.OtherFigures(figures) {
		t.block(textColumn+2, nil, f[0]+": "+f[1], t.Subdued)
	}
}

// budget draws the sum that a verdict rests on.
func (t *table) budget(figures map[string]any) {
	b, ok := report.SumOf(figures)
	if !ok {
		return
	}
	name, amount := 0, 0
	for _, row := range append(b.Rows[:len(b.Rows):len(b.Rows)], b.Totals...) {
		name, amount = max(name, terminal.Width(row.Name)), max(amount, terminal.Width(row.Amount))
	}
	name = min(name, 24)
	draw := func(rows []report.SumRow) {
		for _, row := range rows {
			lead := strings.Repeat(" ", textColumn+2) + terminal.Pad(row.Name, name) + "  " + terminal.PadLeft(row.Amount, amount)
			if row.Source == "" {
				t.Line(t.Plain.Of(lead))
				continue
			}
			if column := terminal.Width(lead) + 2; column <= t.Width-minBeside {
				t.block(column, []terminal.Run{t.Plain.Of(lead + "  ")}, row.Source, t.Subdued)
				continue
			}
			t.Line(t.Plain.Of(lead))
			t.block(textColumn+4, nil, row.Source, t.Subdued)
		}
	}
	draw(b.Rows)
	t.Line(t.Plain.Of(strings.Repeat(" ", textColumn+2)), t.Subdued.Of(strings.Repeat("-", name+2+amount)))
	draw(b.Totals)
}

// Options say how to print a table.
type Options struct {
	Color   bool // NO_COLOR and the terminal are the caller's to judge
	Width   int  // columns of the terminal, 0 = 80
	Verbose bool // workload by workload, sound ones too, and what was exempted and skipped
	Explain bool // the arithmetic of each finding
}
