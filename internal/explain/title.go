package explain

import (
	"cmp"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// class is what a container was taken for.
func class(e *engine.Explanation) string {
	if e.Class == "" {
		return "unclassified"
	}
	return terminal.Printable(e.Class)
}

// tally counts findings by severity: "3 errors, 1 info".
func tally(findings []engine.Finding) string {
	count := map[string]int{}
	for i := range findings {
		count[findings[i].Severity]++
	}
	return cmp.Or(words.Severities(count[engine.SeverityError], count[engine.SeverityWarning], count[engine.SeverityInfo]),
		"no findings")
}
