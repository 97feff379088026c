package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/cfs"
	"github.com/headroom-dev/headroom/internal/cfs/drawing"
)

const ms = time.Millisecond

// node has as many processors as the facts' (T3), more than any of their bursts has threads.
const node = 32

func (d *document) quota(known facts) {
	d.text("## A CPU limit is a quota in each period (T1)")
	var rows [][]any
	for _, f := range known.Quota {
		b := cfs.ForLimit(millicores(f.LimitCPU), duration(f.PeriodMS))
		rows = append(rows, []any{f.LimitCPU, f.PeriodMS, f.QuotaMS, b.Quota})
	}
	d.table([]string{"limits.cpu", "period, ms", "quota by the facts, ms", "by the model"}, rows...)
}

func (d *document) burst(known facts) {
	d.text(`
## A burst uses it up (T2)

The facts estimate the stall as the pause and the CPU time that is over the quota. HR210, HR202
and explain say what the model says. The model follows the burst through the periods, on a node of %d processors,
where the burst begins with a period. What is over the quota runs on all threads at once as soon as
the next period begins, so this burst ends sooner than estimated. One that begins when most of the
quota is used can end later than estimated: with less than 50 ms of it left, the 25 threads need one
period more.`, node)
	var rows [][]any
	for _, f := range known.Burst {
		r := d.model(cfs.Bandwidth{Quota: duration(f.QuotaMS), Period: cfs.DefaultPeriod}, node,
			cfs.Load{Threads: f.Threads, Work: duration(f.PauseMS)})
		rows = append(rows, []any{f.Threads, f.PauseMS, f.QuotaMS, f.UsedMS, r.Used, f.StallMS, r.Finished[0], r.Frozen})
	}
	d.table([]string{
		"threads", "pause, ms", "quota, ms", "CPU time by the facts, ms", "by the model",
		"stall by the facts, ms", "end by the model", "of it frozen",
	}, rows...)
}

func (d *document) timeline(known facts) {
	d.text("## One period of a service with 25 GC threads (T3)")
	for _, f := range known.Timeline {
		t := drawing.Timeline{
			Title:     "2 cores, 8 application threads, then a collection on 25 threads",
			Bandwidth: cfs.ForLimit(millicores(f.LimitCPU), duration(f.PeriodMS)), Processors: node,
		}
		for i, l := range f.Load {
			name := []string{"application", "GC"}[min(i, 1)]
			t.Loads = append(t.Loads, cfs.Load{
				Name: name, Start: duration(l.FromMS), Threads: l.Threads, Work: duration(l.RunMS),
			})
		}
		t.Result = d.model(t.Bandwidth, t.Processors, t.Loads...)
		used, until := time.Duration(0), time.Duration(0)
		for _, s := range t.Result.Segments {
			if s.Frozen {
				used, until = s.From, s.To
				break
			}
		}
		d.table(
			[]string{"", "facts, ms", "model, ms"},
			[]any{"the quota is used up at", f.ExhaustedMS, used},
			[]any{"frozen until", f.FrozenMS, until},
			[]any{"the collection ends at", fmt.Sprintf("at least %s", short(f.AtLeastMS)), t.Result.End()},
		)
		d.code(t.Text(100))
	}
}

func (d *document) average(known facts) {
	d.text("## The average hides it (T4)")
	for _, f := range known.AverageHides {
		var loads []cfs.Load
		for i, demand := range f.DemandMS {
			const threads = 4
			loads = append(loads, cfs.Load{
				Start: time.Duration(i) * duration(f.PeriodMS), Threads: threads, Work: duration(demand / threads),
			})
		}
		r := d.model(cfs.Bandwidth{Quota: duration(f.QuotaMS), Period: duration(f.PeriodMS)}, node, loads...)
		d.text("CPU time that ten periods ask for, in ms, under a quota of %s ms: %s.", short(f.QuotaMS),
			strings.Trim(fmt.Sprint(f.DemandMS), "[]"))
		d.table(
			[]string{"", "facts", "model"},
			[]any{"mean cores granted", f.MeanCores, millis(r.Used) / f.PeriodMS / float64(len(f.DemandMS))},
			[]any{"throttled periods", f.ThrottledPeriods, r.Throttled},
			[]any{"frozen, ms", "", r.Frozen},
		)
		d.text(`
The facts count what was granted in the period that asked for it. In the model, as in the kernel, what
is left over runs in the next period, so in the end all of it is granted. Either mean is far below the
limit of %s cores, and a dashboard that shows it has nothing of the throttling.`, short(f.QuotaMS/f.PeriodMS))
	}
}

func (d *document) raise() {
	d.text(`
## A larger limit (T8)

Four GC threads for 28 ms and eight application threads for 10 ms.`)
	var rows [][]any
	for _, f := range []struct {
		limit  int64
		spare  float64
		factor string
	}{{2000, 8, "2"}, {4000, 208, "4"}} {
		r := d.model(cfs.ForLimit(f.limit, cfs.DefaultPeriod), node,
			cfs.Load{Threads: 4, Work: 28 * ms}, cfs.Load{Threads: 8, Work: 10 * ms})
		rows = append(rows, []any{f.factor, 192, r.Used, f.spare, r.Spare, r.Throttled})
	}
	d.table([]string{
		"limits.cpu", "CPU time by the facts, ms", "by the model", "spare by the facts, ms", "by the model", "throttled periods",
	}, rows...)
}

func (d *document) shorter() {
	d.text(`
## A shorter period (T9)

The facts' service is not known in detail, so the model has the burst of T3 instead: the direction
is to be compared, not the size.`)
	var rows [][]any
	for _, f := range []struct {
		period       time.Duration
		longest, p99 int // ms
	}{{100 * ms, 39, 178}, {50 * ms, 22, 95}, {20 * ms, 11, 52}, {10 * ms, 6, 38}, {5 * ms, 3, 31}} {
		r := d.model(cfs.ForLimit(2000, f.period), node,
			cfs.Load{Threads: 8, Work: 18 * ms}, cfs.Load{Start: 18 * ms, Threads: 25, Work: 20 * ms})
		rows = append(rows, []any{f.period, f.longest, f.p99, r.Longest, r.End(), r.Throttled, r.Periods})
	}
	d.table([]string{
		"period, ms", "longest throttle by the facts, ms", "P99 by the facts, ms",
		"longest freeze by the model, ms", "all done, ms", "throttled periods", "of",
	}, rows...)
	d.text(`
The longest freeze falls as in the facts. Their P99 falls too, and in the model the end of the burst
does not: 644 ms of CPU time take as long as the limit makes them, in whatever pieces. What gains, likely,
is what needs little CPU time and waits through one freeze and not through all of them; the model has no
such requests. And a shorter period has its price: see T10 below.`)
}

func (d *document) workers(known facts) {
	d.text(`
## Workers (T12)

Work in ms of CPU time of each thread. T12's eight threads are throttled first after 12.5 ms and
then throttled for 87.5 ms.`)
	var rows [][]any
	for _, f := range known.Workers {
		b := cfs.ForLimit(millicores(f.LimitCPU), duration(f.PeriodMS))
		r := d.model(b, node, cfs.Load{Threads: f.Threads, Work: duration(f.WorkMS)})
		first := time.Duration(0)
		for _, s := range r.Segments {
			if s.Frozen {
				first = s.From
				break
			}
		}
		var fact, model string
		if f.FinishMS != nil {
			fact, model = "done at "+short(*f.FinishMS), "done at "+short(r.End())
		} else {
			fact = fmt.Sprintf("throttled at %s for %s", short(f.ThrottledAt), short(f.FrozenMS))
			model = fmt.Sprintf("throttled at %s for %s", short(first), short(r.Longest))
		}
		rows = append(rows, []any{f.Threads, f.WorkMS, f.LimitCPU, fact, model})
	}
	d.table([]string{"threads", "work, ms", "limits.cpu", "facts, ms", "model, ms"}, rows...)
}
