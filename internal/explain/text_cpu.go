package explain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// cpu is the arithmetic of the quota: T1 and T2 in a sentence each.
func (p *paper) cpu(e *engine.Explanation) {
	p.section("CPU", "")
	for _, l := range cpuLines(e) {
		p.row(l[0], 9, l[1], p.Plain)
	}
}

func cpuLines(e *engine.Explanation) [][2]string {
	var lines [][2]string
	add := func(name, format string, args ...any) {
		lines = append(lines, [2]string{name, fmt.Sprintf(format, args...)})
	}
	if e.CPU.Cores > 0 {
		add("cores", "%d at once", e.CPU.Cores)
	}
	if e.CPU.Average > 0 {
		text := terminal.Printable(e.Evidence)
		if text == "" {
			text = "as annotated"
		}
		add("average", "%s, %s", milli(e.CPU.Average), text)
	}
	if e.CPU.Peak > 0 {
		add("peak", "%s, as measured or annotated", milli(e.CPU.Peak))
	}
	if q := e.Quota; q != nil {
		add("quota", "%s ms of CPU time in each %s ms, for all threads together (T1)", words.Plain(q.MS), words.Plain(q.PeriodMS))
	} else {
		add("quota", "none: without limits.cpu nothing freezes")
	}
	burst := func(name string, b *engine.BurstLine) {
		if b != nil {
			add(name, "%s %s", terminal.Printable(b.Text), from(b))
		}
	}
	burst("burst", e.Burst)
	burst("pool", e.Workers)
	if e.Pool != nil && e.Workers == nil {
		add("pool", "%s: %s", workers(e.Pool), terminal.Printable(e.Pool.Source))
	}
	for _, c := range e.Counts {
		add("counts", "%s", terminal.Printable(c.Text))
	}
	return lines
}

// from says where the figures of a burst are from; a pool's time is the period.
func from(b *engine.BurstLine) string {
	text := "Threads: " + cmp.Or(terminal.Printable(b.ThreadsSource), "not said")
	if b.PauseMS != b.PeriodMS {
		text += "; pause: " + cmp.Or(terminal.Printable(b.PauseSource), "not said")
	}
	return text + "."
}

// workers of a pool; that each takes one core goes without saying.
func workers(p *engine.PoolLine) string {
	if p.CoresEach == 1 {
		return words.Count(int(p.Workers), "worker")
	}
	return fmt.Sprintf("%s of %s cores each", words.Count(int(p.Workers), "worker"), words.Plain(p.CoresEach))
}

// milli writes millicores as Kubernetes does.
func milli(n int64) string {
	if n%1000 == 0 {
		return fmt.Sprint(n / 1000)
	}
	return fmt.Sprintf("%dm", n)
}

func (p *paper) timeline(t *Timeline) {
	if t == nil {
		return
	}
	if t.Missing != "" {
		p.section("Timeline", sentence("not drawn, since "+terminal.Printable(t.Missing)))
		return
	}
	p.section("Timeline", "")
	p.drawn(t)
}

// drawn is the drawing and what it says.
func (p *paper) drawn(t *Timeline) {
	if t.Missing != "" {
		p.block(4, nil, sentence("Not drawn, since "+terminal.Printable(t.Missing)), p.Plain)
		return
	}
	untitled := t.Timeline
	untitled.Title = "" // the heading stands above
	for _, line := range strings.Split(strings.TrimSpace(untitled.Text(p.Width-4)), "\n") {
		p.Line(p.Plain.Of("    " + line))
	}
	p.block(4, nil, strings.Join(t.Says, " "), p.Plain)
	if len(t.Assumed) > 0 {
		p.block(4, nil, "Assumed: "+terminal.Printable(strings.Join(t.Assumed, "; "))+".", p.Subdued)
	}
}
