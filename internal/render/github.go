package render

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// GitHub's workflow commands end at the line, and their properties at a comma
// or a colon; it decodes these and nothing else.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

var githubLevels = map[string]string{
	engine.SeverityError: "error", engine.SeverityWarning: "warning", engine.SeverityInfo: "notice",
}

// writeGitHub prints annotations for a pull request, and the summary for the log.
// The most severe come first: GitHub shows ten of a kind per step.
func writeGitHub(w *bytes.Buffer, r *Report) error {
	for _, p := range r.Problems {
		command(w, "error", p.File, p.Line, "headroom could not read this", terminal.Printable(p.Message))
	}
	for rank := range len(severities) + 1 {
		for i := range r.Findings {
			f := &r.Findings[i]
			if severityRank(f.Severity) != rank {
				continue
			}
			level, ok := githubLevels[f.Severity]
			if !ok {
				level = "notice"
			}
			command(w, level, f.File, f.Line, heading(f), sentence(f))
		}
	}
	for i := range r.Stale {
		s := &r.Stale[i]
		command(w, "notice", s.File, s.Line, "headroom: no longer in need of the baseline", entry(s))
	}
	if r.Preview != nil {
		command(w, "notice", "", 0, "headroom preview", previewLine(r))
	}
	for _, line := range asides(r) {
		fmt.Fprintf(w, "headroom: %s\n", line)
	}
	fmt.Fprintf(w, "headroom: %s\n", summary(r))
	return nil
}

// heading is "HR202 latency-cpu-limit: Deployment shop/api, app".
func heading(f *engine.Finding) string {
	s := strings.TrimSpace(terminal.Printable(f.Rule+" "+f.Slug)) + ": " + title(f.Resource)
	if f.Container != "" {
		s += ", " + terminal.Printable(f.Container)
	}
	return s
}

func command(w *bytes.Buffer, level, file string, line int, title, message string) {
	var properties []string
	property := func(name, value string) {
		properties = append(properties, name+"="+githubProperty.Replace(value))
	}
	if file != "" {
		property("file", terminal.Printable(file))
		property("line", fmt.Sprint(max(line, 1)))
	}
	property("title", title)
	fmt.Fprintf(w, "::%s %s::%s\n", level, strings.Join(properties, ","), githubData.Replace(message))
}
