package html

import (
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// entryRow is an entry as the page shows it.
type entryRow struct {
	ID, Slug, Link, Severity, Where, At, Also, Message, Wanted string

	With    string
	Fixable bool
	Count   int // containers
}

// alsoLimit is how much of the list of further containers is shown, in bytes.
const alsoLimit = 300

// entryRowsOf makes the rows of the worst entries, and counts the rest.
func entryRowsOf(r *report.Report, entries []*report.Entry) (rows []entryRow, left int) {
	links := map[string]string{}
	for i := range r.Rules {
		links[r.Rules[i].ID] = link(r.Rules[i].HelpURI)
	}
	for _, e := range entries[:min(len(entries), entryRows)] {
		rows = append(rows, entryRow{
			ID: terminal.Printable(e.Rule), Slug: terminal.Printable(e.Slug), Link: links[e.Rule],
			Severity: terminal.Printable(e.Severity), Where: sentences.Subject(e, &e.Finding),
			At:      sentences.Place(e.File, e.Line),
			Also:    sentences.Also(e, "", func(text string) bool { return len(text) <= alsoLimit }),
			Message: terminal.Printable(sentences.Message(e)), Wanted: sentences.Wanted(e),
			With: terminal.Printable(strings.Join(e.With, ", ")), Fixable: e.Fixable, Count: len(e.Places),
		})
	}
	return rows, len(entries) - len(rows)
}

// infoRows are the entries that other formats show only if infos are asked for.
func infoRows(r *report.Report) []entryRow {
	if r.Shows(engine.SeverityInfo) {
		return nil
	}
	all := *r
	all.Show = engine.SeverityInfo
	var infos []*report.Entry
	for _, e := range report.Entries(&all) {
		if report.SeverityRank(e.Severity) >= report.SeverityRank(engine.SeverityInfo) {
			infos = append(infos, e)
		}
	}
	rows, _ := entryRowsOf(r, infos)
	return rows
}
