package sentences

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// One line for all, of JVMs that Prometheus measured alone.
func TestUntold(t *testing.T) {
	jvm := &engine.Detail{Budget: &engine.Budget{}}
	outside := &engine.Measured{Source: "Prometheus"}
	tells := &engine.Measured{Source: "Prometheus", Runtime: engine.Runtime{Exporter: "Micrometer", Doubt: "two heaps"}}
	for _, test := range []struct {
		name       string
		containers []report.Container
		want       string
	}{
		{"two JVMs that tell nothing", []report.Container{{Detail: jvm, Measured: outside}, {Detail: jvm, Measured: outside}}, "from 2 containers: "},
		{"one in doubt, whose reason is said elsewhere", []report.Container{{Detail: jvm, Measured: tells}}, ""},
		{"no JVM", []report.Container{{Detail: &engine.Detail{}, Measured: outside}, {Measured: outside}}, ""},
		{"not measured", []report.Container{{Detail: jvm}}, ""},
		{"by an autoscaler", []report.Container{{Detail: jvm, Measured: &engine.Measured{Source: "VerticalPodAutoscaler"}}}, ""},
	} {
		lines := Asides(&report.Report{Workloads: []report.Workload{{Containers: test.containers}}})
		if got := strings.Join(lines, "\n"); (test.want == "") != (got == "") || !strings.Contains(got, test.want) || len(lines) > 1 {
			t.Errorf("%s: %q", test.name, lines)
		}
	}
}
