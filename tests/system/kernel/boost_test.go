//go:build system

package kernel_test

import (
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
)

// counted is what a JVM says of itself.
type counted struct {
	Processors, Common int
	Collector          string
	Threads            int
}

// counts starts a JVM under a quota of so many cores and asks what it counts; then it gives it the next quota and asks
// again.
func counts(t *testing.T, java string, flags []string, cores ...int) []counted {
	t.Helper()
	const period = 100 * ms
	// Without a memory limit, and with a quota of all processors, 25 and later take themselves for outside of a container
	// and never look again. The limit is one of the server class (J5).
	g := newGroup(t, cgroup.Limits{Quota: time.Duration(cores[0]) * period, Period: period, Memory: 2 << 30})
	j := startClass(t, g, java, append([]string{"-Xmx64m", "-XX:-UseDynamicNumberOfGCThreads"}, flags...), "Counts", "")
	var all []counted
	for i, n := range cores {
		if i > 0 {
			if err := g.Resize(time.Duration(n)*period, period); err != nil {
				t.Fatal(err)
			}
			time.Sleep(period) // a JVM looks again after 20 ms
			if _, err := io.WriteString(j.in, "\n"); err != nil {
				t.Fatal(err)
			}
		}
		var c counted
		if !j.out.Scan() {
			t.Fatalf("%s ended: %v", java, j.out.Err())
		}
		if _, err := fmt.Sscanf(j.out.Text(), "processors=%d common=%d collector=%s threads=%d",
			&c.Processors, &c.Common, &c.Collector, &c.Threads); err != nil {
			t.Fatalf("%q: %v", j.out.Text(), err)
		}
		all = append(all, c)
	}
	if code := j.end(t); code != 0 {
		t.Errorf("exit code %d", code)
	}
	return all
}

// J12: a JVM that starts under a boost picks its collector, and sizes its pools, by the boosted quota. When the boost is
// taken back, it counts fewer processors and keeps collector and pools. -XX:ActiveProcessorCount gives it from the start
// what the steady quota would.
func TestBoostTakenBack(t *testing.T) {
	if runtime.NumCPU() < 2 {
		t.Skip("a boost needs a second processor, and this machine has one")
	}
	for _, jdk := range releases(t) {
		t.Run(jdk.Build, func(t *testing.T) {
			boosted := counts(t, jdk.Java, nil, 2, 1)
			steady := counts(t, jdk.Java, nil, 1)[0]
			fixed := counts(t, jdk.Java, []string{"-XX:ActiveProcessorCount=1"}, 2, 1)
			raised := counts(t, jdk.Java, nil, 1, 2)
			t.Logf("boosted %+v, steady %+v, fixed %+v, raised %+v", boosted, steady, fixed, raised)
			if boosted[0].Processors != 2 || boosted[1].Processors != 1 {
				t.Errorf("it counts %d processors under the boost, and %d after it", boosted[0].Processors, boosted[1].Processors)
			}
			kept := boosted[0]
			kept.Processors = boosted[1].Processors
			if kept != boosted[1] {
				t.Errorf("%+v became %+v", boosted[0], boosted[1])
			}
			if fixed[0] != steady || fixed[1] != steady {
				t.Errorf("with ActiveProcessorCount=1 %+v, and under the steady quota %+v", fixed, steady)
			}
			if kept.Collector == steady.Collector && kept.Threads == steady.Threads && kept.Common == steady.Common {
				t.Errorf("nothing follows from the boost: %+v", kept)
			}
			if raised[0].Processors != 1 || raised[1].Processors != 2 || raised[1].Threads != raised[0].Threads {
				t.Errorf("a raised quota: %+v", raised)
			}
		})
	}
}
