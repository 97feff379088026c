package explain

import (
	"cmp"
	"slices"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// compared sets two explanations side by side: budget, burst, and what would pass. A row is a name and both values.
func compared(now, then *engine.Explanation) [][3]string {
	rows := [][3]string{{"", "now", "then"}}
	add := func(name, before, after string) {
		if before != "" || after != "" {
			rows = append(rows, [3]string{name, cmp.Or(before, "–"), cmp.Or(after, "–")})
		}
	}
	if now.Class != then.Class {
		add("class", class(now), class(then))
	}
	for i, l := range now.Resources {
		if i < len(then.Resources) && then.Resources[i].Name == l.Name && then.Resources[i].Value != l.Value {
			add(terminal.Printable(l.Name), resourceValue(l), resourceValue(then.Resources[i]))
		}
	}
	budgets(add, now.Budget, then.Budget)
	if now.JVM != nil && then.JVM != nil {
		before, after := jvmLines(now.JVM), jvmLines(then.JVM)
		for i := range before {
			if before[i].Value != after[i].Value && before[i].Name != "maximum heap" && before[i].Name != "version" {
				add(before[i].Name, terminal.Printable(before[i].Value), terminal.Printable(after[i].Value))
			}
		}
	}
	bursts(add, "burst", now.Burst, then.Burst)
	bursts(add, "busy pool", now.Workers, then.Workers)
	return rows
}

func budgets(add func(name, before, after string), now, then *engine.Budget) {
	if now == nil || then == nil {
		return
	}
	for i, t := range now.Terms {
		if i < len(then.Terms) && then.Terms[i].Name == t.Name {
			add(terminal.Printable(t.Name), amount(now, t), amount(then, then.Terms[i]))
		}
	}
	add("total", total(now), total(then))
	limit := func(b *engine.Budget) string {
		if b.LimitMiB <= 0 {
			return ""
		}
		return mib(b.LimitMiB)
	}
	left := func(b *engine.Budget) string {
		switch {
		case b.LimitMiB <= 0 || total(b) == "":
			return ""
		case b.LeftMiB < 0:
			return "over by " + mib(-b.LeftMiB)
		}
		return mib(b.LeftMiB) + ", " + words.Percent(b.LeftMiB, b.LimitMiB)
	}
	add("limit", limit(now), limit(then))
	add("left", left(now), left(then))
}

func amount(b *engine.Budget, t engine.Term) string {
	if unknown(b, t) {
		return ""
	}
	return mib(t.MiB)
}

// total is that of all terms; "" where one of them is not known.
func total(b *engine.Budget) string {
	for _, t := range b.Terms {
		if unknown(b, t) {
			return ""
		}
	}
	return mib(b.TotalMiB)
}

func bursts(add func(name, before, after string), name string, now, then *engine.BurstLine) {
	if now == nil && then == nil {
		return
	}
	figures := func(b *engine.BurstLine) (texts [4]string) {
		if b != nil {
			for i, ms := range [...]float64{b.UsedMS, b.QuotaMS, b.ThrottleMS, b.StallMS} {
				texts[i] = words.Plain(ms) + " ms"
			}
		}
		return texts
	}
	before, after := figures(now), figures(then)
	for i, name := range [...]string{name, "quota", "frozen", "stall"} {
		add(name, before[i], after[i])
	}
}

// bySeverity puts the worst first, and leaves the order of the rest.
func bySeverity(findings []engine.Finding) []engine.Finding {
	order := []string{engine.SeverityError, engine.SeverityWarning, engine.SeverityInfo}
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b engine.Finding) int {
		return slices.Index(order, a.Severity) - slices.Index(order, b.Severity)
	})
	return sorted
}
