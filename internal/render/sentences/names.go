package sentences

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Exemption says in one line who excused a finding, why and until when.
func Exemption(s *engine.Suppression) string {
	if s == nil {
		return ""
	}
	text := strings.TrimSpace(terminal.Printable(s.Reason))
	switch {
	case text == "" && s.Source == "baseline":
		return "known to the baseline"
	case text == "":
		text = "no reason given"
	}
	if s.Until != "" {
		text += ", until " + terminal.Printable(s.Until)
	}
	if s.Source != "" {
		text += " (" + terminal.Printable(s.Source) + ")"
	}
	return text
}

// StaleEntry names what an entry of a baseline is about.
func StaleEntry(s *report.Stale) string {
	subject := terminal.Printable(s.Rule) + " " + strings.TrimSpace(terminal.Printable(s.Kind)+" "+strings.TrimPrefix(
		terminal.Printable(s.Namespace)+"/"+terminal.Printable(s.Name), "/"))
	if s.Cluster != "" {
		subject += " in " + terminal.Printable(s.Cluster)
	}
	if s.Container != "" {
		subject += ", " + terminal.Printable(s.Container)
	}
	return subject
}

// Skipped names the object once, whether or not What already does.
func Skipped(s report.Skip) string {
	what := terminal.Printable(s.What)
	if s.Resource.Kind == "" || strings.Contains(what, Title(s.Resource)) {
		return what
	}
	return strings.TrimSuffix(Title(s.Resource)+": "+what, ": ")
}

// Title names an object as kubectl does: kind, namespace/name. Some, such as a
// KubeletConfiguration, have no name. Of several clusters it says in which one the object is.
func Title(r engine.Resource) string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	if r.Cluster != "" {
		name += " in " + r.Cluster
	}
	return strings.TrimSpace(terminal.Printable(r.Kind + " " + name))
}

// Place is file:line, as editors and terminals understand it.
func Place(file string, line int) string {
	if line < 1 {
		return terminal.Printable(file)
	}
	return fmt.Sprintf("%s:%d", terminal.Printable(file), line)
}

// Verdict is the verdict in running text, for formats with room for one string.
func Verdict(f *engine.Finding) string {
	message := strings.TrimSpace(terminal.Printable(f.Message))
	expected := strings.TrimRight(strings.TrimSpace(terminal.Printable(f.Expected)), ".")
	if expected == "" {
		return message
	}
	if !strings.HasSuffix(message, ".") {
		message += "."
	}
	message += " Wanted: " + expected + "."
	if price := terminal.Printable(f.Price); price != "" {
		message += " Price: " + price + "."
	}
	return strings.TrimSpace(message)
}

// Tally counts findings by severity: "3 errors, 1 info"; "" where there are none.
func Tally(findings []engine.Finding) string {
	var n report.Counts
	for i := range findings {
		n.Add(findings[i].Severity, 1)
	}
	return words.Severities(n.Errors, n.Warnings, n.Infos)
}
