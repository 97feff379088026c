package render

import (
	"bytes"
	"cmp"
	"path"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// gitlabIssue is one entry of a GitLab Code Quality report: the keys that GitLab reads
// (docs.gitlab.com, Code Quality, report format), of the Code Climate format. Others are
// ignored.
type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// GitLab has info, minor, major, critical and blocker.
var gitlabSeverities = map[string]string{
	engine.SeverityError: "critical", engine.SeverityWarning: "major", engine.SeverityInfo: "info",
}

// writeGitLab prints a Code Quality report. GitLab compares it with that of the target branch by
// fingerprint, and shows what is in files alone.
func writeGitLab(w *bytes.Buffer, r *Report) error {
	issues, prints := []gitlabIssue{}, fingerprints{}
	for i := range r.Problems {
		p := &r.Problems[i]
		problem := engine.Finding{Rule: notRead, Resource: engine.Resource{Name: p.File}}
		issues = append(issues, gitlabIssue{
			"could not be read: " + terminal.Printable(p.Message), notRead, prints.of(&problem), "blocker", gitlabPlace(p.File, p.Line),
		})
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		about := title(f.Resource)
		if f.Container != "" {
			about += ", " + terminal.Printable(f.Container)
		}
		issues = append(issues, gitlabIssue{
			terminal.Printable(f.Rule) + " " + about + ": " + sentence(f), terminal.Printable(strings.TrimSpace(f.Rule + " " + f.Slug)),
			prints.of(f), cmp.Or(gitlabSeverities[f.Severity], "info"), gitlabPlace(f.File, f.Line),
		})
	}
	return encode(w, issues)
}

// gitlabPlace names files as the repository does.
func gitlabPlace(file string, line int) gitlabLocation {
	if file == "" {
		file = "."
	}
	name := path.Clean(strings.ReplaceAll(valid(file), `\`, "/"))
	return gitlabLocation{name, gitlabLines{max(line, 1)}}
}
