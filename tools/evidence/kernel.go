package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/tests/kernel/record"
)

func (d *document) kernel(seen *record.Evidence) {
	m := seen.Machine
	d.text(`
## Beside a real kernel

Linux %s, %d processors, cgroup v%d, slice %s ms; threads that take a known amount of CPU time, started
when a period begins (tests/kernel). Medians, the least and the most in brackets. The model knows nothing
of the kernel's own work, of the time between ticks, or of what else ran on the machine.`, m.Kernel, m.Processors, m.Cgroup, short(m.SliceMS))
	var rows [][]any
	for _, q := range seen.Quota {
		b := cfs.Bandwidth{Quota: duration(q.QuotaMS), Period: duration(q.PeriodMS)}
		r := d.model(b, m.Processors, cfs.Load{Threads: q.Threads, Work: duration(q.WorkMS)})
		took := spread(q.Runs, func(r record.Run) float64 { return r.TookMS })
		// Threads take a little more than they are told to; that alone can cost a period more.
		used := d.model(b, m.Processors, cfs.Load{Threads: q.Threads, Work: duration(usedBy(q.Runs) / float64(q.Threads))})
		rows = append(rows, []any{
			q.Threads, q.WorkMS, q.QuotaMS, q.PeriodMS, r.End(), used.End(), took,
			r.Throttled, spread(q.Runs, func(r record.Run) float64 { return float64(r.Throttled) }), len(q.Runs),
		})
	}
	d.table([]string{
		"threads", "work each, ms", "quota, ms", "period, ms", "done by the model, ms",
		"with the CPU time that was used", "by the kernel", "throttled periods by the model", "by the kernel", "runs",
	}, rows...)
	d.busy(seen)
}

func (d *document) busy(seen *record.Evidence) {
	d.text(`
Threads that never sleep, one on each processor; the share of periods that were throttled. The model is
the pool layer with ticks of 4 ms, mean of %d seeds of 100 periods.`, cfs.PaperSeeds)
	var rows [][]any
	for _, b := range seen.Busy {
		machine := cfs.PaperMachine(duration(b.PeriodMS))
		machine.Quota, machine.Processors, machine.Slice = duration(b.QuotaMS), seen.Machine.Processors, duration(seen.Machine.SliceMS)
		model, err := cfs.SpreadOf(context.Background(), machine, b.Threads, 100, cfs.PaperSeeds)
		if err != nil {
			d.fail(err)
			return
		}
		var periods, throttled int64
		used, took := 0.0, 0.0
		for _, r := range b.Runs {
			periods, throttled = periods+r.Periods, throttled+r.Throttled
			used, took = used+r.UsedMS, took+r.TookMS
		}
		rows = append(rows, []any{
			b.Threads, b.QuotaMS, b.PeriodMS, percent(model.Mean), percent(float64(throttled) / float64(max(periods, 1))),
			fmt.Sprintf("%d of %d", throttled, periods), used / took, b.QuotaMS / b.PeriodMS,
		})
	}
	d.table([]string{
		"threads", "quota, ms", "period, ms", "throttled by the model", "by the kernel", "periods", "cores used", "cores allowed",
	}, rows...)
	d.text(`
Where the quota is all that the processors have, the share hangs on the jitter of the ticks, which nobody
told the model: that such threads are throttled at all, and more at 50 and 10 ms than at 100, is what it
foretells, and not how often. Where the quota is less, both agree.`)
}

// usedBy is the median of the CPU time that the runs used, in ms.
func usedBy(runs []record.Run) float64 {
	var all []float64
	for _, r := range runs {
		all = append(all, r.UsedMS)
	}
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)/2]
}

// spread is the median with the least and the most.
func spread(runs []record.Run, of func(record.Run) float64) string {
	var all []float64
	for _, r := range runs {
		all = append(all, of(r))
	}
	if len(all) == 0 {
		return "not measured"
	}
	slices.Sort(all)
	return fmt.Sprintf("%s (%s to %s)", short(all[len(all)/2]), short(all[0]), short(all[len(all)-1]))
}

func (d *document) pauses(seen *record.Evidence) {
	d.text(`
## A real JVM's collections under a quota (T6)

JDK %s, G1 with a heap of 1 GiB, of which 400 MiB live, on %d processors; as
many processors told to the JVM as it has GC threads. Start-up excluded.`, jdkOf(seen), seen.Machine.Processors)
	var rows [][]any
	for _, p := range seen.Pauses {
		quota := "none"
		if p.QuotaMS > 0 {
			quota = fmt.Sprintf("%s in %s", short(p.QuotaMS), short(p.PeriodMS))
		}
		rows = append(rows, []any{
			quota, p.GCThreads, fmt.Sprintf("%d of %d", p.Throttled, p.Periods), p.ThrottledMS, p.Pauses, p.MeanMS, p.P99MS, p.WorstMS,
		})
	}
	d.table([]string{
		"quota, ms", "GC threads", "throttled periods", "throttled time, ms", "pauses", "mean, ms", "P99, ms", "worst, ms",
	}, rows...)
	d.text(`
What this can show: whether more GC threads than the quota has cores are throttled more. What it cannot:
the burst of 25 threads of T6, which takes 25 processors. Whether fewer threads make a pause longer
depends on what lives in the heap and on the processors; the rows without a quota have it for this load,
and T6 for another. So headroom's messages promise fewer throttled periods, and no better P99.`)
}

func jdkOf(seen *record.Evidence) string {
	if len(seen.Pauses) == 0 {
		return "not measured"
	}
	return seen.Pauses[0].JDK
}
