package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/tests/harness/record"
)

func (d *document) kernel(seen *record.Evidence) {
	m := seen.Machine
	d.text(`
## Beside a real kernel

Linux %s, %d processors, cgroup v%d, slice %s ms; threads that take a known amount of CPU time, started
when a period begins (tests/system/kernel). Medians, the least and the most in brackets. The program that makes the
load uses some percent more than it is told to, which alone can cost a period more, so the model is asked
twice: with the work, and with the CPU time that the kernel counted. It knows nothing of the kernel's own
work, of the time between ticks, or of what else ran on the machine.`, m.Kernel, m.Processors, m.Cgroup, short(m.SliceMS))
	var rows [][]any
	for _, q := range seen.Quota {
		if q.BurstMS > 0 {
			continue
		}
		r, used := d.told(m, q), d.used(m, q)
		rows = append(rows, []any{
			q.Threads, q.WorkMS, q.QuotaMS, q.PeriodMS, usedBy(q.Runs), r.End(), used.End(), spread(q.Runs, tookMS),
			fmt.Sprintf("%d, %d", r.Throttled, used.Throttled), spread(q.Runs, throttled), len(q.Runs),
		})
	}
	d.table([]string{
		"threads", "work each, ms", "quota, ms", "period, ms", "CPU time used, ms", "done by the model, ms",
		"with the CPU time used", "by the kernel", "throttled periods by the model (work, CPU time used)",
		"by the kernel", "runs",
	}, rows...)
	d.bursts(seen)
	d.busy(seen)
}

// bursts is work under a quota and a burst, beside the model with and without it.
func (d *document) bursts(seen *record.Evidence) {
	d.text(`
The same with what a burst may use beside the quota (cpu.max.burst, T17), after a rest in which it is saved. The
model is asked with the CPU time that was used. What the kernel has no room for it refuses as the model does: a burst
of more than the quota. A quota that is written again, unchanged, gives a thread as much more than its limit as
the pool layer says (tests/system/kernel, TestRewrite).`)
	var rows [][]any
	for _, q := range seen.Quota {
		if q.BurstMS == 0 {
			continue
		}
		used, without := d.used(seen.Machine, q), q
		without.BurstMS = 0
		plain := d.used(seen.Machine, without)
		rows = append(rows, []any{
			q.Threads, q.WorkMS, q.QuotaMS, q.BurstMS, q.PeriodMS, plain.End(), used.End(), spread(q.Runs, tookMS),
			plain.Throttled, used.Throttled, spread(q.Runs, throttled), len(q.Runs),
		})
	}
	d.table([]string{
		"threads", "work each, ms", "quota, ms", "burst, ms", "period, ms", "done by the model without the burst, ms",
		"with it", "by the kernel", "throttled periods by the model without the burst", "with it", "by the kernel", "runs",
	}, rows...)
}

// told is the model with the work that the threads are told to do.
func (d *document) told(m record.Machine, q record.Quota) cfs.Result {
	return d.model(bandwidth(q.CPU), m.Processors, cfs.Load{Threads: q.Threads, Work: duration(q.WorkMS)})
}

func bandwidth(c record.CPU) cfs.Bandwidth {
	return cfs.Bandwidth{Quota: duration(c.QuotaMS), Period: duration(c.PeriodMS), Burst: duration(c.BurstMS)}
}

// used is the model with the CPU time that the threads really used: they take a little more than they
// are told to, which alone can cost a period more.
func (d *document) used(m record.Machine, q record.Quota) cfs.Result {
	each := duration(usedBy(q.Runs) / float64(q.Threads))
	return d.model(bandwidth(q.CPU), m.Processors, cfs.Load{Threads: q.Threads, Work: each})
}

func tookMS(r record.Run) float64 { return r.TookMS }

func throttled(r record.Run) float64 { return float64(r.Throttled) }

func (d *document) busy(seen *record.Evidence) {
	d.text(`
Threads that never sleep, one on each processor; the share of periods that were throttled, and for how
long, the sum over the processors. The model is the pool layer with ticks of 4 ms, mean of %d seeds of 100
periods, the least and the most of them in brackets.`, cfs.PaperSeeds)
	var rows [][]any
	for _, b := range seen.Busy {
		model, err := foretold(seen.Machine, b)
		if err != nil {
			d.fail(err)
			return
		}
		r := sum(b.Runs)
		rows = append(rows, []any{
			b.Threads, b.QuotaMS, b.PeriodMS,
			fmt.Sprintf("%s (%s to %s)", percent(model.Mean), percent(model.Min), percent(model.Max)),
			percent(share(r)), fmt.Sprintf("%d of %d", r.Throttled, r.Periods),
			millis(model.ThrottledTime), 100 * r.ThrottledMS / float64(max(r.Periods, 1)),
			r.UsedMS / r.TookMS, b.QuotaMS / b.PeriodMS,
		})
	}
	d.table([]string{
		"threads", "quota, ms", "period, ms", "throttled by the model", "by the kernel", "periods",
		"ms in 100 periods by the model", "by the kernel", "cores used", "cores allowed",
	}, rows...)
	d.text(`
Where the quota is all that the threads can use, the share hangs on how the ticks of the processors stand to
each other and to the period, which the model does not know: it predicts that such threads are throttled, and
more so at 50 and 10 ms than at 100, but not how often. An earlier measurement on a like machine
that was busy had 4, 14 and 30 %% for two threads at 100, 50 and 10 ms. How long two threads are throttled is
several times what the model has, as in the paper. A quota that the threads exceed throttles them in every
period, or all but a few, in both.`)
}

// foretold is the pool layer's answer for threads that never sleep.
func foretold(m record.Machine, b record.Busy) (cfs.Spread, error) {
	machine := cfs.PaperMachine(duration(b.PeriodMS))
	machine.Quota, machine.Processors, machine.Slice = duration(b.QuotaMS), m.Processors, duration(m.SliceMS)
	return cfs.SpreadOf(context.Background(), machine, b.Threads, 100, cfs.PaperSeeds)
}

// sum adds runs up.
func sum(runs []record.Run) record.Run {
	var all record.Run
	for _, r := range runs {
		all.Periods, all.Throttled = all.Periods+r.Periods, all.Throttled+r.Throttled
		all.UsedMS, all.TookMS, all.ThrottledMS = all.UsedMS+r.UsedMS, all.TookMS+r.TookMS, all.ThrottledMS+r.ThrottledMS
	}
	return all
}

func share(r record.Run) float64 { return float64(r.Throttled) / float64(max(r.Periods, 1)) }

// usedBy is the median of the CPU time that the runs used, in ms.
func usedBy(runs []record.Run) float64 {
	return median(runs, func(r record.Run) float64 { return r.UsedMS })
}

// median of the runs; 0 of none.
func median(runs []record.Run, of func(record.Run) float64) float64 {
	all := sorted(runs, of)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)/2]
}

func sorted(runs []record.Run, of func(record.Run) float64) []float64 {
	var all []float64
	for _, r := range runs {
		all = append(all, of(r))
	}
	slices.Sort(all)
	return all
}

// spread is the median with the least and the most.
func spread(runs []record.Run, of func(record.Run) float64) string {
	all := sorted(runs, of)
	if len(all) == 0 {
		return "not measured"
	}
	return fmt.Sprintf("%s (%s to %s)", short(median(runs, of)), short(all[0]), short(all[len(all)-1]))
}
