package explain

import (
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// jvm lists the flags in the order in which the JVM applies them, the losers included, and
// what the JVM makes of them.
func (p *paper) jvm(e *engine.Explanation) {
	if e.JVM == nil {
		return
	}
	p.section("JVM flags", "a later one wins")
	text, source := 0, 0
	for _, f := range e.Flags {
		text, source = max(text, min(width(printable(f.Text)), 40)), max(source, min(width(printable(f.Source)), 24))
	}
	for _, f := range e.Flags {
		style, note := p.plain, printable(f.Note)
		if !f.Wins {
			style = p.subdued
			if note = "has lost: " + note; f.Note == "" {
				note = "has lost"
			}
		}
		lead := "    " + pad(printable(f.Text), text) + "  "
		if note == "" {
			p.line(run{lead, style}, run{printable(f.Source), p.subdued})
			continue
		}
		lead2 := pad(printable(f.Source), source) + "  "
		p.block(width(lead)+width(lead2), []run{{lead, style}, {lead2, p.subdued}}, note, p.plain)
	}
	switch {
	case e.PropertiesHidden > 0:
		p.block(4, nil, fmt.Sprintf("and %s, not shown since they may hold secrets",
			count(e.PropertiesHidden, "other option")), p.subdued)
	case len(e.Flags) == 0:
		p.block(4, nil, "none that headroom can see", p.subdued)
	}
	p.section("What the JVM makes of them", "")
	for _, l := range jvmLines(e.JVM) {
		if l.Value == "" && l.Source == "" {
			continue
		}
		value := printable(l.Value)
		if value == "" {
			value = "not known"
		}
		lead := "    " + pad(l.Name, 16) + "  " + pad(value, 10) + "  "
		p.block(width(lead), []run{{lead, p.plain}}, printable(l.Source), p.subdued)
	}
	for _, why := range e.JVM.WillNotStart {
		p.block(4, nil, sentence("It will not start: "+printable(why)), p.bad)
	}
}

// jvmLine is one line of what a JVM makes of its flags.
type jvmLine struct{ Name, Value, Source string }

func jvmLines(j *engine.JVMLine) []jvmLine {
	heap := j.MaxHeapMiB
	if heap.Value != "" {
		heap.Value += " MiB"
	}
	return []jvmLine{
		{"version", j.Version.Value, j.Version.Source},
		{"collector", j.Collector.Value, j.Collector.Source},
		{"processors", j.Processors.Value, j.Processors.Source},
		{"GC threads", j.ParallelGCThreads.Value, j.ParallelGCThreads.Source},
		{"concurrent GC", j.ConcGCThreads.Value, j.ConcGCThreads.Source},
		{"compiler threads", j.CompilerThreads.Value, j.CompilerThreads.Source},
		{"maximum heap", heap.Value, heap.Source},
	}
}

// cpu is the arithmetic of the quota: T1 and T2 in a sentence each.
func (p *paper) cpu(e *engine.Explanation) {
	p.section("CPU", "")
	for _, l := range cpuLines(e) {
		p.row(l[0], 9, l[1], p.plain)
	}
}

func cpuLines(e *engine.Explanation) [][2]string {
	var lines [][2]string
	add := func(name, format string, args ...any) {
		lines = append(lines, [2]string{name, fmt.Sprintf(format, args...)})
	}
	if e.CPU.Cores > 0 {
		add("cores", "%d at once", e.CPU.Cores)
	}
	switch {
	case e.CPU.Average > 0 && e.CPU.AverageAssumed:
		add("average", "%s, assumed: nobody measured it, and the request stands in", milli(e.CPU.Average))
	case e.CPU.Average > 0:
		text := printable(e.Evidence)
		if text == "" {
			text = "as annotated"
		}
		add("average", "%s, %s", milli(e.CPU.Average), text)
	}
	if e.CPU.Limit > 0 {
		period := 100.0
		if e.Burst != nil && e.Burst.PeriodMS > 0 {
			period = e.Burst.PeriodMS
		}
		add("quota", "%s ms of CPU time in each %s ms, for all threads together (T1)",
			plain(float64(e.CPU.Limit)*period/1000), plain(period))
	} else {
		add("quota", "none: without limits.cpu nothing freezes")
	}
	for _, b := range []struct {
		name, what string
		line       *engine.BurstLine
	}{{"burst", "a collection on %s", e.Burst}, {"workers", "%s that are all busy", e.Workers}} {
		if b.line != nil {
			add(b.name, "%s", burst(b.what, b.line))
		}
	}
	return lines
}

// burst is T2 in one sentence.
func burst(what string, b *engine.BurstLine) string {
	threads := plain(b.Threads) + " threads"
	if b.Threads == 1 {
		threads = "1 thread"
	}
	if b.ThreadsSource != "" {
		threads += " (" + printable(b.ThreadsSource) + ")"
	}
	pause := plain(b.PauseMS) + " ms"
	if b.PauseSource != "" {
		pause += " (" + printable(b.PauseSource) + ")"
	}
	text := fmt.Sprintf(what, threads) + " for " + pause + fmt.Sprintf(": %s × %s = %s ms",
		plain(b.Threads), plain(b.PauseMS), plain(b.UsedMS))
	if b.ThrottleMS > 0 {
		return text + fmt.Sprintf(", %s ms more than the quota: the container stands still, and %s ms become %s ms (T2)",
			plain(b.ThrottleMS), plain(b.PauseMS), plain(b.StallMS))
	}
	return text + fmt.Sprintf(", within the quota of %s ms (T2)", plain(b.QuotaMS))
}

// milli writes millicores as Kubernetes does.
func milli(n int64) string {
	if n%1000 == 0 {
		return fmt.Sprint(n / 1000)
	}
	return fmt.Sprintf("%dm", n)
}

func (p *paper) timeline(t *Timeline) {
	if t == nil {
		return
	}
	if t.Missing != "" {
		p.section("Timeline", sentence("not drawn: "+t.Missing))
		return
	}
	p.section("Timeline", "")
	p.drawn(t)
}

// drawn is the drawing and what it says.
func (p *paper) drawn(t *Timeline) {
	if t.Missing != "" {
		p.block(4, nil, sentence("Not drawn: "+t.Missing), p.plain)
		return
	}
	for _, line := range strings.Split(strings.TrimRight(t.Text(p.width-4), "\n"), "\n") {
		p.line(run{"    " + line, p.plain})
	}
	p.block(4, nil, strings.Join(t.Says, " "), p.plain)
	if len(t.Assumed) > 0 {
		p.block(4, nil, "Assumed: "+strings.Join(t.Assumed, "; ")+".", p.subdued)
	}
}

func (p *paper) passing(e *engine.Explanation) {
	p.section("What would pass", "")
	for _, l := range passingLines(e) {
		p.row(l[0], 19, l[1], p.plain)
	}
	if e.Passing.Block != "" {
		p.line()
		for _, line := range strings.Split(strings.TrimRight(e.Passing.Block, "\n"), "\n") {
			p.line(run{"    " + printable(line), p.good})
		}
	}
	if e.Passing.BlockNote != "" {
		p.block(4, nil, sentence(upperFirst(printable(e.Passing.BlockNote))), p.subdued)
	}
	if e.Passing.ToolOptions != "" {
		p.line()
		p.block(4, nil, "JAVA_TOOL_OPTIONS: "+printable(e.Passing.ToolOptions), p.good)
	}
	if e.Passing.ToolOptionsNote != "" {
		p.block(4, nil, sentence(upperFirst(printable(e.Passing.ToolOptionsNote))), p.subdued)
	}
}

func passingLines(e *engine.Explanation) [][2]string {
	var lines [][2]string
	number := func(name, format string, v engine.ValueOrWhy) {
		switch {
		case v.Value > 0 && v.Why != "":
			lines = append(lines, [2]string{name, fmt.Sprintf(format, v.Value) + ", " + printable(v.Why)})
		case v.Value > 0:
			lines = append(lines, [2]string{name, fmt.Sprintf(format, v.Value)})
		case v.Why != "":
			lines = append(lines, [2]string{name, "none: " + printable(v.Why)})
		}
	}
	pass := e.Passing
	number("memory limit", "%d MiB at least, for these flags", pass.SmallestLimitMiB)
	number("heap", "%d MiB at most, under this limit", pass.LargestHeapMiB)
	number("MaxRAMPercentage", "%d at most, under this limit", pass.LargestPercentage)
	number("threads", "%d at most, under this limit", pass.LargestThreads)
	core := func(name string, milliCores int64, none, why string) {
		text := none
		switch {
		case milliCores > 0:
			text = milli(milliCores)
		case milliCores < 0:
			text = "no row of the matrix says"
		}
		if why != "" {
			text += ": " + printable(why)
		}
		lines = append(lines, [2]string{name, text})
	}
	core("CPU request", pass.CPURequest, "none", pass.CPURequestWhy)
	core("CPU limit", pass.CPULimit, "none", pass.CPULimitWhy)
	return lines
}

func (p *paper) unknown(e *engine.Explanation) {
	if len(e.Unknown) == 0 {
		return
	}
	p.section("Not known", "")
	for _, text := range e.Unknown {
		p.block(6, []run{{"    - ", p.plain}}, sentence(printable(text)), p.plain)
	}
}
