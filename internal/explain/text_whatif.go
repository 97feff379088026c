package explain

import (
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
		p.block(6, []terminal.Run{p.Plain.Of("    - ")}, done.words(), p.Plain)
	}
	p.Line()
	rows := compared(&c.Explanation, w.Then)
	widths := [3]int{}
	for _, row := range rows {
		for i := range widths {
			widths[i] = max(widths[i], terminal.Width(row[i]))
		}
	}
	for _, row := range rows {
		style := p.Plain
		if row[1] != row[2] {
			style = p.Strong
		}
		p.Line(p.Plain.Of("    "+terminal.Pad(row[0], widths[0])+"  "+terminal.PadLeft(row[1], widths[1])),
			p.Plain.Of("  "), style.Of(terminal.PadLeft(row[2], widths[2])))
	}
	if b := barOf(w.Then, r.Free); b != nil {
		p.Line()
		p.block(4, nil, "Then: "+b.Verdict(), p.Plain)
		p.bar(b)
	}
	if w.Timeline != nil {
		p.Line()
		p.Line(p.Plain.Of("    Then:"))
		p.drawn(w.Timeline)
	}
	p.Line()
	p.changed("no longer", "none of the verdicts goes away", w.Lost, p.Good)
	p.changed("new", "", w.Gained, p.Bad)
	p.changed("still", "", w.Kept, p.Plain)
}

func (p *paper) changed(name, none string, findings []engine.Finding, style terminal.Style) {
	if len(findings) == 0 {
		if none != "" {
			p.block(15, []terminal.Run{p.Subdued.Of("    " + terminal.Pad(name, 9) + "  ")}, none, p.Plain)
		}
		return
	}
	p.block(15, []terminal.Run{p.Subdued.Of("    " + terminal.Pad(name, 9) + "  ")}, named(findings), style)
}
