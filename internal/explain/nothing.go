package explain

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/headroom-dev/headroom/internal/terminal"
)

// maxNamed bounds how many names a message lists.
const maxNamed = 5

// nothing says that what was asked for is not there, what is, and what was left out: it may be there.
func (r *runner) nothing() error {
	what, typed, known := "nothing to explain: no workload", "", []string(nil)
	switch {
	case r.options.Container != "" && len(r.containers) > 0:
		what, typed, known = "there is no container ", r.options.Container, r.containers
	case r.options.Workload != "":
		what, typed, known = "there is no workload ", r.options.Workload, r.workloads
	}
	what += typed
	if paths := r.options.Paths; len(paths) > 0 {
		what += " in " + strings.Join(paths[:min(len(paths), maxNamed)], ", ")
		if len(paths) > maxNamed {
			what += fmt.Sprintf(" and %d more", len(paths)-maxNamed)
		}
	}
	slices.Sort(known)
	known = slices.Compact(known)
	if best := nearest(typed, known, len(typed)/4+2); best != "" {
		what += "; did you mean " + best + "?"
	} else if len(known) > 0 {
		what += "; there is " + strings.Join(known[:min(len(known), maxNamed)], ", ")
		if len(known) > maxNamed {
			what += fmt.Sprintf(" and %d more", len(known)-maxNamed)
		}
	}
	for _, note := range r.report.Notes {
		what += "; " + note
	}
	return errors.New(terminal.Printable(what))
}

// nearest is the name of known that is less than distance letters from what was typed; "" without one. A kind in front
// of a name counts for nothing.
func nearest(typed string, known []string, distance int) string {
	best := ""
	_, name, found := strings.Cut(typed, "/")
	if !found {
		name = typed
	}
	for _, one := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(one[strings.Index(one, "/")+1:])); d < distance {
			best, distance = one, d
		}
	}
	return best
}
