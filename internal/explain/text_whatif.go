package explain

import (
	"github.com/fatih/color"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// whatIf shows what changed values would change: before and after, side by side.
func (p *paper) whatIf(r *Report, c *Container) {
	w := c.WhatIf
	if w == nil {
		return
	}
	p.section("What if", "")
	for _, done := range w.Done {
		p.block(6, []run{{"    - ", p.plain}}, done.words(), p.plain)
	}
	p.line()
	rows := compared(&c.Explanation, w.Then)
	widths := [3]int{}
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], terminal.Width(row.cells[i]))
		}
	}
	for _, row := range rows {
		style := p.plain
		if row.changed() {
			style = p.strong
		}
		p.line(run{"    " + terminal.Pad(row.cells[0], widths[0]) + "  " + terminal.PadLeft(row.cells[1], widths[1]), p.plain},
			run{"  ", p.plain}, run{terminal.PadLeft(row.cells[2], widths[2]), style})
	}
	if b := barOf(w.Then, r.Free); b != nil {
		p.line()
		p.block(4, nil, "Then: "+b.verdict(), p.plain)
		p.bar(b)
	}
	if w.Timeline != nil {
		p.line()
		p.line(run{"    Then:", p.plain})
		p.drawn(w.Timeline)
	}
	p.line()
	p.changed("no longer", "none of the verdicts goes away", w.Lost, p.good)
	p.changed("new", "", w.Gained, p.bad)
	p.changed("still", "", w.Kept, p.plain)
}

func (p *paper) changed(name, none string, findings []engine.Finding, style *color.Color) {
	if len(findings) == 0 {
		if none != "" {
			p.block(15, []run{{"    " + terminal.Pad(name, 9) + "  ", p.subdued}}, none, p.plain)
		}
		return
	}
	p.block(15, []run{{"    " + terminal.Pad(name, 9) + "  ", p.subdued}}, named(findings), style)
}
