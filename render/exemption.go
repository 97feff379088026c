package render

import (
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// exemption says in one line who excused a finding, why and until when.
func exemption(s *engine.Suppression) string {
	if s == nil {
		return ""
	}
	text := strings.TrimSpace(printable(s.Reason))
	switch {
	case text == "" && s.Source == "baseline":
		return "known to the baseline"
	case text == "":
		text = "no reason given"
	}
	if s.Until != "" {
		text += ", until " + printable(s.Until)
	}
	if s.Source != "" {
		text += " (" + printable(s.Source) + ")"
	}
	return text
}
