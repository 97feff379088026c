package scenario

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// Table writes the result for a terminal: what is swept has a column, what is not stands above.
func (r *Result) Table(w io.Writer) error {
	var out strings.Builder
	s := r.Scenario
	for _, line := range []string{s.Title, s.Note} {
		if line != "" {
			out.WriteString(terminal.Printable(line) + "\n")
		}
	}
	out.WriteString(r.fixed() + "\n\n")
	if s.Layer == Pool {
		align(&out, r.poolRows(), -1)
	} else {
		rows, loads := r.periodRows()
		align(&out, rows, loads)
	}
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
			parts = append(parts, words.Count(c.threads, "busy thread"))
		}
		if len(s.Busy.Rewrite) == 1 && s.Busy.Rewrite[0] > 0 {
			parts = append(parts, "quota written "+rewriteText(s.Busy.Rewrite[0]))
		}
		parts = append(parts, shortDuration(s.Busy.Duration)+" with each of "+words.Count(s.Busy.Seeds, "seed"))
	}
	return strings.Join(parts, ", ")
}

// periodRows have the case once, before the first of its loads; loads is the column of their names.
func (r *Result) periodRows() (rows [][]string, loads int) {
	often := slices.ContainsFunc(r.Scenario.Loads, func(l Load) bool { return l.Times > 1 })
	bursts := slices.ContainsFunc(r.Outcomes, func(o Outcome) bool { return o.Bandwidth().Burst > 0 })
	ofCase := append(names(r.Outcomes[0].Varied), "throttled periods", "longest freeze")
	if bursts {
		ofCase = append(ofCase, "beyond the quota")
	}
	ofCase = append(ofCase, "spare")
	ofLoad := []string{"load", "done at", "took"}
	if often {
		ofLoad = []string{"load", "done at", "median", "p99", "slowest"}
	}
	rows = [][]string{slices.Concat(ofCase, ofLoad, []string{"frozen", "CPU used"})}
	for _, o := range r.Outcomes {
		cells := o.cells(bursts)
		for _, l := range o.Loads {
			row := slices.Concat(cells, []string{terminal.Printable(l.Name), durationText(l.Done)})
			if often {
				row = append(row, durationText(l.Median), durationText(l.P99))
			}
			rows = append(rows, append(row, durationText(l.Slowest), durationText(l.Frozen), durationText(l.Used)))
			cells = make([]string, len(cells))
		}
	}
	return rows, len(ofCase)
}

// cells are what a case has before its loads.
func (o Outcome) cells(bursts bool) []string {
	ran := o.Timeline.Result
	throttled, spare, beyond := "no limit", "", ""
	if o.Limit > 0 {
		throttled = fmt.Sprintf("%d of %d (%.0f %%)", ran.Throttled, ran.Periods, 100*ran.Ratio())
		spare = durationText(ran.Spare)
	}
	if o.Limit > 0 && ran.Bursts > 0 {
		beyond = fmt.Sprintf("%s in %s", durationText(ran.Burst), words.Count(ran.Bursts, "period"))
	}
	cells := append(settings(o.Varied), throttled, durationText(ran.Longest))
	if bursts {
		cells = append(cells, beyond)
	}
	return slices.Clip(append(cells, spare))
}

func (r *Result) poolRows() [][]string {
	rows := [][]string{append(names(r.Outcomes[0].Varied), "periods", "throttled: mean", "min", "median", "max",
		"throttled time, mean", "cores used")}
	for _, o := range r.Outcomes {
		rows = append(rows, append(settings(o.Varied), fmt.Sprint(o.Count), percent(o.Spread.Mean), percent(o.Spread.Min),
			percent(o.Spread.Median), percent(o.Spread.Max), durationText(o.Spread.ThrottledTime),
			fmt.Sprintf("%.3f", o.Spread.Cores)))
	}
	return rows
}

func names(varied []Setting) []string {
	var list []string
	for _, v := range varied {
		list = append(list, terminal.Printable(v.Name))
	}
	return list
}

func settings(varied []Setting) []string {
	var list []string
	for _, v := range varied {
		list = append(list, v.Value)
	}
	return list
}

// align lines up columns: those of numbers end together, and the left one of names begins together.
func align(out *strings.Builder, rows [][]string, left int) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], terminal.Width(cell))
		}
	}
	for _, row := range rows {
		var cells []string
		for i, cell := range row {
			pad := terminal.PadLeft
			if i == left {
				pad = terminal.Pad
			}
			cells = append(cells, pad(cell, widths[i]))
		}
		out.WriteString(strings.TrimRight(strings.Join(cells, "   "), " ") + "\n")
	}
}
