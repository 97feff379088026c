package render

import (
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// exemption says in one line who excused a finding, why and until when.
func exemption(s *engine.Suppression) string {
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
