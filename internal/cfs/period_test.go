package cfs

import (
	"testing"
	"time"
)

// T3, and what its text leaves open: the collection ends in the fourth period.
func TestGCBurst(t *testing.T) {
	r := mustRun(t, ForLimit(2000, DefaultPeriod), 32,
		Load{Name: "application", Threads: 8, Work: 18 * ms},
		Load{Name: "G1 young pause", Start: 18 * ms, Threads: 25, Work: 20 * ms})
	want(t, "first freeze", firstFreeze(r).From, 20240*us)
	want(t, "its end", firstFreeze(r).To, 100*ms)
	want(t, "application", r.Finished[0], 18*ms)
	want(t, "collection", r.Finished[1], 301760*us)
	want(t, "application frozen", r.Stalled[0], time.Duration(0))
	want(t, "collection frozen", r.Stalled[1], 263760*us)
	want(t, "frozen", r.Frozen, 263760*us)
	want(t, "longest", r.Longest, 92*ms)
	want(t, "used", r.Used, 644*ms)
	want(t, "periods", r.Periods, 4)
	want(t, "throttled", r.Throttled, 3)
	want(t, "spare", r.Spare, time.Duration(0))
	want(t, "end", r.End(), r.Finished[1])
}

func firstFreeze(r Result) Segment {
	for _, s := range r.Segments {
		if s.Frozen {
			return s
		}
	}
	return Segment{}
}

// T8: as many threads as suit the limit, and what a higher one leaves.
func TestSpare(t *testing.T) {
	loads := []Load{
		{Name: "application", Threads: 8, Work: 10 * ms},
		{Name: "gc", Start: 10 * ms, Threads: 4, Work: 28 * ms},
	}
	for limit, spare := range map[int64]time.Duration{2000: 8 * ms, 4000: 208 * ms} {
		r := mustRun(t, ForLimit(limit, DefaultPeriod), 32, loads...)
		want(t, "spare", r.Spare, spare)
		want(t, "throttled", r.Throttled, 0)
		want(t, "used", r.Used, 192*ms)
		want(t, "done", r.End(), 38*ms)
	}
}

// T9, in its direction: the shorter the period, the shorter the longest freeze, and what a request
// waits for. And what T9 does not say: the collection itself takes longer.
func TestShorterPeriods(t *testing.T) {
	var loads []Load
	for n := range 100 {
		loads = append(loads, Load{Name: "request", Start: time.Duration(n) * 23 * ms, Threads: 1, Work: 4 * ms})
	}
	gc := len(loads)
	loads = append(loads, Load{Name: "gc", Start: 10 * ms, Threads: 8, Work: 40 * ms})
	var longest, slowest, collection []time.Duration
	for _, period := range []time.Duration{100 * ms, 50 * ms, 20 * ms, 10 * ms, 5 * ms} {
		r := mustRun(t, ForLimit(2000, period), 32, loads...)
		wait := time.Duration(0)
		for n := range gc {
			wait = max(wait, r.Finished[n]-loads[n].Start)
		}
		longest, slowest, collection = append(longest, r.Longest), append(slowest, wait), append(collection, r.Finished[gc])
	}
	for n := 1; n < len(longest); n++ {
		if longest[n] >= longest[n-1] {
			t.Errorf("longest freezes do not get shorter: %v", longest)
		}
	}
	if slowest[0] < slowest[4]*5/2 || slowest[1] < slowest[4]*3/2 {
		t.Errorf("requests wait as long as before: %v", slowest)
	}
	if collection[4] <= collection[0] {
		t.Errorf("the collection takes no longer: %v", collection)
	}
}

// T12.
func TestWorkers(t *testing.T) {
	for _, c := range []struct {
		name   string
		limit  int64
		load   Load
		done   time.Duration
		frozen time.Duration // from when
	}{
		{"80 ms under 50", 500, Load{Threads: 1, Work: 80 * ms}, 130 * ms, 50 * ms},
		{"8 on 1", 1000, Load{Threads: 8, Work: 100 * ms}, 712500 * us, 12500 * us},
		{"2 of 200 on 1", 1000, Load{Threads: 2, Work: 200 * ms}, 350 * ms, 50 * ms},
		{"200 under 50", 500, Load{Threads: 1, Work: 200 * ms}, 350 * ms, 50 * ms},
		{"8 of 1 core on 8", 8000, Load{Threads: 8, Work: 100 * ms}, 100 * ms, 0},
		{"8 of 1 core on 6.4", 6400, Load{Threads: 8, Work: 100 * ms}, 120 * ms, 80 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustRun(t, ForLimit(c.limit, DefaultPeriod), 16, c.load)
			want(t, "done", r.Finished[0], c.done)
			want(t, "frozen", firstFreeze(r).From, c.frozen)
		})
	}
}

// More threads than processors share them, exactly: a third of a nanosecond is carried.
func TestShared(t *testing.T) {
	r := mustRun(t, Bandwidth{}, 2, Load{Threads: 3, Work: 100 * ms})
	want(t, "three on two", r.Finished[0], 150*ms)
	r = mustRun(t, Bandwidth{}, 1, Load{Threads: 3, Work: 1}, Load{Threads: 4, Work: 1})
	want(t, "first", r.Finished[0], time.Duration(7))
	want(t, "second", r.Finished[1], time.Duration(7))
	// 10 ms of quota is used up by 3 threads after 3.33… ms, 15 times and a half.
	r = mustRun(t, ForLimit(1000, 10*ms), 3, Load{Threads: 3, Work: 155 * ms / 3})
	want(t, "thirds", r.Used, 155*ms-2) // what 3 does not divide
	want(t, "frozen", r.Frozen, 100*ms)
	r = mustRun(t, ForLimit(1000, 10*ms), 2, Load{Threads: 2, Work: 20 * ms}, Load{Threads: 1, Work: 10 * ms})
	want(t, "used", r.Used, 50*ms)
	want(t, "the short one", r.Finished[1], 25*ms)
	want(t, "the long one", r.Finished[0], 45*ms)
}

// A thread that ends with the period, or a quota that is used up with it, freezes no thread.
func TestEdges(t *testing.T) {
	r := mustRun(t, ForLimit(1000, 100*ms), 4, Load{Threads: 1, Work: 250 * ms})
	want(t, "one thread on one core is throttled in", r.Throttled, 0)
	want(t, "and done after", r.Finished[0], 250*ms)
	r = mustRun(t, ForLimit(1000, 100*ms), 4, Load{Threads: 2, Work: 50 * ms})
	want(t, "work that is the quota is throttled in", r.Throttled, 0)
	want(t, "spare", r.Spare, time.Duration(0))
	r = mustRun(t, ForLimit(1000, 100*ms), 4, Load{Threads: 2, Work: 50 * ms}, Load{Start: 70 * ms, Threads: 1, Work: ms})
	want(t, "what begins after it is frozen for", r.Stalled[1], 30*ms)
	want(t, "the frozen one is done after", r.Finished[1], 101*ms)
	want(t, "periods", r.Periods, 2)
	want(t, "throttled", r.Throttled, 1)
	r = mustRun(t, ForLimit(1000, 100*ms), 4,
		Load{Threads: 2, Work: 50 * ms}, Load{Start: 5 * time.Second, Threads: 4, Work: 10 * ms})
	want(t, "after a rest the quota is whole, done", r.Finished[1], 5010*ms)
	want(t, "periods that rest are counted", r.Periods, 2)
	r = mustRun(t, Bandwidth{}, 1)
	want(t, "nothing ends", r.End(), time.Duration(0))
	r = mustRun(t, ForLimit(1000, 100*ms), 1, Load{Start: 3 * ms, Threads: 0, Work: ms}, Load{Start: 4 * ms, Threads: 1})
	want(t, "no threads end", r.Finished[0], 3*ms)
	want(t, "no work ends", r.Finished[1], 4*ms)
	want(t, "periods", r.Periods, 0)
}

// BenchmarkLongest is near the bound of what is computed.
func BenchmarkLongest(b *testing.B) {
	load := Load{Threads: 7, Work: 30 * time.Second}
	for b.Loop() {
		if _, err := Run(ForLimit(1000, 5*ms), 3, []Load{load}); err != nil {
			b.Fatal(err)
		}
	}
}
