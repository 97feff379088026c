package scenario

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// Table writes the result for a terminal: what is swept has a column, what is not stands above.
func (r *Result) Table(w io.Writer) error {
	var out strings.Builder
	s := r.Scenario
	if s.Title != "" {
		out.WriteString(terminal.Printable(strings.TrimSpace(s.Title)) + "\n")
	}
	if s.Note != "" {
		out.WriteString(terminal.Printable(strings.TrimSpace(s.Note)) + "\n")
	}
	out.WriteString(r.fixed() + "\n\n")
	t := &table{}
	if s.Layer == Pool {
		r.poolRows(t)
	} else {
		r.periodRows(t)
	}
	t.write(&out)
	_, err := io.WriteString(w, out.String())
	return err
}

// fixed says what is the same in all cases.
func (r *Result) fixed() string {
	s, c := r.Scenario, r.Outcomes[0]
	var parts []string
	if len(s.Limits) == 1 {
		parts = append(parts, "limit "+limitText(c.Limit))
	}
	if len(s.Periods) == 1 && (c.Limit > 0 || len(s.Limits) > 1) {
		parts = append(parts, "period "+shortDuration(c.Period))
	}
	if len(s.Bursts) == 1 && s.Bursts[0] > 0 {
		parts = append(parts, "burst "+shortDuration(s.Bursts[0]))
	}
	if len(s.Processors) == 1 {
		parts = append(parts, words.Count(c.Processors, "processor"))
	}
	if s.Layer == Pool {
		if len(s.Busy.Threads) == 1 {
			parts = append(parts, words.Count(c.Threads, "busy thread"))
		}
		if len(s.Busy.Rewrite) == 1 && s.Busy.Rewrite[0] > 0 {
			parts = append(parts, "quota written "+rewriteText(s.Busy.Rewrite[0]))
		}
		parts = append(parts, shortDuration(s.Busy.Duration)+" with each of "+words.Count(s.Busy.Seeds, "seed"))
	}
	return strings.Join(parts, ", ")
}

func (r *Result) periodRows(t *table) {
	often, bursts := false, slices.ContainsFunc(r.Outcomes, func(o Outcome) bool { return o.Bandwidth().Burst > 0 })
	for _, l := range r.Scenario.Loads {
		often = often || l.Times > 1
	}
	for _, v := range r.Outcomes[0].Varied {
		t.column(v.Name, true)
	}
	t.column("throttled periods", true)
	t.column("longest freeze", true)
	if bursts {
		t.column("beyond the quota", true)
	}
	t.column("spare", true)
	t.column("load", false)
	t.column("done at", true)
	if often {
		t.column("median", true)
		t.column("p99", true)
		t.column("slowest", true)
	} else {
		t.column("took", true)
	}
	t.column("frozen", true)
	t.column("CPU used", true)
	for _, o := range r.Outcomes {
		ran := o.Timeline.Result
		var cells []string
		for _, v := range o.Varied {
			cells = append(cells, v.Value)
		}
		throttled, spare := "no limit", ""
		if o.Limit > 0 {
			throttled = fmt.Sprintf("%d of %d (%.0f %%)", ran.Throttled, ran.Periods, 100*ran.Ratio())
			spare = durationText(ran.Spare)
		}
		cells = append(cells, throttled, durationText(ran.Longest))
		if bursts {
			cells = append(cells, beyond(o))
		}
		cells = append(cells, spare)
		before := len(cells)
		for i, l := range o.Loads {
			if i > 0 {
				cells = make([]string, before)
			}
			cells = append(cells, terminal.Printable(l.Name), durationText(l.Done))
			if often {
				cells = append(cells, durationText(l.Median), durationText(l.P99))
			}
			t.row(append(cells, durationText(l.Slowest), durationText(l.Frozen), durationText(l.Used))...)
		}
	}
}

// beyond is what a burst was used for: CPU time over the quota, and in how many periods.
func beyond(o Outcome) string {
	ran := o.Timeline.Result
	if o.Limit == 0 || ran.Bursts == 0 {
		return ""
	}
	return fmt.Sprintf("%s in %s", durationText(ran.Burst), words.Count(ran.Bursts, "period"))
}

func (r *Result) poolRows(t *table) {
	for _, v := range r.Outcomes[0].Varied {
		t.column(v.Name, true)
	}
	t.column("periods", true)
	t.column("throttled: mean", true)
	t.column("min", true)
	t.column("median", true)
	t.column("max", true)
	t.column("throttled time, mean", true)
	t.column("cores used", true)
	for _, o := range r.Outcomes {
		var cells []string
		for _, v := range o.Varied {
			cells = append(cells, v.Value)
		}
		t.row(append(cells, fmt.Sprint(o.Count), percent(o.Spread.Mean), percent(o.Spread.Min), percent(o.Spread.Median),
			percent(o.Spread.Max), durationText(o.Spread.ThrottledTime), fmt.Sprintf("%.3f", o.Spread.Cores))...)
	}
}

// table lines up columns; those of numbers end together.
type table struct {
	titles []string
	right  []bool
	rows   [][]string
}

func (t *table) column(title string, right bool) {
	t.titles = append(t.titles, terminal.Printable(title))
	t.right = append(t.right, right)
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

func (t *table) write(out *strings.Builder) {
	widths := make([]int, len(t.titles))
	lines := append([][]string{t.titles}, t.rows...)
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], runewidth.StringWidth(cell))
		}
	}
	for _, line := range lines {
		text := ""
		for i, cell := range line {
			if i > 0 {
				text += "   "
			}
			if t.right[i] {
				text += runewidth.FillLeft(cell, widths[i])
			} else {
				text += runewidth.FillRight(cell, widths[i])
			}
		}
		out.WriteString(strings.TrimRight(text, " ") + "\n")
	}
}
