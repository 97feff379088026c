package explain

import (
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// title names an object as kubectl does: kind, namespace/name.
func title(r engine.Resource) string {
	name := r.Name
	if r.Namespace != "" {
		name = r.Namespace + "/" + name
	}
	return strings.TrimSpace(terminal.Printable(r.Kind + " " + name))
}

// class is what a container was taken for.
func class(e *engine.Explanation) string {
	if e.Class == "" {
		return "unclassified"
	}
	return terminal.Printable(e.Class)
}

// tally counts findings by severity: "3 errors, 1 info".
func tally(findings []engine.Finding) string {
	var parts []string
	for _, severity := range []string{engine.SeverityError, engine.SeverityWarning, engine.SeverityInfo} {
		n := 0
		for i := range findings {
			if findings[i].Severity == severity {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, count(n, severity))
		}
	}
	if len(parts) == 0 {
		return "nothing to put right"
	}
	return strings.Join(parts, ", ")
}
