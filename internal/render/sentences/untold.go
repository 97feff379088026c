package sentences

import (
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Untold says once what would help where JVMs were measured from outside and tell nothing of themselves.
func Untold(containers int) []string {
	if containers == 0 {
		return nil
	}
	return []string{"no metrics of the JVM from " + words.Count(containers, "container") + ": what is live in the heap, metaspace, " +
		"threads and direct memory stay assumed; Micrometer, OpenTelemetry's Java agent or jmx_exporter would tell them"}
}

// TellsNothing says that Prometheus measured a container, and has nothing that the program in it tells.
func TellsNothing(m *engine.Measured) bool {
	return m != nil && strings.HasPrefix(m.Source, "Prometheus") && !m.Runtime.Known()
}

func untold(r *report.Report) int {
	n := 0
	for i := range r.Workloads {
		for j := range r.Workloads[i].Containers {
			c := &r.Workloads[i].Containers[j]
			if c.Detail != nil && c.Detail.Budget != nil && TellsNothing(c.Measured) {
				n++
			}
		}
	}
	return n
}
