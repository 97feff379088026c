package measure

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
)

const sourcePrometheus = "Prometheus"

// total is what all Pods of a workload used in one of their containers.
type total struct {
	cpuSeconds, seconds                  float64 // of CPU time, and how long that took
	cpuMax, memoryMax                    float64
	grown, grownTo                       float64 // of the Pod that grew most; -1 if not asked for
	periods, throttled, throttledSeconds float64 // -1 if not counted
	throttledLong, waiting               float64 // likewise
	restarts, kills                      float64 // likewise
	newest                               float64 // seconds since 1970
	cpu, memory                          []span  // when there were samples
	runtime                              engine.Runtime
	told                                 []span // when there were samples of its runtime
}

// span is a time in which a Pod had samples, in seconds since 1970.
type span struct{ from, to float64 }

type place struct {
	key       cluster.Key
	container string
}

// fold puts the Pods of each workload together: the average is that of a Pod at any time, the
// peak that of the worst Pod, and counts are sums.
func (n *survey) fold(answers map[string]values, owners map[string]cluster.Key) Use {
	totals := map[place]*total{}
	each := func(name string, take func(t *total, of series, value float64)) {
		for of, value := range answers[name] {
			key, ok := owners[of.pod]
			if !ok || of.container == "" {
				continue
			}
			at := place{key, of.container}
			if totals[at] == nil {
				totals[at] = &total{periods: -1, throttled: -1, throttledSeconds: -1, throttledLong: -1, waiting: -1, restarts: -1, kills: -1, grown: -1, grownTo: -1}
			}
			take(totals[at], of, value)
		}
	}
	newest, step := answers["newest"], n.step.Seconds()
	seen := func(of series, count float64) span {
		to, ok := newest[of]
		if !ok {
			to = float64(n.now.Unix())
		}
		return span{to - count*step, to}
	}
	sums := answers["cpu sum"]
	each("cpu count", func(t *total, of series, v float64) {
		sum, ok := sums[of]
		if !ok || v <= 0 {
			return
		}
		used, lasted := sum*step, v*step
		if grown, exact := answers["cpu grown"][of], answers["scrapes"][of]*n.scrape.Seconds(); v < short && grown*exact > 0 {
			used, lasted = grown, exact
		}
		t.cpuSeconds, t.seconds = t.cpuSeconds+used, t.seconds+lasted
		t.cpuMax = math.Max(t.cpuMax, used/lasted)
		t.cpu = append(t.cpu, seen(of, v))
	})
	each("cpu max", func(t *total, _ series, v float64) { t.cpuMax = math.Max(t.cpuMax, v) })
	each("memory max", func(t *total, _ series, v float64) { t.memoryMax = math.Max(t.memoryMax, v) })
	each("memory count", func(t *total, of series, v float64) { t.memory = append(t.memory, seen(of, v)) })
	each("memory grown", func(t *total, of series, v float64) {
		if v > t.grown {
			t.grown, t.grownTo = v, answers["memory max"][of]
		}
	})
	each("newest", func(t *total, _ series, v float64) { t.newest = math.Max(t.newest, v) })
	each("periods", func(t *total, _ series, v float64) { more(&t.periods, v) })
	each("throttled", func(t *total, _ series, v float64) { more(&t.throttled, v) })
	each("throttled seconds", func(t *total, _ series, v float64) { more(&t.throttledSeconds, v) })
	each("throttled long", func(t *total, _ series, v float64) { t.throttledLong = math.Max(t.throttledLong, v) })
	each("waiting", func(t *total, _ series, v float64) { more(&t.waiting, v) })
	each("restarts", func(t *total, _ series, v float64) { more(&t.restarts, math.Round(v)) })
	answers["kills"] = killsOf(answers)
	each("kills", func(t *total, _ series, v float64) { more(&t.kills, v) })
	for of, r := range runtimesOf(n.exporters, answers) {
		if t := totals[place{owners[of.pod], of.container}]; t != nil {
			t.runtime = together(t.runtime, r)
			t.told = append(t.told, seen(of, float64(r.Samples)))
		}
	}
	use := Use{}
	for at, t := range totals {
		put(use, at.key, at.container, n.measured(t))
	}
	return use
}

// short is a number of steps. For a Pod with at least as many it does not matter that it ran only
// for a part of its first and last step. A Pod that ran for two minutes used its CPU in two
// minutes, although the step is five.
const short = 12

// more adds to a count, which is -1 until the first value.
func more(to *float64, value float64) { *to = math.Max(0, *to) + math.Max(0, value) }

// killsOf puts together who saw OOM kills: kube-state-metrics those that ended the container, cAdvisor also
// those of one process in it. cAdvisor misses a kill if the container, and with it the counter, ended before
// the next scrape. So the larger count is the truer one, and cAdvisor's 0 does not count as an answer.
func killsOf(answers map[string]values) values {
	kills := values{}
	for of := range answers["restarts"] {
		kills[of] = 0
	}
	for _, name := range []string{"ended by oom", "killed", "oom events"} {
		for of, value := range answers[name] {
			if _, counted := kills[of]; counted || math.Round(value) > 0 {
				kills[of] = math.Max(kills[of], math.Round(value))
			}
		}
	}
	return kills
}

func (n *survey) measured(t *total) engine.Measured {
	m := Unknown(sourcePrometheus)
	m.Window, m.Seen = n.window, n.seen(append(slices.Clone(t.cpu), t.memory...))
	m.Runtime = t.runtime
	m.Runtime.Samples, m.Runtime.Seen = n.steps(t.told), n.seen(t.told)
	m.MemoryGrowth, m.MemoryGrown = t.grown, t.grownTo
	m.Periods, m.Throttled = math.Round(t.periods), math.Round(t.throttled)
	m.ThrottledSeconds = t.throttledSeconds
	m.ThrottledLong, m.CPUWaiting, m.Observed = t.throttledLong, t.waiting, t.seconds
	m.OOMKills, m.Restarts = int(t.kills), int(t.restarts)
	m.Samples = -1
	if t.seconds > 0 {
		m.CPUAverage, m.CPUPeak = cores(t.cpuSeconds/t.seconds), cores(t.cpuMax)
		m.Samples = n.steps(t.cpu)
	}
	if t.memoryMax > 0 {
		m.MemoryPeak = bytes(t.memoryMax)
		m.Samples = fewer(m.Samples, n.steps(t.memory))
	}
	m.Samples = max(0, m.Samples)
	m.Age = max(0, n.now.Sub(time.UnixMilli(int64(t.newest*1000))))
	if t.newest == 0 {
		m.Age = n.window
	}
	return m
}

// seen is the time from the first sample to the newest. Jobs may have run for minutes of each day only.
func (n *survey) seen(spans []span) time.Duration {
	first, last := math.Inf(1), math.Inf(-1)
	for _, s := range spans {
		first, last = math.Min(first, s.from), math.Max(last, s.to)
	}
	if first >= last {
		return 0
	}
	return time.Duration(math.Min(n.window.Seconds(), last-first) * float64(time.Second))
}

// steps is the number of steps of the window with a sample of any Pod. A thousand Pods that were
// started a minute ago count as one minute; a hundred Jobs one after another count a hundred times.
func (n *survey) steps(spans []span) int {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var seconds float64
	end := math.Inf(-1)
	for _, s := range spans {
		if s.to <= end {
			continue
		}
		seconds += s.to - math.Max(s.from, end)
		end = s.to
	}
	return int(math.Round(math.Min(seconds, n.window.Seconds()) / n.step.Seconds()))
}
