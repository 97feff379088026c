package drawing

import (
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
)

// A drawing says what is saved, and begins each period with it.
func TestBurstDrawn(t *testing.T) {
	b := cfs.ForLimit(1000, 100*ms)
	b.Burst = 100 * ms
	loads := []cfs.Load{
		{Name: "a", Threads: 8, Work: 25 * ms},
		{Name: "b", Start: 110 * ms, Threads: 1, Work: 20 * ms},
		{Name: "c", Start: 430 * ms, Threads: 1, Work: ms},
	}
	run := timeline(t, "", b, 8, loads...)
	for n, level := range []time.Duration{200 * ms, 100 * ms, 180 * ms, 200 * ms, 200 * ms} {
		if got := run.quotaFrom(time.Duration(n) * 100 * ms); got != level {
			t.Errorf("period %d begins with %s, want %s", n, got, level)
		}
	}
	if got := run.quotaAt(0, 10*ms); got != 120*ms {
		t.Errorf("%s amid a burst", got)
	}
	for _, text := range []string{run.Text(100), string(run.SVG())} {
		for _, says := range []string{"up to 100 ms more saved for a burst", "1 period used more than the quota, by 100 ms"} {
			if !strings.Contains(text, says) {
				t.Errorf("does not say %q:\n%s", says, text)
			}
		}
	}
	run = timeline(t, "", b, 8, append([]cfs.Load{{Threads: 8, Work: 30 * ms}}, loads[1:]...)...)
	if text := run.Text(100); !strings.Contains(text, "the quota of 100 ms and what was saved for a burst are used up") {
		t.Error(text)
	}
}

// BenchmarkWorkload is one workload: what headroom explain asks for.
func BenchmarkWorkload(b *testing.B) {
	loads := []cfs.Load{
		{Name: "application", Threads: 8, Work: 18 * ms},
		{Name: "G1 young pause", Start: 18 * ms, Threads: 25, Work: 20 * ms},
	}
	bandwidth := cfs.ForLimit(2000, cfs.DefaultPeriod)
	for b.Loop() {
		r, err := cfs.Run(bandwidth, 32, loads)
		if err != nil {
			b.Fatal(err)
		}
		t := Timeline{Title: "benchmark", Bandwidth: bandwidth, Processors: 32, Loads: loads, Result: r}
		_, _ = t.Text(100), t.SVG()
	}
}
