package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// Lists that grow with the cluster end here, unless all is asked for.
const (
	maxNamespaces = 20
	maxPreviews   = 40
)

// namespaces prints the scores of an audit, worst first.
func (t *table) namespaces(r *report.Report) {
	if r.Cluster == nil {
		return
	}
	total, list := report.Sections(r, report.Groups(r))
	if total.Containers == 0 {
		return
	}
	left, empty := 0, 0
	rows := [][]string{{"Namespace", "Score", "Workloads", "Errors", "Warnings", "Mode"}}
	for _, s := range list {
		switch {
		case s.Containers == 0:
			empty++
			continue
		case len(rows) > maxNamespaces && !t.verbose:
			left++
			continue
		}
		mode := ""
		if s.Namespace != nil {
			mode = s.Namespace.Labels()
		}
		rows = append(rows, []string{
			terminal.Printable(s.Name), strconv.Itoa(s.Score()), strconv.Itoa(s.Workloads), strconv.Itoa(s.Errors),
			strconv.Itoa(s.Warnings), mode,
		})
	}
	t.columns(rows)
	if left > 0 {
		t.Line(t.Subdued.Of(fmt.Sprintf("  and %d more, none with a lower score; --verbose shows them", left)))
	}
	if empty > 0 {
		t.Line(t.Subdued.Of("  " + words.Count(empty, "namespace") + " without workloads"))
	}
	all := fmt.Sprintf("all: %d of 100 (share of containers without error; a warning counts half)", total.Score())
	t.block(2, nil, all, t.Subdued)
	if pains := sentences.Pains(report.Harm{Kills: total.Kills, Throttled: total.Throttled, Left: 1}); len(pains) > 0 {
		t.block(2, nil, strings.Join(pains, ", "), t.Plain)
	}
	if r.Cluster.Measured != "" {
		t.block(2, nil, "measured by "+terminal.Printable(r.Cluster.Measured), t.Subdued)
	}
	t.Line()
}

// columns sets rows in columns: the first and the last to the left, numbers to the right.
func (t *table) columns(rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], terminal.Width(cell))
		}
	}
	last := len(widths) - 1
	rest := 0
	for _, w := range widths[1:] {
		rest += 2 + w
	}
	// A long name has its own line rather than a cut.
	widths[0] = max(min(widths[0], t.Width-2-rest), terminal.Width(rows[0][0]))
	for n, row := range rows {
		style := t.Plain
		if n == 0 {
			style = t.Subdued
		}
		name := terminal.Pad(row[0], widths[0])
		if terminal.Width(name) > widths[0] {
			t.Line(style.Of("  " + name))
			name = strings.Repeat(" ", widths[0])
		}
		text := "  " + name
		for i := 1; i < last; i++ {
			text += "  " + terminal.PadLeft(row[i], widths[i])
		}
		if with := text + "  " + row[last]; terminal.Width(with) <= t.Width {
			t.Line(style.Of(with))
			continue
		}
		t.Line(style.Of(text))
		t.block(4, nil, row[last], style)
	}
}

// preview prints what a mode would do: refusals before changes.
func (t *table) preview(r *report.Report) {
	if r.Preview == nil {
		return
	}
	t.block(0, nil, sentences.Preview(r)+".", t.Heading)
	shown, left := 0, 0
	for _, refusals := range []bool{true, false} {
		for i := range r.Preview.Items {
			item := &r.Preview.Items[i]
			if len(item.Refused) > 0 != refusals {
				continue
			}
			if shown >= maxPreviews && !t.verbose {
				left++
				continue
			}
			shown++
			what := sentences.Title(item.Resource)
			if at := sentences.Place(item.File, item.Line); at != "" {
				what += "  " + at
			}
			t.Line(t.Strong.Of("  " + what))
			t.block(6, nil, strings.Join(sentences.Outcome(item), "; "), t.Plain)
			for _, price := range sentences.Prices(item.Refused, item.Warned) {
				t.block(6, nil, price, t.Subdued)
			}
		}
	}
	if left > 0 {
		t.Line(t.Subdued.Of(fmt.Sprintf("  and %d more; --verbose shows them", left)))
	}
	t.Line()
}

// stale prints the entries of a baseline that no longer apply.
func (t *table) stale(r *report.Report) {
	if len(r.Stale) == 0 {
		return
	}
	t.Line(t.Heading.Of("No longer in need of the baseline"))
	for i := range r.Stale {
		s := &r.Stale[i]
		t.Line(t.Plain.Of("  "+sentences.Place(s.File, s.Line)+"  "), t.Strong.Of(sentences.StaleEntry(s)))
	}
	t.Line()
}
