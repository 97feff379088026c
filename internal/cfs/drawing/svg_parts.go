package drawing

import (
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// legend names the two kinds of bars.
func (p *timelinePicture) legend() {
	for _, entry := range []struct {
		class, text string
		x           float64
	}{{"run", "threads run", plotRight - 230}, {"wait", "threads are frozen", plotRight - 128}} {
		p.rect(entry.class, entry.x, float64(p.y-10), 10, 10)
		p.text("quiet", "start", entry.x+16, float64(p.y), "", entry.text)
	}
}

// lay finds out how high the plot is, and draws the lines between periods.
func (p *timelinePicture) lay() {
	p.bottom = p.top + len(p.lanes)*(laneHeight+laneGap)
	if p.Quota > 0 {
		p.bottom += quotaHeight + laneGap
	}
	p.eachPanel(func(part panel, left, width float64) {
		for _, x := range []float64{left, left + width} {
			p.line("grid", x, float64(p.top-6), x, float64(p.bottom))
		}
		if part.folded > 0 {
			middle := float64(p.top+p.bottom) / 2
			p.text("quiet", "middle", left+width/2, middle, ` font-size="18"`, "· · ·")
			p.text("quiet", "middle", left+width/2, middle+lineHeight, "", part.label())
		}
	})
}

// freezes hatches the time in which no thread may run.
func (p *timelinePicture) freezes() {
	p.eachDrawn(func(part panel, left, _ float64) {
		for _, s := range p.frozenStretches(part) {
			from, to := p.x(part, left, s.from), p.x(part, left, s.to)
			p.add(`<rect x="%s" y="%d" width="%s" height="%d" fill="url(#%s-hatch)"/>`,
				Number(from), p.top-6, Number(max(to-from, 1)), p.bottom-p.top+6, p.id)
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
func (p *timelinePicture) frozenStretches(part panel) []stretch {
	return p.gather(part.from, part.to, func(s cfs.Segment) int {
		if s.Frozen {
			return 1
		}
		return 0
	})
}

// bars draws the threads of each load: full where they run, pale where they are frozen.
func (p *timelinePicture) bars() {
	for i, l := range p.lanes {
		base := float64(p.top + i*(laneHeight+laneGap) + laneHeight)
		p.text("ink", "end", labelRight, base-laneHeight/2-2, ` font-weight="600"`, cut(l.name, 23))
		p.text("quiet", "end", labelRight, base-laneHeight/2+14, "", words.Count(l.most, "thread"))
		p.eachPanel(func(part panel, left, width float64) {
			p.line("grid", left, base, left+width, base)
			if part.folded > 0 {
				return
			}
			for _, s := range p.stretches(l, part.from, part.to) {
				p.bar(l, s, p.x(part, left, s.from), p.x(part, left, s.to), base)
			}
		})
	}
}

func (p *timelinePicture) bar(l lane, s stretch, from, to, base float64) {
	class, tall := "run", max(laneHeight*float64(s.threads)/float64(l.most), 3)
	if s.frozen {
		class, tall = "wait", max(tall*0.35, 3)
	}
	wide := max(to-from, 1.5) // nothing vanishes
	p.rect(class, from, base-tall, wide, tall)
	if label := durationText(s.to - s.from); !s.frozen && wide > float64(8*len(label)) && tall > 16 {
		p.text("on", "middle", from+wide/2, base-tall/2+4.5, "", label)
	}
}

// quota draws what is left of each period's quota.
func (p *timelinePicture) quota() {
	if p.Quota == 0 {
		return
	}
	top := float64(p.bottom - laneGap - quotaHeight)
	base := top + quotaHeight
	p.text("ink", "end", labelRight, top+quotaHeight/2-2, ` font-weight="600"`, "quota left")
	p.text("quiet", "end", labelRight, top+quotaHeight/2+14, "", "of "+durationText(p.most()))
	y := func(left time.Duration) float64 { return base - quotaHeight*float64(left)/float64(p.most()) }
	p.eachDrawn(func(part panel, left, width float64) {
		last := p.quotaFrom(part.from)
		points := []string{Number(left) + "," + Number(y(last))}
		at := func(t, quota time.Duration) {
			points = append(points, Number(p.x(part, left, t))+","+Number(y(quota)))
		}
		for _, s := range p.between(part.from, part.to) {
			at(s.From, s.Quota)
			at(s.To, s.Left)
			last = s.Left
		}
		at(part.to, last)
		line := strings.Join(points, " ")
		p.add(`<polygon class="hr-pool" fill="%s" points="%s %s,%s %s,%s"/>`, light("pool"), line,
			Number(left+width), Number(base), Number(left), Number(base))
		p.add(`<polyline class="hr-level" fill="none" stroke="%s" stroke-width="2" points="%s"/>`, light("level"), line)
	})
}

// scale writes the times below the plot.
func (p *timelinePicture) scale() {
	y := float64(p.bottom + 18)
	free := 0.0
	label := func(x float64, at time.Duration) {
		text := tick(at)
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
				p.line("grid", x, float64(p.bottom), x, float64(p.bottom+5))
				label(x, at)
			}
		}
	})
	last := p.panels[len(p.panels)-1]
	label(plotRight, last.to)
	p.y = p.bottom + 50
}

// words tells what happens, and leaves it for those who do not see the picture.
func (p *timelinePicture) words() {
	var told []string
	for _, e := range p.Events() {
		told = append(told, durationText(e.At)+": "+e.Text+".")
		p.text("quiet", "end", 110, float64(p.y), ` font-variant-numeric="tabular-nums"`, durationText(e.At))
		for _, line := range terminal.Wrap(e.Text, lineRunes) {
			p.text("ink", "start", 122, float64(p.y), "", line)
			p.y += lineHeight
		}
	}
	p.described = strings.Join(append(told, p.summary()), " ")
	p.y += 10
	for _, line := range terminal.Wrap(p.summary(), lineRunes+10) {
		p.text("ink", "start", margin, float64(p.y), ` font-weight="600"`, line)
		p.y += lineHeight
	}
	p.y += margin - 8
}
