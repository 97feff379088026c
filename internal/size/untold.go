package size

import (
	"slices"

	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/policies/engine"
)

// untold counts the JVMs of a workload that tell nothing of themselves.
func untold(sizing engine.Sizing, measured map[string]engine.Measured) int {
	n := 0
	for i := range sizing.Containers {
		m, ok := measured[sizing.Containers[i].Container]
		if ok && sizing.Containers[i].Runtime == "jvm" && sentences.TellsNothing(&m) {
			n++
		}
	}
	return n
}

// asides are the lines that stand before the total.
func (r *Report) asides() []string {
	n := 0
	for i := range r.Workloads {
		n += r.Workloads[i].Untold
	}
	return slices.Concat(sentences.NotRead(r.NotRead), sentences.Untold(n))
}
