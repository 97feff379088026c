//go:build system

package kernel_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/tests/harness/cgroup"
)

// hasBurst skips a test where the kernel cannot save quota for a burst.
func hasBurst(t *testing.T) {
	t.Helper()
	newGroup(t, cgroup.Limits{}).Close() // says what the machine refuses
	g, err := cgroup.New(cgroup.Limits{Quota: 100 * ms, Period: 100 * ms, Burst: 50 * ms})
	if errors.Is(err, os.ErrNotExist) && !*recording {
		t.Skip("this kernel has no cpu.max.burst (Linux has it from 5.14 on), so that no burst is compared with it")
	}
	if err != nil {
		t.Fatal(err)
	}
	g.Close()
}

// bursts are of works, with what a burst may use beside the quota: less than they need, and enough.
var bursts = []work{
	{1, 80 * ms, 50 * ms, 100 * ms, 20 * ms},
	{1, 80 * ms, 50 * ms, 100 * ms, 50 * ms},
	{2, 80 * ms, 100 * ms, 100 * ms, 30 * ms},
	{2, 80 * ms, 100 * ms, 100 * ms, 100 * ms},
	{2, 80 * ms, 50 * ms, 50 * ms, 50 * ms},
	{2, 80 * ms, 10 * ms, 10 * ms, 10 * ms},
	{8, 20 * ms, 100 * ms, 100 * ms, 100 * ms},
}

// Work after a rest under a quota and a burst takes as long, and is throttled in as many periods, as the
// period layer says (T17).
func TestBurst(t *testing.T) {
	hasBurst(t)
	for _, w := range bursts {
		t.Run(fmt.Sprintf("%d threads of %s, %s and %s in %s", w.threads, w.work, w.quota, w.burst, w.period), func(t *testing.T) {
			known(t, w)
		})
	}
}

// Threads that are always busy use what is saved for a burst once, and are throttled as without it.
func TestBusyBurst(t *testing.T) {
	hasBurst(t)
	n := time.Duration(runtime.NumCPU())
	w := work{int(n), 0, n * 50 * ms, 100 * ms, n * 50 * ms}
	l := start(t, cgroup.Limits{Quota: w.quota, Period: w.period, Burst: w.burst}, w.threads, 500*ms)
	for range 10 {
		took, counted := l.run(t)
		within(t, w, took, counted)
		t.Logf("%s, %+v", took, counted)
		if counted.Bursts <= 2 && counted.Burst <= w.burst+w.burst/2 && counted.Throttled >= 7 {
			return
		}
	}
	t.Error("no run used about one burst and was throttled in nearly all of its 9 periods")
}

// What the model refuses the kernel refuses: a burst of more than the quota.
func TestBurstOverTheQuota(t *testing.T) {
	hasBurst(t)
	limits := cgroup.Limits{Quota: 50 * ms, Period: 100 * ms, Burst: 51 * ms}
	if _, err := cgroup.New(limits); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("a burst of %s beside a quota of %s: %v", limits.Burst, limits.Quota, err)
	}
	b := cfs.Bandwidth{Quota: limits.Quota, Period: limits.Period, Burst: limits.Burst}
	if _, err := cfs.Run(b, 1, nil); err == nil {
		t.Error("the model takes it")
	}
}

// A quota that is written again, unchanged, gives a thread more than its limit: about as much as the pool layer
// says (T11).
func TestRewrite(t *testing.T) {
	const every = 25 * ms
	limits := cgroup.Limits{Quota: 20 * ms, Period: 200 * ms}
	l := start(t, limits, 1, 200*ms)
	machine := cfs.PaperMachine(limits.Period)
	machine.Quota, machine.Rewrite = limits.Quota, every
	model, err := cfs.SpreadOf(t.Context(), machine, 1, 10, cfs.PaperSeeds)
	if err != nil {
		t.Fatal(err)
	}
	var seen []float64
	for range 10 {
		done, stopped := make(chan struct{}), make(chan error)
		go func() {
			ticker := time.NewTicker(every)
			defer ticker.Stop()
			var failed error
			for {
				select {
				case <-done:
					stopped <- failed
					return
				case <-ticker.C:
					failed = errors.Join(failed, l.group.Rewrite(limits))
				}
			}
		}()
		took, counted := l.run(t)
		close(done)
		if err := <-stopped; err != nil {
			t.Fatal(err)
		}
		cores := float64(counted.Used) / float64(took)
		seen = append(seen, cores)
		if cores > 0.75*model.Cores && cores < 1.25*model.Cores {
			t.Logf("%.2f cores under a limit of 0.1, %.2f by the model", cores, model.Cores)
			return
		}
	}
	t.Errorf("%.2f cores used, and the model has %.2f", seen, model.Cores)
}
