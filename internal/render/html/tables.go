package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
)

// scoreState is good, fair or poor.
func scoreState(score int) string {
	switch {
	case score < 0:
		return "none"
	case score >= 90:
		return "good"
	case score >= 60:
		return "fair"
	}
	return "poor"
}

func tiles(r *report.Report, s *report.Section) []tile {
	state := func(n int, bad string) string {
		if n == 0 {
			return "good"
		}
		return bad
	}
	replicas := 0
	for i := range r.Workloads {
		replicas += r.Workloads[i].Replicas
	}
	label := words.Choose(s.Workloads, "workload", "workloads")
	if replicas > 0 {
		label += fmt.Sprintf(", %s", words.Count(replicas, "replica"))
	}
	list := []tile{
		{strconv.Itoa(s.Workloads), label, ""},
		{strconv.Itoa(s.Errors), words.Choose(s.Errors, "error", "errors"), state(s.Errors, "poor")},
		{strconv.Itoa(s.Warnings), words.Choose(s.Warnings, "warning", "warnings"), state(s.Warnings, "fair")},
	}
	if measured(r) {
		list = append(list,
			tile{strconv.Itoa(s.Kills), "OOM kills" + window(r), state(s.Kills, "poor")},
			tile{words.Plain(s.Throttled), "cores throttled", state(s.Hurt.Throttled, "fair")})
	}
	return list
}

// measured tells whether there is anything to say of use.
func measured(r *report.Report) bool { return r.Cluster != nil && r.Cluster.Measured != "" }

// sectionColumns are the heads of the numbers in the table of sections.
func sectionColumns(r *report.Report) []string {
	list := []string{"Workloads", "Containers", "Errors", "Warnings"}
	if measured(r) {
		list = append(list, "OOM kills", "Cores throttled")
	}
	if r.Preview != nil {
		list = append(list, "Would be refused", "Would be changed")
	}
	return list
}

func sectionRow(s *report.Section, r *report.Report) pageSection {
	cells := []string{
		strconv.Itoa(s.Workloads), strconv.Itoa(s.Containers), strconv.Itoa(s.Errors), strconv.Itoa(s.Warnings),
	}
	if measured(r) {
		cells = append(cells, strconv.Itoa(s.Kills), words.Plain(s.Throttled))
	}
	if r.Preview != nil {
		cells = append(cells, strconv.Itoa(s.Refused), strconv.Itoa(s.Changed))
	}
	row := pageSection{Name: terminal.Printable(s.Name), Score: s.Score(), Cells: cells}
	if s.Namespace != nil {
		row.Mode, row.Beside = s.Namespace.Labels(), s.Namespace.Beside()
	}
	return row
}

// byRule counts findings by rule, most severe and most frequent first.
func byRule(r *report.Report, all []*report.Group) []ruleRow {
	meta := map[string]*report.Rule{}
	for i := range r.Rules {
		meta[r.Rules[i].ID] = &r.Rules[i]
	}
	index := map[string]*ruleRow{}
	var list []*ruleRow
	for _, g := range all {
		seen := map[string]bool{}
		for i := range g.Items {
			f := &g.Items[i]
			row := index[f.Rule]
			if row == nil {
				row = &ruleRow{ID: terminal.Printable(f.Rule), Title: terminal.Printable(f.Slug), Severity: f.Severity}
				if m := meta[f.Rule]; m != nil {
					row.Title, row.Link = cmp.Or(terminal.Printable(m.Title), row.Title), link(m.HelpURI)
				}
				index[f.Rule], list = row, append(list, row)
			}
			if report.SeverityRank(f.Severity) < report.SeverityRank(row.Severity) {
				row.Severity = f.Severity
			}
			row.Findings += len(f.Spots)
			if !seen[f.Rule] {
				seen[f.Rule] = true
				row.Workloads++
			}
		}
	}
	slices.SortFunc(list, func(a, b *ruleRow) int {
		return cmp.Or(
			cmp.Compare(report.SeverityRank(a.Severity), report.SeverityRank(b.Severity)),
			cmp.Compare(b.Workloads, a.Workloads), cmp.Compare(a.ID, b.ID),
		)
	})
	rows := make([]ruleRow, 0, len(list))
	for _, row := range list {
		rows = append(rows, *row)
	}
	return rows
}

func worstRows(all []*report.Group) []worstRow {
	var rows []worstRow
	for _, g := range all[:min(len(all), staticRows)] {
		row := worstRow{Name: sentences.Title(g.Resource), Pains: strings.Join(sentences.Pains(g.Harm()), ", "), Replicas: g.Replicas}
		if g.File != "" {
			row.Name += " (" + sentences.Place(g.File, g.Line) + ")"
		}
		for i := range g.Items {
			f := &g.Items[i]
			row.Findings = append(row.Findings, strings.TrimSpace(f.Severity+" "+f.Rule+" "+sentences.Verdict(&f.Finding)))
		}
		rows = append(rows, row)
	}
	return rows
}
