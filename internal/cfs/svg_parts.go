package cfs

import (
	"strings"
	"time"
)

func (p *picture) header() {
	p.y += 6
	if title := Printable(p.Title); title != "" {
		p.text("ink", "start", margin, float64(p.y+4), ` font-size="17" font-weight="600"`, cut(title, 100))
		p.y += 24
	}
	heading := p.heading()
	p.text("quiet", "start", margin, float64(p.y), "", strings.ToUpper(heading[:1])+heading[1:])
	if p.Result.Throttled > 0 {
		p.legend()
	}
	p.y += 34
}

// legend names the two kinds of bars.
func (p *picture) legend() {
	for _, entry := range []struct {
		class, text string
		x           float64
	}{{"run", "threads run", plotRight - 230}, {"wait", "threads are frozen", plotRight - 128}} {
		p.add(`<rect class="hr-%s" x="%s" y="%d" width="10" height="10" fill="%s"/>`,
			entry.class, number(entry.x), p.y-10, p.light[entry.class])
		p.text("quiet", "start", entry.x+16, float64(p.y), "", entry.text)
	}
}

// lay finds out how high the plot is, and draws the lines between periods.
func (p *picture) lay() {
	p.bottom = p.top + len(p.lanes)*(laneHeight+laneGap)
	if p.Quota > 0 {
		p.bottom += quotaHeight + laneGap
	}
	p.eachPanel(func(part panel, left, width float64) {
		p.line(left, 1)
		p.line(left+width, 1)
		if part.folded > 0 {
			middle := float64(p.top+p.bottom) / 2
			p.text("quiet", "middle", left+width/2, middle, ` font-size="18"`, "· · ·")
			p.text("quiet", "middle", left+width/2, middle+lineHeight, "", part.label())
		}
	})
}

func (p *picture) line(x float64, width int) {
	p.add(`<line class="hr-grid" x1="%s" x2="%s" y1="%d" y2="%d" stroke="%s" stroke-width="%d"/>`,
		number(x), number(x), p.top-6, p.bottom, p.light["grid"], width)
}

// freezes hatches the time in which nobody may run.
func (p *picture) freezes() {
	p.eachPanel(func(part panel, left, _ float64) {
		if part.folded > 0 {
			return
		}
		for _, s := range p.frozenStretches(part) {
			from, to := p.x(part, left, s.from), p.x(part, left, s.to)
			p.add(`<rect x="%s" y="%d" width="%s" height="%d" fill="url(#%s-hatch)"/>`,
				number(from), p.top-6, number(max(to-from, 1)), p.bottom-p.top+6, p.id)
			label := "frozen " + durationText(s.to-s.from)
			if room := to - from; room > float64(7*len(label)) {
				p.text("frost", "middle", (from+to)/2, float64(p.top-10), ` font-weight="600"`, label)
			} else if room > float64(7*len("frozen")) {
				p.text("frost", "middle", (from+to)/2, float64(p.top-10), ` font-weight="600"`, "frozen")
			}
		}
	})
}

// frozenStretches are those of a period; what begins to wait during one does not divide it.
func (p *picture) frozenStretches(part panel) []stretch {
	var found []stretch
	for _, s := range p.between(part.from, part.to) {
		if !s.Frozen {
			continue
		}
		if last := len(found) - 1; last >= 0 && found[last].to == s.From {
			found[last].to = s.To
			continue
		}
		found = append(found, stretch{from: s.From, to: s.To})
	}
	return found
}

// bars draws the threads of each load: full where they run, pale where they are frozen.
func (p *picture) bars() {
	for i, l := range p.lanes {
		base := float64(p.top + i*(laneHeight+laneGap) + laneHeight)
		p.text("ink", "end", labelRight, base-laneHeight/2-2, ` font-weight="600"`, cut(l.name, 23))
		p.text("quiet", "end", labelRight, base-laneHeight/2+14, "", count(l.most, "thread", "threads"))
		p.eachPanel(func(part panel, left, width float64) {
			p.add(`<line class="hr-grid" x1="%s" x2="%s" y1="%s" y2="%s" stroke="%s"/>`,
				number(left), number(left+width), number(base), number(base), p.light["grid"])
			if part.folded > 0 {
				return
			}
			for _, s := range p.stretches(l, part.from, part.to) {
				p.bar(l, s, p.x(part, left, s.from), p.x(part, left, s.to), base)
			}
		})
	}
}

func (p *picture) bar(l lane, s stretch, from, to, base float64) {
	class, tall := "run", max(laneHeight*float64(s.threads)/float64(l.most), 3)
	if s.frozen {
		class, tall = "wait", max(tall*0.35, 3)
	}
	wide := max(to-from, 1.5) // nothing vanishes
	p.add(`<rect class="hr-%s" x="%s" y="%s" width="%s" height="%s" fill="%s"/>`,
		class, number(from), number(base-tall), number(wide), number(tall), p.light[class])
	if label := durationText(s.to - s.from); !s.frozen && wide > float64(8*len(label)) && tall > 16 {
		p.text("on", "middle", from+wide/2, base-tall/2+4.5, "", label)
	}
}

// quota draws what is left of each period's quota.
func (p *picture) quota() {
	if p.Quota == 0 {
		return
	}
	top := float64(p.bottom - laneGap - quotaHeight)
	base := top + quotaHeight
	p.text("ink", "end", labelRight, top+quotaHeight/2-2, ` font-weight="600"`, "quota left")
	p.text("quiet", "end", labelRight, top+quotaHeight/2+14, "", "of "+durationText(p.Quota))
	y := func(left time.Duration) float64 { return base - quotaHeight*float64(left)/float64(p.Quota) }
	p.eachPanel(func(part panel, left, width float64) {
		if part.folded > 0 {
			return
		}
		points := []string{number(left) + "," + number(y(p.Quota))}
		at := func(t, quota time.Duration) {
			points = append(points, number(p.x(part, left, t))+","+number(y(quota)))
		}
		last := p.Quota
		for _, s := range p.between(part.from, part.to) {
			at(s.From, s.Quota)
			at(s.To, s.Left)
			last = s.Left
		}
		at(part.to, last)
		line := strings.Join(points, " ")
		p.add(`<polygon class="hr-pool" fill="%s" points="%s %s,%s %s,%s"/>`, p.light["pool"], line,
			number(left+width), number(base), number(left), number(base))
		p.add(`<polyline class="hr-level" fill="none" stroke="%s" stroke-width="2" points="%s"/>`, p.light["level"], line)
	})
}

// scale writes the times below the plot.
func (p *picture) scale() {
	y := float64(p.bottom + 18)
	free := 0.0
	label := func(x float64, at time.Duration) {
		text := strings.TrimSuffix(durationText(at), " ms")
		if at == 0 {
			text = "0 ms"
		}
		half := 3.8*float64(len(text)) + 4
		if x-half < free {
			return
		}
		free = x + half
		p.text("quiet", "middle", x, y, "", text)
	}
	p.eachPanel(func(part panel, left, width float64) {
		label(left, part.from)
		if part.folded > 0 {
			return
		}
		for _, at := range ticks(part.from, part.to, max(int(p.each/70), 1)) {
			// A label at the end of the period comes before those within it.
			if x := p.x(part, left, at); left+width-x > 40 {
				p.add(`<line class="hr-grid" x1="%s" x2="%s" y1="%d" y2="%d" stroke="%s"/>`,
					number(x), number(x), p.bottom, p.bottom+5, p.light["grid"])
				label(x, at)
			}
		}
	})
	last := p.panels[len(p.panels)-1]
	label(plotRight, last.to)
	p.y = p.bottom + 50
}

// words tells what happens.
func (p *picture) words() {
	for _, e := range p.Events() {
		p.text("quiet", "end", 110, float64(p.y), ` font-variant-numeric="tabular-nums"`, durationText(e.At))
		for _, line := range wrap(e.Text, lineRunes) {
			p.text("ink", "start", 122, float64(p.y), "", line)
			p.y += lineHeight
		}
	}
	p.y += 10
	for _, line := range wrap(p.summary(), lineRunes+10) {
		p.text("ink", "start", margin, float64(p.y), ` font-weight="600"`, line)
		p.y += lineHeight
	}
	p.y += margin - 8
}
