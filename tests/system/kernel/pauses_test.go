//go:build system

package kernel_test

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/jdks"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

// pauseLine is a pause in a JVM's log of the level -Xlog:gc.
var pauseLine = regexp.MustCompile(`Pause .* (\d+\.\d+)ms$`)

// A JVM that collects with 8, 2 and 1 threads, without a quota and under some. What it says of the
// number of threads is recorded and not tested: it depends on how many processors there are. What
// holds everywhere is tested: no quota, no throttling; and never more than the quota.
func TestPauses(t *testing.T) {
	found := releases(t)
	at := slices.IndexFunc(found, func(j jdks.JDK) bool { return j.Feature == 17 })
	if at < 0 {
		t.Fatal("no JDK 17; run tests/harness/jdks/install.sh")
	}
	bandwidths := []work{
		{period: 100 * ms},
		{quota: 100 * ms, period: 100 * ms},
	}
	if *recording {
		bandwidths = append(bandwidths, work{quota: 50 * ms, period: 100 * ms}, work{quota: 10 * ms, period: 10 * ms})
	}
	for _, b := range bandwidths {
		for _, threads := range []int{8, 2, 1} {
			t.Run(fmt.Sprintf("%s in %s, %d threads", b.quota, b.period, threads), func(t *testing.T) {
				p := paused(t, found[at], b, threads)
				evidence.Pauses = append(evidence.Pauses, p)
				t.Logf("%d of %d periods throttled, %.0f ms in all; %d pauses, mean %.1f ms, p99 %.1f, worst %.1f",
					p.Throttled, p.Periods, p.ThrottledMS, p.Pauses, p.MeanMS, p.P99MS, p.WorstMS)
				if p.Pauses == 0 {
					t.Error("it made no pause")
				}
				if b.quota == 0 && p.Throttled > 0 {
					t.Errorf("throttled in %d periods without a quota", p.Throttled)
				}
			})
		}
	}
}

func paused(t *testing.T, jdk jdks.JDK, b work, threads int) record.Pauses {
	t.Helper()
	limits := cgroup.Limits{Quota: b.quota, Period: b.period}
	if b.quota == 0 {
		limits.Period = 0
	}
	g := newGroup(t, limits)
	t.Cleanup(g.Close)
	j := startJVM(t, g, jdk.Java, []string{
		"-Xms1g", "-Xmx1g", "-Xmn96m", "-XX:+UseG1GC", "-Xlog:gc", fmt.Sprintf("-XX:ActiveProcessorCount=%d", threads),
		fmt.Sprintf("-XX:ParallelGCThreads=%d", threads), fmt.Sprintf("-XX:ConcGCThreads=%d", max(1, threads/2)),
	}, fmt.Sprintf("live=400 garbage=4 lives=40 pause=20 seconds=%d", runs(3, 12)))
	if !j.until("ready") {
		t.Fatalf("exit code %d: %v", j.end(t), j.said)
	}
	j.said = nil
	before, err := g.CPU()
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	_, _ = j.in.Write([]byte("\n"))
	if !j.until("done") {
		t.Fatalf("exit code %d: %v", j.end(t), j.said)
	}
	took := time.Since(begun)
	after, err := g.CPU()
	if err != nil {
		t.Fatal(err)
	}
	said := j.said
	j.end(t)
	counted := after.Less(before)
	if b.quota > 0 {
		within(t, b, took, counted)
	}
	p := record.Pauses{
		JDK: jdk.Build, GCThreads: threads, CPU: bandwidthOf(b.quota, b.period), Run: runOf(took, counted),
	}
	p.Pauses, p.MeanMS, p.P99MS, p.WorstMS = pausesOf(said)
	return p
}

// pausesOf reads a GC log: how many pauses, and their mean, 99th percentile and worst in ms.
func pausesOf(log []string) (n int, mean, p99, worst float64) {
	var all []float64
	sum := 0.0
	for _, line := range log {
		if m := pauseLine.FindStringSubmatch(line); m != nil {
			took, err := strconv.ParseFloat(m[1], 64)
			if err == nil {
				all, sum = append(all, took), sum+took
			}
		}
	}
	if len(all) == 0 {
		return 0, 0, 0, 0
	}
	slices.Sort(all)
	at := int(math.Ceil(0.99*float64(len(all)))) - 1
	return len(all), math.Round(100*sum/float64(len(all))) / 100, all[at], all[len(all)-1]
}

func TestPausesOf(t *testing.T) {
	n, mean, p99, worst := pausesOf([]string{
		"[0.1s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(64M) 10.500ms",
		"[0.1s][info][gc] GC(1) Concurrent Mark Cycle 20.500ms",
		"[0.1s][info][gc] GC(1) Pause Remark 24M->4M(64M) 0.500ms",
	})
	if n != 2 || mean != 5.5 || p99 != 10.5 || worst != 10.5 {
		t.Error(n, mean, p99, worst)
	}
	if n, _, _, _ := pausesOf(nil); n != 0 {
		t.Error(n)
	}
}
