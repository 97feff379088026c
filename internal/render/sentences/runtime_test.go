package sentences

import (
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

func TestWhatARuntimeTells(t *testing.T) {
	const mi = 1 << 20
	whole := engine.Runtime{
		Exporter: "Micrometer", HeapMax: 1024 * mi, Live: 300 * mi, Metaspace: 90 * mi, CodeCache: 40 * mi, Direct: 32 * mi,
		Threads: 77, Processors: 64, GCShare: 0.012,
	}
	for _, test := range []struct {
		runtime engine.Runtime
		want    string
	}{
		{whole, "a heap with 300 of 1024 MiB live, collections in at most 1.2 % of ten minutes, metaspace 90 MiB, " +
			"code cache 40 MiB, direct 32 MiB, 77 threads, 64 processors counted"},
		{engine.Runtime{Exporter: "client_golang", Processors: 8}, "8 processors counted"},
		{whole.Without("it tells of several JVMs"), "not used: it tells of several JVMs"},
	} {
		lines := Measured(&report.Container{Measured: &engine.Measured{Source: "Prometheus", Runtime: test.runtime, OOMKills: -1, Restarts: -1}})
		if got := lines[len(lines)-1]; got != [2]string{"told by " + test.runtime.Exporter, test.want} {
			t.Errorf("%q", got)
		}
	}
}
