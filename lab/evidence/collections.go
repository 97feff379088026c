package main

import (
	"fmt"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

// collections has T6, and what the model can say of it.
func (d *document) collections(seen *record.Evidence) {
	d.text(`
## Collector threads against a limit of two cores (T6)

The facts are a service at 5000 requests a second with 500 MB that live. The model has one pause of the
mean length, alone, that begins with a period: it says which pauses fit into 200 ms, not how often a pause
meets other load, and so neither the share of periods nor a percentile.`)
	var rows [][]any
	for _, f := range []struct {
		threads, pause         int
		throttled, p99, p99and string
	}{{25, 18, "3.2 %", "178", "312"}, {4, 28, "0.4 %", "38", "62"}, {2, 42, "0.1 %", "52", "78"}} {
		r := d.model(cfs.ForLimit(2000, cfs.DefaultPeriod), node, cfs.Load{Threads: f.threads, Work: duration(float64(f.pause))})
		rows = append(rows, []any{f.threads, f.pause, f.throttled, f.p99, f.p99and, r.Used, r.End(), r.Frozen})
	}
	d.table([]string{
		"GC threads", "mean pause by the facts, ms", "throttled periods", "P99, ms", "P99.9, ms",
		"CPU time by the model, ms", "the pause lasts, ms", "of it frozen, ms",
	}, rows...)
	d.pauses(seen)
}

// earlier is what this project had measured before, with the same release, as many processors and
// another load, on a busy machine. By quota and period in ms and by threads, it has the share of
// throttled periods and the mean pause in ms.
var earlier = map[[3]int]string{
	{0, 100, 2}: "0 %, 81", {100, 100, 8}: "3.6 %, 64", {100, 100, 2}: "5.5 %, 87", {100, 100, 1}: "0 %, 109",
	{50, 100, 8}: "16 %, 138", {50, 100, 2}: "16 %, 155", {50, 100, 1}: "13.5 %, 128",
	{10, 10, 2}: "4.2 %, 111", {10, 10, 1}: "1.4 %, 91",
}

func (d *document) pauses(seen *record.Evidence) {
	d.text(`
### A real JVM's collections under a quota

JDK %s, G1 with a heap of 1 GiB, of which 400 MiB live, on Linux %s,
%d processors, cgroup v%d; as many processors told to the JVM as it has GC threads. Start-up excluded. The
throttled time is the sum over the processors. A period in which nothing ran is not counted. The last column,
mean pause in ms, is what this project measured before, with another load on a machine that was busy.`,
		jdkOf(seen), seen.Machine.Kernel, seen.Machine.Processors, seen.Machine.Cgroup)
	var rows [][]any
	for _, p := range seen.Pauses {
		quota := "none"
		if p.QuotaMS > 0 {
			quota = fmt.Sprintf("%s in %s", short(p.QuotaMS), short(p.PeriodMS))
		}
		rows = append(rows, []any{
			quota, p.GCThreads, fmt.Sprintf("%d of %d", p.Throttled, p.Periods), p.ThrottledMS, p.Pauses, p.MeanMS, p.WorstMS,
			earlier[[3]int{int(p.QuotaMS), int(p.PeriodMS), p.GCThreads}],
		})
	}
	d.table([]string{
		"quota, ms", "GC threads", "throttled periods", "throttled time, ms", "pauses", "mean, ms", "worst, ms",
		"earlier: throttled, mean",
	}, rows...)
	d.text(`
Under periods of 100 ms, %s.
%s Each row
has too few pauses for a percentile, and a single one makes the worst.

What this cannot show: the burst of 25 threads of T6, which takes 25 processors; a quota of two cores or
more; a percentile of requests. T6 has a longer pause with fewer threads, and a better P99 with 4 than with
25 all the same; nothing here bears out the second. So headroom's messages promise fewer throttled periods,
and no better P99.`, throttledWith(seen), lengthened(seen))
}

// pauseRow is the row of the period of 100 ms; one without pauses was not measured.
func pauseRow(seen *record.Evidence, quotaMS float64, threads int) record.Pauses {
	for _, p := range seen.Pauses {
		if p.PeriodMS == 100 && p.QuotaMS == quotaMS && p.GCThreads == threads {
			return p
		}
	}
	return record.Pauses{}
}

// chance is a difference of throttled periods that a pause or two more would make.
const chance = 5

// throttledWith counts what more threads do to throttling.
func throttledWith(seen *record.Evidence) string {
	counted := func(quotaMS float64) string {
		many, two, one := pauseRow(seen, quotaMS, 8), pauseRow(seen, quotaMS, 2), pauseRow(seen, quotaMS, 1)
		text := fmt.Sprintf("%d, %d and %d of %d periods", many.Throttled, two.Throttled, one.Throttled, one.Periods)
		if many.Throttled-one.Throttled < chance {
			text += " (which can be chance)"
		}
		return text
	}
	return fmt.Sprintf("with 8, 2 and 1 threads they were throttled at one core in\n%s, at half a core in\n%s", counted(100), counted(50))
}

// lengthened says what fewer threads do to the length of a pause, without a quota.
func lengthened(seen *record.Evidence) string {
	one, two := pauseRow(seen, 0, 1), pauseRow(seen, 0, 2)
	means := fmt.Sprintf("the mean is %s ms with one and %s with two", short(one.MeanMS), short(two.MeanMS))
	if one.MeanMS > two.MeanMS {
		return "One thread made pauses longer than two, as T6 has it: without a quota\n" + means + "."
	}
	return `
T6, and the earlier measurement at one core, have longer pauses with fewer threads. Here they were not longer:
without a quota ` + means + `. The cause was not looked for; likely ones are
processors that share a core, threads that wait for each other, and chance, with so few pauses.`
}

func jdkOf(seen *record.Evidence) string {
	if len(seen.Pauses) == 0 {
		return "not measured"
	}
	return seen.Pauses[0].JDK
}
