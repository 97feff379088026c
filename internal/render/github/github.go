// Package github writes a report as workflow commands of GitHub Actions.
package github

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// GitHub's workflow commands end at the line, and their properties at a comma
// or a colon; it decodes these and nothing else.
var (
	escapeMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

var levels = map[string]string{
	engine.SeverityError: "error", engine.SeverityWarning: "warning", engine.SeverityInfo: "notice",
}

// Write prints annotations for a pull request, and the summary for the log.
// The most severe come first: GitHub shows ten of a kind per step. Left out is what follows from
// another finding, and what is not shown.
func Write(w *bytes.Buffer, r *report.Report) error {
	for _, p := range r.Problems {
		command(w, "error", p.File, p.Line, "headroom could not read this", terminal.Printable(p.Message))
	}
	var led []*engine.Finding
	leads := report.Leads(r)
	for i := range r.Findings {
		if leads(&r.Findings[i]) {
			led = append(led, &r.Findings[i])
		}
	}
	slices.SortStableFunc(led, report.Worse)
	var printed sentences.Printed
	for _, f := range led {
		printed.Add(f, r.Changed.Mark(f).New)
		command(w, cmp.Or(levels[f.Severity], "notice"), f.File, f.Line, heading(f), sentences.Verdict(f))
	}
	for i := range r.Stale {
		s := &r.Stale[i]
		command(w, "notice", s.File, s.Line, "headroom: no longer in need of the baseline", sentences.StaleEntry(s))
	}
	if r.Preview != nil {
		command(w, "notice", "", 0, "headroom preview", sentences.Preview(r))
	}
	for _, line := range sentences.AsidesOf(r, printed) {
		fmt.Fprintf(w, "headroom: %s\n", line)
	}
	fmt.Fprintf(w, "headroom: %s\n", sentences.SummaryOf(r, printed))
	return nil
}

// heading is "HR202 latency-cpu-limit: Deployment shop/api, app".
func heading(f *engine.Finding) string {
	s := strings.TrimSpace(terminal.Printable(f.Rule+" "+f.Slug)) + ": " + sentences.Title(f.Resource)
	if f.Container != "" {
		s += ", " + terminal.Printable(f.Container)
	}
	return s
}

func command(w *bytes.Buffer, level, file string, line int, title, message string) {
	var properties []string
	property := func(name, value string) {
		properties = append(properties, name+"="+escapeProperty.Replace(value))
	}
	if file != "" {
		property("file", terminal.Printable(file))
		property("line", fmt.Sprint(max(line, 1)))
	}
	property("title", title)
	fmt.Fprintf(w, "::%s %s::%s\n", level, strings.Join(properties, ","), escapeMessage.Replace(message))
}
