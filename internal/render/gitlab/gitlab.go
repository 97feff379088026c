// Package gitlab writes a report as GitLab Code Quality.
package gitlab

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/json"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// issue is one entry of a GitLab Code Quality report: the keys that GitLab reads
// (docs.gitlab.com, Code Quality, report format), of the Code Climate format. Others are
// ignored.
type issue struct {
	Description string   `json:"description"`
	CheckName   string   `json:"check_name"`
	Fingerprint string   `json:"fingerprint"`
	Severity    string   `json:"severity"`
	Location    location `json:"location"`
}

type location struct {
	Path  string `json:"path"`
	Lines lines  `json:"lines"`
}

type lines struct {
	Begin int `json:"begin"`
}

// GitLab has info, minor, major, critical and blocker.
var severityNames = map[string]string{
	engine.SeverityError: "critical", engine.SeverityWarning: "major", engine.SeverityInfo: "info",
}

// Write prints a Code Quality report. GitLab compares it with that of the target branch by
// fingerprint, and shows what is in files alone. Left out is what follows from another finding, and
// what is not shown.
func Write(w *bytes.Buffer, r *report.Report) error {
	issues, prints := []issue{}, report.Fingerprints{}
	for i := range r.Problems {
		p := &r.Problems[i]
		problem := engine.Finding{Rule: report.NotRead, Resource: engine.Resource{Name: p.File}}
		issues = append(issues, issue{
			"could not be read: " + terminal.Printable(p.Message), report.NotRead, prints.Of(&problem), "blocker", placeOf(p.File, p.Line),
		})
	}
	leads := report.Leads(r)
	for i := range r.Findings {
		f := &r.Findings[i]
		print := prints.Of(f) // of those that are left out, too: other formats count them
		if !leads(f) {
			continue
		}
		about := sentences.Title(f.Resource)
		if f.Container != "" {
			about += ", " + terminal.Printable(f.Container)
		}
		issues = append(issues, issue{
			terminal.Printable(f.Rule) + " " + about + ": " + sentences.Verdict(f), terminal.Printable(strings.TrimSpace(f.Rule + " " + f.Slug)),
			print, cmp.Or(severityNames[f.Severity], "info"), placeOf(f.File, f.Line),
		})
	}
	return json.Encode(w, issues)
}

// placeOf names files as the repository does.
func placeOf(file string, line int) location {
	if file == "" {
		file = "."
	}
	name := path.Clean(strings.ReplaceAll(words.Valid(file), `\`, "/"))
	return location{name, lines{max(line, 1)}}
}
