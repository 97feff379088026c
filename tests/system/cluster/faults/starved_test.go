//go:build system

package faults

import (
	"sync"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/cgroup"
)

// F27: somebody gives the replicas a CPU limit of 50m, and 60 Pods a second are created. They answer what
// they can and turn the rest away; no call hangs, nothing wrong gets in where enforcement has the last
// word. No process is OOMKilled at 256Mi, and all is well once the limit is gone.
func TestF27FiftyMillicores(t *testing.T) {
	fault(t)
	const memory = 256 << 20
	period := 100 * time.Millisecond
	free, err := cgroup.New(cgroup.Limits{})
	if err != nil {
		t.Skipf("this machine lets us make no CPU cgroup, so that nothing is starved: %v", err)
	}
	bare := cluster.Namespace(t, "headroom.dev/mode=off")
	l := startLoad(t, 60)
	t.Cleanup(free.Close)
	pids, groups := map[string]int{}, map[string]*cgroup.Group{}
	broken := window{from: time.Now()}
	for _, replica := range cluster.Replicas() {
		group, err := cgroup.New(cgroup.Limits{Quota: period / 20, Period: period, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(group.Close)
		pid := replica.Process.PID()
		if err := group.Adopt(pid); err != nil {
			t.Fatal(err)
		}
		pids[replica.Pod], groups[replica.Pod] = pid, group
	}
	// Beside the load, one burst of what no cache has seen.
	time.Sleep(5 * time.Second)
	client := quiet(t)
	var done sync.WaitGroup
	var without outcome // what the API server alone takes for such a Pod, meanwhile
	done.Go(func() { without = create(t.Context(), client, bare, expensive(20)) })
	with := make([]outcome, 20)
	for i := range with {
		done.Go(func() { with[i] = create(t.Context(), client, l.streams[1].namespace, expensive(i)) })
	}
	done.Wait()
	t.Logf("an expensive Pod that we do not judge: %s after %s", without.kind, without.took)
	if without.kind != admitted {
		t.Errorf("an expensive Pod that we do not judge: %v", without.err)
	}
	for _, o := range with {
		if o.kind != closed || o.took-without.took > hung {
			t.Errorf("an expensive Pod: %s after %s: %v", o.kind, o.took, o.err)
		}
	}
	time.Sleep(10 * time.Second)
	for _, replica := range cluster.Replicas() {
		group := groups[replica.Pod]
		stat, err := group.CPU()
		kills, err2 := group.Kills()
		held, err3 := group.Held()
		if err != nil || err2 != nil || err3 != nil {
			t.Fatal(err, err2, err3)
		}
		t.Logf("%s: throttled in %d of %d periods, %d MiB", replica.Pod, stat.Throttled, stat.Periods, held>>20)
		if stat.Throttled == 0 {
			t.Error("it was not throttled: this test shows nothing")
		}
		if pid := replica.Process.PID(); kills > 0 || pid != pids[replica.Pod] {
			t.Errorf("%s: %d OOMKilled, process %d, then %d", replica.Pod, kills, pids[replica.Pod], pid)
		}
		if err := free.Adopt(replica.Process.PID()); err != nil {
			t.Error(err)
		}
	}
	recovered(t)
	broken.to = healed(t, l.streams[1].namespace).Add(timeout)
	time.Sleep(beat + timeout)
	l.end(t, hung, broken)
}
