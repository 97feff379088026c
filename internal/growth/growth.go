// Package growth tells whether a finding is worse than it was.
package growth

import (
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Tolerance is how much a size may grow before that is worth telling.
const Tolerance = 0.05

// begin is how the message of such a finding begins.
const begin = "Got worse: "

var severities = []string{engine.SeverityInfo, engine.SeverityWarning, engine.SeverityError}

// Louder says whether a finding is more severe than it was.
func Louder(f *engine.Finding, was string) bool {
	return slices.Index(severities, f.Severity) > slices.Index(severities, was)
}

// Larger says whether more is wrong than was. Nothing is known of a size that one of both lacks.
func Larger(f *engine.Finding, was *float64) bool {
	return f.Size != nil && was != nil && f.Size.Value > *was*(1+Tolerance)+1e-9
}

// Size is the amount of a finding; nil where it is not measured.
func Size(f *engine.Finding) *float64 {
	if f.Size == nil {
		return nil
	}
	return &f.Size.Value
}

// Tell begins the message of a finding with how much worse it is than it was, if it is:
// "Got worse: 75 → 90 % of the limit."
func Tell(f *engine.Finding, severity string, size *float64) {
	var parts []string
	if Louder(f, severity) {
		parts = append(parts, severity+" → "+f.Severity)
	}
	if Larger(f, size) {
		parts = append(parts, strings.TrimSpace(words.Plain(*size)+" → "+words.Plain(f.Size.Value)+" "+f.Size.Unit))
	}
	// What a baseline has told of is not told a second time of a change.
	if len(parts) > 0 && !strings.HasPrefix(f.Message, begin) {
		f.Message = begin + strings.Join(parts, ", ") + ". " + f.Message
	}
}
