package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/tests/harness/record"
)

// summary says what agrees and what does not, for those who read no further. What was measured is
// taken from the measurements, so that it stays true when they are made anew.
func (d *document) summary(seen *record.Evidence, beside servers) {
	m := seen.Machine
	d.text(`
## In short

- The model gives the facts' numbers of T1, T3, T8, T12 and the paper's Figure 4 (T11), and the policies
  those of M1 where the flags bound every region.
- T2 is an estimate; the model has the same CPU time, and an earlier end where it is over the quota. T4's mean
  and T9's P99 the model does not give; it has T4's throttled periods, and T9's freezes that fall with the period.
- T10: the share of throttled periods comes near the paper's, with a jitter chosen for it. The time that
  threads are throttled does not: the model has a fifth of it and less.
- A real kernel (Linux %s, %d processors, cgroup v%d): %s
- Threads that just fit their quota: %s
- A real JVM's collections under a quota: %s.
  That fewer threads give a better P99 (T6) is not shown.
- Memory: %s
- Real servers: %s

At the end stands which facts are not shown, and why.`, m.Kernel, m.Processors, m.Cgroup,
		d.knownWork(seen), d.fitting(seen),
		strings.ReplaceAll(throttledWith(seen), "\n", "\n  "), remembered(seen), beside.short())
}

// knownWork is how far the period layer is off.
func (d *document) knownWork(seen *record.Evidence) string {
	furthest, same := 0.0, 0
	for _, q := range seen.Quota {
		model := d.used(seen.Machine, q)
		furthest = max(furthest, math.Abs(median(q.Runs, tookMS)/max(millis(model.End()), 1)-1))
		if int(median(q.Runs, throttled)) == model.Throttled {
			same++
		}
	}
	return fmt.Sprintf(`known work under a quota,
  with and without a burst (T17), took what the model says, the medians at most %s off,
  with as many throttled periods in %d of %d cases.`, percent(furthest), same, len(seen.Quota))
}

// fitting has the shares where the quota is all that the threads can use.
func (d *document) fitting(seen *record.Evidence) string {
	var model, kernel, periods []string
	for _, b := range seen.Busy {
		if b.QuotaMS < b.PeriodMS*float64(b.Threads) || b.Threads < 2 {
			continue
		}
		said, err := foretold(seen.Machine, b)
		if err != nil {
			d.fail(err)
		}
		model, kernel = append(model, percent(said.Mean)), append(kernel, percent(share(sum(b.Runs))))
		periods = append(periods, short(b.PeriodMS))
	}
	return fmt.Sprintf(`they are throttled all the same, by the kernel in %s of
  the periods of %s ms, by the model in %s, which claims no size here.`,
		strings.Join(kernel, ", "), strings.Join(periods, ", "), strings.Join(model, ", "))
}

// remembered is how the budgets stand to what was charged, and the killed to what was foretold.
func remembered(seen *record.Evidence) string {
	var over []float64
	for _, m := range seen.Memory {
		over = append(over, m.BudgetMiB/m.ChargedMiB-1)
	}
	killed, told, survived, warned := 0, 0, 0, 0
	for _, k := range seen.Kills {
		switch {
		case k.Killed:
			killed++
			told += min(1, len(k.Rules))
		default:
			survived++
			warned += min(1, len(k.Rules))
		}
	}
	if len(over) == 0 {
		return "not measured."
	}
	return fmt.Sprintf(`the bound was over what the kernel charged in all %d cases with real JVMs, by %s to %s.
  Of %d JVMs that were killed the policies had warned of %d, and of %d that survived of %d.`,
		len(over), percent(slices.Min(over)), percent(slices.Max(over)), killed, told, survived, warned)
}
