package explain

import (
	"slices"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// comparison is a line of before and after: its name and both values.
type comparison struct{ cells [3]string }

func (c comparison) changed() bool { return c.cells[1] != c.cells[2] }

// compared sets two explanations side by side: budget, burst, and what would pass.
func compared(now, then *engine.Explanation) []comparison {
	rows := []comparison{{[3]string{"", "now", "then"}}}
	add := func(name, before, after string) {
		if before != "" || after != "" {
			rows = append(rows, comparison{[3]string{name, dash(before), dash(after)}})
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

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
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
		return mib(b.LeftMiB) + ", " + percent(b.LeftMiB, b.LimitMiB)
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
	text := func(b *engine.BurstLine, of func(*engine.BurstLine) float64) string {
		if b == nil {
			return ""
		}
		return plain(of(b)) + " ms"
	}
	add(name, text(now, used), text(then, used))
	add("quota", text(now, quota), text(then, quota))
	add("frozen", text(now, throttle), text(then, throttle))
	add("stall", text(now, stall), text(then, stall))
}

func used(b *engine.BurstLine) float64     { return b.UsedMS }
func quota(b *engine.BurstLine) float64    { return b.QuotaMS }
func throttle(b *engine.BurstLine) float64 { return b.ThrottleMS }
func stall(b *engine.BurstLine) float64    { return b.StallMS }

// bySeverity puts the worst first, and leaves the order of the rest.
func bySeverity(findings []engine.Finding) []engine.Finding {
	order := []string{engine.SeverityError, engine.SeverityWarning, engine.SeverityInfo}
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b engine.Finding) int {
		return slices.Index(order, a.Severity) - slices.Index(order, b.Severity)
	})
	return sorted
}
