//go:build system

package kernel_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/tests/harness/cgroup"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

const ms = time.Millisecond

// work is threads with a known amount of work each, under a quota.
type work struct {
	threads                    int
	work, quota, period, burst time.Duration
}

// works are T12's single worker, and a burst of two threads under one core with the period of the
// kernel and with shorter ones (T9), and more threads than processors.
var works = []work{
	{1, 80 * ms, 50 * ms, 100 * ms, 0},
	{2, 80 * ms, 100 * ms, 100 * ms, 0},
	{2, 80 * ms, 50 * ms, 50 * ms, 0},
	{2, 80 * ms, 20 * ms, 20 * ms, 0},
	{2, 80 * ms, 10 * ms, 10 * ms, 0},
	{8, 20 * ms, 100 * ms, 100 * ms, 0},
}

// Work under a quota takes as long as the period layer says, and is throttled in as many periods. It
// takes the nearest of some runs, since the machine does other things too.
func TestQuota(t *testing.T) {
	for _, w := range works {
		t.Run(fmt.Sprintf("%d threads of %s, %s in %s", w.threads, w.work, w.quota, w.period), func(t *testing.T) {
			known(t, w)
		})
	}
}

// known holds the model to work of a known size, and records it.
func known(t *testing.T, w work) {
	t.Helper()
	bandwidth := cfs.Bandwidth{Quota: w.quota, Period: w.period, Burst: w.burst}
	l := start(t, cgroup.Limits{Quota: w.quota, Period: w.period, Burst: w.burst}, w.threads, w.work)
	l.align(t)
	row := record.Quota{Threads: w.threads, WorkMS: inMS(w.work), CPU: bandwidthOf(w.quota, w.period)}
	row.BurstMS = inMS(w.burst)
	nearest := math.Inf(1)
	for i := range 25 {
		if !*recording && i >= 3 && nearest < 0.1 {
			break
		}
		if i%5 == 4 && nearest >= 0.1 {
			l.align(t) // where the machine was busy, the beginning of a period was seen too late
		}
		took, counted := l.run(t)
		row.Runs = append(row.Runs, runOf(took, counted))
		// Threads take some 3 % more CPU time than they are told to, which can cost a period more.
		each := counted.Used / time.Duration(w.threads)
		model, err := cfs.Run(bandwidth, runtime.NumCPU(), []cfs.Load{{Threads: w.threads, Work: each}})
		if err != nil {
			t.Fatal(err)
		}
		// Work that ends as the quota does is throttled once more, or is not; a burst begins as late.
		near := func(counted int64, model int) bool { return -1 <= counted-int64(model) && counted-int64(model) <= 1 }
		if near(counted.Throttled, model.Throttled) && near(counted.Bursts, model.Bursts) {
			nearest = min(nearest, math.Abs(float64(took)/float64(model.Finished[0])-1))
		}
		within(t, w, took, counted)
	}
	evidence.Quota = append(evidence.Quota, row)
	t.Logf("the nearest is %.1f %% off; %v", 100*nearest, row.Runs)
	if nearest > 0.1 {
		t.Errorf("no run took about as long, throttled as often, as the model has it: the nearest is %.0f %% off", 100*nearest)
	}
}

// within fails the test when more ran than the quota of the periods that the run touched.
// Processors may also hold a slice each, and what runs until the next tick (T10).
func within(t *testing.T, w work, took time.Duration, counted cgroup.Stat) {
	t.Helper()
	periods := took/w.period + 2
	held := time.Duration(runtime.NumCPU()) * (cfs.DefaultSlice + cfs.DefaultTick)
	if most := periods*w.quota + w.burst + held; counted.Used > most {
		t.Errorf("%s ran in %s, more than %s", counted.Used, took, most)
	}
}

// Threads that never sleep, one on each processor. Under as many cores as there are they never
// exceed the quota, and are throttled all the same (T10). Under half of it in every period.
func TestBusy(t *testing.T) {
	n := runtime.NumCPU()
	for _, w := range []work{
		{n, 0, time.Duration(n) * 100 * ms, 100 * ms, 0},
		{n, 0, time.Duration(n) * 50 * ms, 50 * ms, 0},
		{n, 0, time.Duration(n) * 10 * ms, 10 * ms, 0},
		{n, 0, time.Duration(n) * 50 * ms, 100 * ms, 0},
		{1, 0, 10 * ms, 10 * ms, 0},
	} {
		t.Run(fmt.Sprintf("%d threads, %s in %s", w.threads, w.quota, w.period), func(t *testing.T) {
			// As much as takes a second or, when it is recorded, ten.
			share := min(1, float64(w.quota)/float64(w.period)/float64(w.threads))
			l := start(t, cgroup.Limits{Quota: w.quota, Period: w.period}, w.threads,
				time.Duration(share*float64(runs(1, 10))*float64(time.Second)))
			row := record.Busy{Threads: w.threads, CPU: bandwidthOf(w.quota, w.period)}
			// Where the machine does other things the threads may not get to use the quota up: one run of
			// some has to.
			usedUp := share == 1
			for i := 0; i < runs(1, 2) || i < 10 && !usedUp; i++ {
				took, counted := l.run(t)
				row.Runs = append(row.Runs, runOf(took, counted))
				within(t, w, took, counted)
				if counted.Periods == 0 {
					t.Error("the kernel counted no period")
				}
				usedUp = usedUp || float64(counted.Throttled) >= 0.8*float64(counted.Periods)
			}
			if !usedUp {
				t.Errorf("never throttled in nearly all periods: %v", row.Runs)
			}
			evidence.Busy = append(evidence.Busy, row)
			t.Logf("%v", row.Runs)
		})
	}
}

// Without a quota the kernel counts no period.
func TestNoQuota(t *testing.T) {
	_, counted := start(t, cgroup.Limits{}, runtime.NumCPU(), 50*ms).run(t)
	if counted.Periods != 0 || counted.Throttled != 0 {
		t.Errorf("%+v", counted)
	}
}

func bandwidthOf(quota, period time.Duration) record.CPU {
	return record.CPU{QuotaMS: inMS(quota), PeriodMS: inMS(period)}
}

func runOf(took time.Duration, s cgroup.Stat) record.Run {
	return record.Run{
		TookMS: inMS(took), Periods: s.Periods, Throttled: s.Throttled,
		ThrottledMS: inMS(s.ThrottledTime), UsedMS: inMS(s.Used), Bursts: s.Bursts, BurstMS: inMS(s.Burst),
	}
}

// inMS is in milliseconds, to a hundredth.
func inMS(d time.Duration) float64 { return math.Round(float64(d)/1e4) / 100 }
