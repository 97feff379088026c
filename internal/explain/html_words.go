package explain

import (
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// block is YAML to copy, line by line safe to show.
func block(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := range lines {
		lines[i] = terminal.Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

func flagNote(f engine.FlagLine) string {
	note := terminal.Printable(f.Note)
	if !f.Wins && f.Text != "" {
		return strings.TrimSuffix("no effect: "+note, ": ")
	}
	return note
}

// named lists rules, the worst first.
func named(findings []engine.Finding) string {
	var list []string
	for _, f := range bySeverity(findings) {
		list = append(list, terminal.Printable(f.Rule)+" "+terminal.Printable(f.Slug))
	}
	return strings.Join(list, ", ")
}

// help leads to the page of a finding's rule.
func help(f engine.Finding) string { return engine.Rule{ID: f.Rule}.HelpURI() }

// tallyMark is a number of findings of one severity.
type tallyMark struct{ Label, State string }

func tallied(findings []engine.Finding) []tallyMark {
	if len(findings) == 0 {
		return []tallyMark{{tally(nil), "fine"}}
	}
	var marks []tallyMark
	for _, severity := range []string{engine.SeverityError, engine.SeverityWarning, engine.SeverityInfo} {
		n := 0
		for i := range findings {
			if findings[i].Severity == severity {
				n++
			}
		}
		if n > 0 {
			marks = append(marks, tallyMark{words.Count(n, severity), severity})
		}
	}
	return marks
}

// rect is a region of a bar in the page, in percent of its width.
type rect struct {
	Class, X, Width string
	Assumed         bool
}

func share(n float64) string { return strconv.FormatFloat(n, 'f', 3, 64) }

// Rects are the regions of the bar, from the left.
func (b *bar) Rects() []rect {
	var list []rect
	sum := 0.0
	for _, s := range b.Segments {
		list = append(list, rect{s.class(), share(100 * sum / b.Scale), share(100 * s.MiB / b.Scale), s.Assumed})
		sum += s.MiB
	}
	return list
}

func (s segment) class() string { return "t" + strconv.Itoa(s.Index%8) }

// Over tells that more is taken than the limit allows.
func (b *bar) Over() bool { return b.Limit > 0 && b.Total > b.Limit }

// marks are the line that has to stay free, and the limit.
type marks struct {
	Line, LineAnchor, LineText, Limit, LimitAnchor, LimitText string
}

// Marks are nil without a limit.
func (b *bar) Marks() *marks {
	if b.Limit <= 0 {
		return nil
	}
	anchor := func(at float64) string {
		if at > b.Scale/2 {
			return "end"
		}
		return "start"
	}
	return &marks{
		Line: share(100 * b.Line / b.Scale), LineAnchor: anchor(b.Line),
		LineText: words.Percent(b.Line, b.Limit) + " of the limit: " + mib(b.Line),
		Limit:    share(100 * b.Limit / b.Scale), LimitAnchor: anchor(b.Limit), LimitText: "limit " + mib(b.Limit),
	}
}

// termRow is a line of the table below a bar.
type termRow struct {
	Name, Amount, Share, Source, Class string
	Assumed                            bool // of a total: that it is over the limit
}

// Rows are the regions, Totals what they come to.
func (b *bar) Rows() []termRow {
	var list []termRow
	for _, s := range b.Segments {
		list = append(list, termRow{s.Name, s.amount(), b.shareOf(s), origin(s), s.class(), s.Assumed})
	}
	return list
}

// Totals are the lines below the regions.
func (b *bar) Totals() []termRow {
	var list []termRow
	for _, s := range b.sums() {
		list = append(list, termRow{
			Name: s.Name, Amount: mib(s.MiB), Share: b.share(s.MiB), Source: s.Source, Assumed: s.Name == overBy,
		})
	}
	return list
}

func (b *bar) shareOf(s segment) string {
	if s.Unknown {
		return ""
	}
	return b.share(s.MiB)
}

func (b *bar) share(n float64) string {
	if b.Limit <= 0 {
		return ""
	}
	return words.Percent(n, b.Limit)
}
