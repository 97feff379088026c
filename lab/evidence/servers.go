package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

// servers are real ones, each beside what the policies say of a Pod with its flags.
type servers struct {
	machine record.Machine
	all     []server
}

type server struct {
	record.Server
	budget *engine.Budget
	said   string
}

func judgeServers(ctx context.Context, e *engine.Engine, seen *record.Servers) (servers, error) {
	found := servers{machine: seen.Machine}
	for _, s := range seen.Servers {
		budget, said, err := judged(ctx, e, pod{s.LimitMiB, s.CPU, fmt.Sprintf("version=%d", s.Feature), s.Flags})
		if err != nil {
			return found, err
		}
		found.all = append(found.all, server{s, budget, said})
	}
	return found, nil
}

// fullHeap is what would have been charged with a heap that is all in memory.
func (s server) fullHeap() float64 { return s.HeldMiB + max(0, s.Heap.Max-s.Heap.Resident) }

// over is how far the expected use is over that.
func (s server) over() float64 { return s.budget.TotalMiB/s.fullHeap() - 1 }

// each is what the servers have of something, every value once.
func (beside servers) each(of func(server) string) string {
	var found []string
	for _, s := range beside.all {
		found = append(found, of(s))
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), ", ")
}

// span is the least and the most of something.
func (beside servers) span(of func(server) float64) (least, most float64) {
	least = math.Inf(1)
	for _, s := range beside.all {
		least, most = min(least, of(s)), max(most, of(s))
	}
	return least, most
}

// short is how what is expected stands to what was taken, for those who read no further.
func (beside servers) short() string {
	least, most := beside.span(server.over)
	near := beside.named(func(s server) bool { return s.over() >= -0.05 && s.over() <= 0.3 })
	return fmt.Sprintf(`what is expected was between %s below and %s over what %d of them
  were charged, with the heap full; for %d of them between 5 %% below and 30 %% over.`,
		percent(-least), percent(most), len(beside.all), len(near))
}

// named are the servers of which something is true.
func (beside servers) named(is func(server) bool) []string {
	var found []string
	for _, s := range beside.all {
		if is(s) {
			found = append(found, fmt.Sprintf("%s on %d", s.Name, s.Feature))
		}
	}
	return found
}

func listed(all []string) string {
	if len(all) == 0 {
		return "none"
	}
	return strings.Join(all, "; ")
}

// servers puts the budget's three figures beside what real servers took.
func (d *document) servers(beside servers) {
	m := beside.machine
	d.text(`
### Beside real servers (M8)

Servers from Maven Central (lab/servers) under a memory limit and a CPU limit of %s, each under load for
%s s, on Linux %s, %d processors, cgroup v%d, %s. Charged is the most anonymous, shared and kernel memory
at any time, without page cache. Most of these heaps did not fill up in that time; the budget has them full, so
the column "with a full heap" adds what was missing of the heap, and the next says how far the expected use is over
that. Runs this short give lower bounds: compiled code goes on growing, and a heap that fills up may make its
collector's tables larger. MiB.`,
		beside.each(func(s server) string { return s.CPU }), beside.each(func(s server) string { return fmt.Sprint(s.Seconds) }),
		m.Kernel, m.Processors, m.Cgroup, beside.each(func(s server) string { return s.Date }))
	leastBeside, _ := beside.span(func(s server) float64 { return s.fullHeap() - s.Heap.Max })
	var sums, parts [][]any
	for _, s := range beside.all {
		charged, over := round(s.HeldMiB), percent(s.over())
		if s.Killed {
			charged, over = "killed", ""
		}
		sums = append(sums, []any{
			s.Name + " " + s.Version, fmt.Sprintf("%d, %s", s.Feature, s.Collector), s.LimitMiB, code(s.Flags),
			round(s.Heap.Max), round(s.budget.LeastMiB), round(s.budget.TotalMiB), round(s.budget.BoundMiB),
			charged, round(s.fullHeap()), over, s.said,
		})
		parts = append(parts, s.regions())
	}
	d.table([]string{
		"server", "JDK, collector", "limit", "flags", "heap", "low end", "expected", "bound", "charged", "with a full heap",
		"expected is over by", "the policies say",
	}, sums...)
	d.text(`
Under what was charged, with the heap full, were:

- the expected sum: %s
- the bound: %s

A manifest shows neither. Fuseki's Jetty answers from direct buffers of 5 MiB, which are freed when a collection
finds them and not before, so that direct memory comes near its bound. RocksDB keeps its data in its own memory.

The low end was over what was charged for: %s. So it is no lower bound: a small server takes less beside its heap,
the least here %s.`,
		listed(beside.named(func(s server) bool { return s.over() < 0 })),
		listed(beside.named(func(s server) bool { return s.budget.BoundMiB < s.fullHeap() })),
		listed(beside.named(func(s server) bool { return s.budget.LeastMiB > s.fullHeap() })),
		round(leastBeside))
	d.text(`
The regions: low end / expected / bound by the policies, and behind the colon what was taken. Metaspace, code cache
and direct memory are what Native Memory Tracking calls committed, which may be more than is in memory; stacks
are what the threads have touched. Native is the rest of what was charged: the collector's tables (in brackets, as
committed), the compiler, symbols, malloc's own, what Native Memory Tracking itself takes, and what libraries take past the
JVM. Each is the most that was seen, not always at the same time; where direct memory comes and goes (Fuseki),
native has what malloc had not given back.`)
	d.table([]string{
		"server", "heap used, committed, in memory", "metaspace", "code cache", "direct", "threads, stacks", "native (collector)",
	}, parts...)
	span := func(of func(server) float64) string {
		least, most := beside.span(of)
		return round(least) + " to " + round(most)
	}
	d.text(`
Over all of them: metaspace %s, code cache %s, direct memory %s, stacks %s
(%s KiB a thread), native %s, collectors %s.

JDKs: %s.`,
		span(func(s server) float64 { return s.Regions.Metaspace }), span(func(s server) float64 { return s.Regions.CodeCache }),
		span(func(s server) float64 { return s.Regions.Direct }), span(func(s server) float64 { return s.Regions.Stacks }),
		span(func(s server) float64 { return 1024 * s.Regions.Stacks / float64(s.Threads) }),
		span(func(s server) float64 { return s.Regions.Native }), span(func(s server) float64 { return s.Regions.Collector }),
		beside.each(func(s server) string { return s.JDK }))
}

// regions is the row of what was assumed of each region beside what was taken.
func (s server) regions() []any {
	terms := map[string]string{}
	for _, t := range s.budget.Terms {
		terms[t.Name] = fmt.Sprintf("%s / %s / %s", round(t.LeastMiB), round(t.MiB), round(t.BoundMiB))
	}
	beside := func(term string, taken float64) string { return terms[term] + ": " + round(taken) }
	r := s.Regions
	return []any{
		fmt.Sprintf("%s, JDK %d", s.Name, s.Feature),
		fmt.Sprintf("%s, %s, %s", round(s.Heap.Used), round(s.Heap.Committed), round(s.Heap.Resident)),
		beside("metaspace", r.Metaspace), beside("code cache", r.CodeCache), beside("direct", r.Direct),
		fmt.Sprintf("%d, %s", s.Threads, beside("stacks", r.Stacks)),
		fmt.Sprintf("%s (%s)", beside("native", r.Native), round(r.Collector)),
	}
}

func code(flags []string) string {
	if len(flags) == 0 {
		return "none"
	}
	return "`" + strings.Join(flags, "` `") + "`"
}
