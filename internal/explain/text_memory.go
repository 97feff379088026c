package explain

import (
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// glyphs tell neighbours in a bar from each other without colour.
var glyphs = [...]string{"█", "▓", "▒"}

const maxBar = 72

// memory is the budget as a bar, and below it as a table.
func (p *paper) memory(e *engine.Explanation, free float64) {
	b := barOf(e, free)
	if b == nil {
		return
	}
	name := "Memory"
	if b.Budget {
		name = "Memory budget"
	}
	p.section(name, b.Verdict())
	p.bar(b)
	p.terms(b)
	if !b.Complete {
		p.block(4, nil, "Not complete: the limit or the heap is not known.", p.Subdued)
	}
}

// sizes are what runtimes other than the JVM may take.
func (p *paper) sizes(e *engine.Explanation) {
	if len(e.Sizes) == 0 {
		return
	}
	p.section("What it may take of the memory", "")
	for _, s := range e.Sizes {
		p.block(4, nil, terminal.Printable(s.Text), p.Plain)
	}
}

func (p *paper) bar(b *bar) {
	columns := min(p.Width-10, maxBar)
	cells := b.cells(columns)
	runs := []terminal.Run{p.Plain.Of("    ")}
	limit := columns
	if b.Limit > 0 {
		limit = b.column(b.Limit, columns)
	}
	for at, cell := range cells {
		next := p.cell(cell, at > limit)
		if last := &runs[len(runs)-1]; last.Style == next.Style {
			last.Text += next.Text
			continue
		}
		runs = append(runs, next)
	}
	p.Line(runs...)
	if b.Limit <= 0 {
		return
	}
	// Both marks are named below the bar: the line to the left of its mark, the limit where
	// there is room.
	line := b.column(b.Line, columns)
	left := words.Percent(b.Line, b.Limit) + " ↑"
	text := terminal.PadLeft(left, line+1)
	switch {
	case line == limit: // the limit is so small a part of it that both marks are one
		text = ""
	case terminal.Width(left) > line+1:
		text = strings.Repeat(" ", line) + "↑"
	}
	right := "↑ limit"
	if limit+terminal.Width(right) <= p.Width-4 {
		p.Line(p.Subdued.Of("    " + terminal.Pad(text, limit) + right))
		return
	}
	p.Line(p.Subdued.Of("    " + terminal.Pad(text, limit) + "↑"))
	p.Line(p.Subdued.Of("    " + terminal.PadLeft("limit", limit+1)))
}

// cell is one column of a bar; over is beyond the limit.
func (p *paper) cell(cell int, over bool) terminal.Run {
	switch {
	case cell == cellFree:
		return p.Subdued.Of("·")
	case cell == cellLine:
		return p.Strong.Of("┊")
	case cell == cellLimit:
		return p.Bad.Of("┃")
	case over:
		return p.Bad.Of(glyphs[cell%len(glyphs)])
	}
	return p.regions[cell%len(p.regions)].Of(glyphs[cell%len(glyphs)])
}

func (p *paper) terms(b *bar) {
	name, amount := len("measured peak"), 0
	rows := append(append([]segment{}, b.Segments...), b.sums()...)
	for _, s := range rows {
		name, amount = max(name, terminal.Width(s.Name)), max(amount, terminal.Width(s.amount()))
	}
	for i, s := range rows {
		glyph, style := " ", p.Plain
		if i < len(b.Segments) {
			glyph, style = glyphs[i%len(glyphs)], p.regions[i%len(p.regions)]
		}
		lead := " " + terminal.Pad(s.Name, name) + "  " + terminal.PadLeft(s.amount(), amount) + "  " + terminal.PadLeft(b.shareOf(s), 8) + "  "
		p.block(5+terminal.Width(lead), []terminal.Run{p.Plain.Of("    "), style.Of(glyph), p.Plain.Of(lead)}, origin(s), p.Subdued)
	}
}

// origin says where an amount is from, how well it is known, and the range that it may be in.
func origin(s segment) string {
	return strings.TrimPrefix(sourceAndGrade(s)+spread(s), ", ")
}

func sourceAndGrade(s segment) string {
	if s.Grade == "" || strings.Contains(s.Source, s.Grade) {
		return s.Source
	}
	return s.Source + ", " + s.Grade
}

// spread is the range of a region, where it has one.
func spread(s segment) string {
	if s.Unknown || s.Least == s.Most {
		return ""
	}
	return ", " + words.Plain(s.Least) + " to " + mib(s.Most)
}

const overBy = "over by"

// sums are the lines below the regions: what they come to, and what is left.
func (b *bar) sums() []segment {
	list := []segment{{Name: "total", MiB: b.Total}}
	if b.Least > 0 && b.Least < b.Total && !b.partial() {
		list = append(list, segment{Name: "low end", MiB: b.Least, Source: "what it takes at the least under load"})
	}
	if b.Bound > b.Total && !b.partial() {
		list = append(list, segment{Name: "allowed", MiB: b.Bound, Source: "what flags and defaults would let it take"})
	}
	if b.Limit <= 0 {
		return list
	}
	list = append(list, segment{Name: "limit", MiB: b.Limit})
	if b.partial() {
		return list // what is left is not known
	}
	left := b.Limit - b.Total
	if left < 0 {
		return append(list, segment{Name: overBy, MiB: -left})
	}
	wanted := "wanted " + mib(b.Limit-b.Line) + ", " + words.Percent(b.Limit-b.Line, b.Limit)
	return append(list, segment{Name: "left", MiB: left, Source: wanted})
}
