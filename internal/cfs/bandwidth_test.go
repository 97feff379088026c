package cfs

import (
	"math"
	"strings"
	"testing"
	"time"
)

// T1.
func TestForLimit(t *testing.T) {
	for _, c := range []struct {
		millicores    int64
		period, quota time.Duration
	}{
		{500, 100 * ms, 50 * ms},
		{2000, 100 * ms, 200 * ms},
		{4000, 100 * ms, 400 * ms},
		{2000, 10 * ms, 20 * ms},
		{1, 100 * ms, ms}, // the kubelet's least
		{333, 10 * ms, 3330 * us},
		{0, 100 * ms, 0},
		{-5, 100 * ms, 0},
		{math.MaxInt64, time.Second, math.MaxInt64},
		{math.MaxInt64, 1000, math.MaxInt64},
		{1000, -ms, ms},
	} {
		want(t, "quota", ForLimit(c.millicores, c.period), Bandwidth{Quota: c.quota, Period: c.period})
	}
}

func TestRefused(t *testing.T) {
	one := []Load{{Name: "a", Threads: 1, Work: ms}}
	many := make([]Load, MaxLoads+1)
	for _, c := range []struct {
		name       string
		b          Bandwidth
		processors int
		loads      []Load
		says       string
	}{
		{"quota", Bandwidth{Quota: us, Period: 100 * ms}, 1, one, "a quota of 1µs is less than the 1ms that the kernel takes"},
		{"negative", Bandwidth{Quota: -ms, Period: 100 * ms}, 1, one, "less than the 1ms"},
		{"huge quota", Bandwidth{Quota: math.MaxInt64, Period: 100 * ms}, 1, one, "are computed"},
		{"no period", Bandwidth{Quota: ms, Period: 0}, 1, one, "a period of 0s is not between 1ms and 1s"},
		{"long period", Bandwidth{Quota: ms, Period: 2 * time.Second}, 1, one, "a period of 2s is not between"},
		{"burst", Bandwidth{Quota: 100 * ms, Period: 100 * ms, Burst: 100*ms + 1}, 1, one, "a burst of 100.000001ms is not between 0"},
		{"less than no burst", Bandwidth{Quota: 100 * ms, Period: 100 * ms, Burst: -1}, 1, one, "a burst of -1ns"},
		{"no processor", Bandwidth{}, 0, one, "0 processors"},
		{"processors", Bandwidth{}, MaxProcessors + 1, one, "8193 processors"},
		{"loads", Bandwidth{}, 1, many, "4097 loads"},
		{"threads", Bandwidth{}, 1, []Load{{Name: "a", Threads: -1}}, `load "a": -1 threads`},
		{"many threads", Bandwidth{}, 1, []Load{{Threads: MaxThreads + 1}}, "8193 threads"},
		{"work", Bandwidth{}, 1, []Load{{Threads: 1, Work: -1}}, "work of -1ns"},
		{"start", Bandwidth{}, 1, []Load{{Threads: 1, Start: -1}}, "a start at -1ns"},
		{"late", Bandwidth{}, 1, []Load{{Threads: 1, Start: math.MaxInt64}}, "is not between 0 and 24h"},
		{"all work", Bandwidth{}, 1, []Load{{Threads: 6000, Work: MaxTime}}, "of work together"},
		{"endless", ForLimit(1, ms), 1, []Load{{Threads: MaxThreads, Work: time.Hour}}, "as many periods as are computed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Run(c.b, c.processors, c.loads); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

// What is refused before it runs would be refused by its steps: the estimate is never over them.
func TestAtLeast(t *testing.T) {
	for _, limit := range []int64{5, 500, 2000, 9000} {
		for _, processors := range []int{1, 3, 64} {
			loads := []Load{
				{Name: "a", Threads: 8, Work: 70 * ms},
				{Name: "b", Start: 90 * ms, Threads: 3, Work: 333 * ms},
			}
			b := ForLimit(limit, 20*ms)
			result, err := Run(b, processors, loads)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := check(b, processors, loads); err != nil || n > len(result.Segments) || n < 1 {
				t.Errorf("limit %dm on %d: at least %d steps, and it takes %d", limit, processors, n, len(result.Segments))
			}
		}
	}
	if n, err := check(Bandwidth{}, 1, []Load{{Threads: 1, Work: MaxTime}}); err != nil || n != 0 {
		t.Errorf("%d periods without a limit, %v", n, err)
	}
}
