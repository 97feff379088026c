// Package html writes a report as one page that needs nothing beside it. Styles and scripts are in
// the folder page.
package html

import (
	"bytes"
	"embed"
	"html/template"
	"strings"
	"sync"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/webpage"
	"github.com/headroom-dev/headroom/policies/engine"
)

//go:embed page
var files embed.FS

// The scripts, in the order in which they run as one.
var pageScripts = []string{"dom.js", "bars.js", "card.js", "filter.js", "main.js"}

// Tables show so many rows before a reader asks for more.
const (
	sectionRows = 25
	staticRows  = 50
	problemRows = 1000
	openRows    = 20
	entryRows   = 200
)

type page struct {
	webpage.Head
	Headline, Version, Taken, Measured string

	Script  template.JS
	Data    pageData
	Total   report.Section
	Score   int
	Entries []entryRow
	More    []entryRow // the next, folded away
	Left    int        // entries beyond those
	Infos   []entryRow
	Quiet   int // infos in all
	Tiles   []tile
	Points  []string
	Columns []string
	Rows    []pageSection
	Rest    int // sections that the script shows
	ByRule  []ruleRow
	Worst   []worstRow
	Missing []report.Problem
	Unsaid  int // problems beyond those of Missing
	Stale   []report.Stale
	Section string // what sections are: Namespace or File
	Modes   bool   // sections have a mode
}

// tile is a number at the head of the page.
type tile struct{ Number, Label, State string }

// ruleRow is what was found by one rule.
type ruleRow struct {
	ID, Title, Link, Severity string
	Findings, Workloads       int
}

// worstRow stands in for the list of workloads where scripts do not run.
type worstRow struct {
	Name, Pains string
	Replicas    int
	Findings    []string
}

// pageTemplate is read when a page is first asked for: no other output has a use for it.
var pageTemplate = sync.OnceValues(func() (*template.Template, error) {
	return webpage.Template(files, template.FuncMap{
		"state": scoreState, "title": sentences.Title, "place": sentences.Place, "printable": terminal.Printable,
	})
})

// Write makes one page that needs nothing beside it: styles, script and data are within,
// and its policy forbids it to load anything.
func Write(w *bytes.Buffer, r *report.Report) error {
	templates, err := pageTemplate()
	if err != nil {
		return err
	}
	style, err := webpage.Style(files)
	if err != nil {
		return err
	}
	var script strings.Builder
	script.WriteString("'use strict';\n")
	for _, name := range pageScripts {
		text, err := files.ReadFile("page/" + name)
		if err != nil {
			return err
		}
		script.Write(text)
	}
	p := newPage(r)
	p.Style, p.Script = template.CSS(style), template.JS(script.String()) //nolint:gosec // our own files
	p.Policy = webpage.Policy([]string{style}, script.String())
	return templates.Execute(w, p)
}

func newPage(r *report.Report) *page {
	all, entries := report.Listed(r), report.Entries(r)
	total, list := report.Sections(r, all)
	p := &page{
		Head: webpage.Head{Title: pageTitle(r)}, Headline: headline(r, &total, entries), Version: terminal.Printable(r.Version),
		Total: total, Score: total.Score(), Points: points(r, &total), Section: "File", ByRule: byRule(r, all),
		Worst: worstRows(all), Stale: r.Stale, Missing: r.Problems[:min(len(r.Problems), problemRows)],
	}
	p.Entries, p.Left = entryRowsOf(r, entries)
	if len(p.Entries) > openRows {
		p.Entries, p.More = p.Entries[:openRows], p.Entries[openRows:]
	}
	p.Infos, p.Quiet = infoRows(r), r.Hidden().Infos
	p.Unsaid = len(r.Problems) - len(p.Missing)
	if c := r.Cluster; c != nil {
		p.Section, p.Modes, p.Measured = "Namespace", true, terminal.Printable(c.Measured)
		if !c.Taken.IsZero() {
			p.Taken = c.Taken.UTC().Format("2 January 2006, 15:04 UTC")
		}
	}
	p.Tiles = tiles(r, &total)
	p.Columns = sectionColumns(r)
	for _, s := range list {
		p.Rows = append(p.Rows, sectionRow(s, r))
	}
	p.Data = dataOf(r, all)
	if len(p.Rows) > sectionRows {
		p.Data.Sections, p.Rows = p.Rows[sectionRows:], p.Rows[:sectionRows]
	}
	p.Rest = len(p.Data.Sections)
	return p
}

func pageTitle(r *report.Report) string {
	switch {
	case r.Cluster == nil:
		return "headroom: manifests"
	case r.Cluster.Name == "":
		return "headroom audit"
	}
	return "headroom audit of " + terminal.Printable(r.Cluster.Name)
}

func dataOf(r *report.Report, all []*report.Group) pageData {
	t := &texts{[]string{""}, map[string]int{"": 0}}
	d := pageData{Audit: r.Cluster != nil, Infos: r.Shows(engine.SeverityInfo), Rules: map[string][]string{}, Workloads: []pageWorkload{}}
	previews := map[report.GroupKey][]*report.PreviewItem{}
	if r.Preview != nil {
		d.Mode = terminal.Printable(r.Preview.Mode)
		for i := range r.Preview.Items {
			item := &r.Preview.Items[i]
			key := report.GroupKey{File: item.File, Resource: item.Resource}
			previews[key] = append(previews[key], item)
		}
	}
	for i := range r.Rules {
		rule := &r.Rules[i]
		d.Rules[terminal.Printable(rule.ID)] = []string{terminal.Printable(rule.Slug), terminal.Printable(rule.Title), link(rule.HelpURI)}
	}
	for _, list := range [][]engine.Finding{r.Findings, r.Exempted} {
		for i := range list {
			if f := &list[i]; d.Rules[terminal.Printable(f.Rule)] == nil {
				d.Rules[terminal.Printable(f.Rule)] = []string{terminal.Printable(f.Slug), "", ""}
			}
		}
	}
	for _, g := range all {
		w := t.workload(g, previewOf(previews[report.GroupKey{File: g.File, Resource: g.Resource}], g.Line))
		if d.Audit { // a Namespace is in itself
			w.Namespace = t.of(report.SectionName(r, g.File, g.Resource))
		}
		d.Workloads = append(d.Workloads, w)
	}
	for i := range r.Exempted {
		f := &r.Exempted[i]
		x := t.finding(f)
		x.Object, x.Reason = t.of(sentences.Title(f.Resource)), t.of(sentences.Exemption(f.Suppressed))
		d.Exempted = append(d.Exempted, x)
	}
	for _, s := range r.Skipped {
		d.Skipped = append(d.Skipped, [2]int{t.of(sentences.Skipped(s)), t.of(s.Reason)})
	}
	d.Texts = t.list
	return d
}

// previewOf picks the item of an object, when one file holds the same name twice.
func previewOf(items []*report.PreviewItem, line int) *report.PreviewItem {
	for _, item := range items {
		if item.Line == line {
			return item
		}
	}
	if len(items) == 1 {
		return items[0]
	}
	return nil
}

// link lets only web pages be linked to.
func link(uri string) string {
	if strings.HasPrefix(uri, "https://") {
		return terminal.Printable(uri)
	}
	return ""
}
