package explain

import (
	"cmp"

	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
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
	return cmp.Or(sentences.Tally(findings), "no findings")
}
