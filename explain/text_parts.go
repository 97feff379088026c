package explain

import (
	"cmp"
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
	text := 0
	for _, f := range e.Flags {
		text = max(text, min(width(printable(f.Text)), 36))
	}
	source := ""
	for _, f := range e.Flags {
		if f.Source != source {
			source = f.Source
			p.line(run{"    " + printable(source), p.subdued})
		}
		p.flag(f, text)
	}
	if text := hidden(e); text != "" {
		p.block(4, nil, text, p.subdued)
	}
	p.section("What the JVM makes of them", "")
	for _, l := range jvmLines(e.JVM) {
		if l.Value == "" && l.Source == "" {
			continue
		}
		value := printable(l.Value)
		lead := "    " + pad(l.Name, 16) + "  " + pad(value, 10) + "  "
		p.block(width(lead), []run{{lead, p.plain}}, printable(l.Source), p.subdued)
	}
	for _, why := range e.JVM.WillNotStart {
		p.block(4, nil, sentence("It will not start: "+printable(why)), p.bad)
	}
}

// flag is one setting; of one that has lost, what it has lost to.
func (p *paper) flag(f engine.FlagLine, columns int) {
	style, note := p.plain, flagNote(f)
	if !f.Wins && f.Text != "" {
		style = p.subdued
	}
	lead := "      " + pad(printable(f.Text), columns) + "  "
	if note == "" {
		p.line(run{lead, style})
		return
	}
	p.block(columns+8, []run{{lead, style}}, note, p.plain)
}

// hidden says what is not shown.
func hidden(e *engine.Explanation) string {
	switch n := int(e.PropertiesHidden); {
	case n == 1:
		return "1 system property is not shown: it may be a secret."
	case n > 1:
		return fmt.Sprintf("%d system properties are not shown: they may be secrets.", n)
	case len(e.Flags) == 0:
		return "None that can be seen."
	}
	return ""
}

// jvmLine is one line of what a JVM makes of its flags.
type jvmLine struct{ Name, Value, Source string }

func jvmLines(j *engine.JVMLine) []jvmLine {
	heap := j.MaxHeapMiB
	if heap.Value != "" {
		heap.Value += " MiB"
	}
	version := j.Version
	if width(version.Value) > 14 { // several, which the source names too
		version.Value = ""
	}
	return []jvmLine{
		{"version", version.Value, version.Source},
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
	burst := func(name string, b *engine.BurstLine) {
		if b != nil {
			add(name, "%s %s", printable(b.Text), from(b))
		}
	}
	burst("burst", e.Burst)
	burst("pool", e.Workers)
	if e.Pool != nil && e.Workers == nil {
		add("pool", "%s, %s: %s", count(int(e.Pool.Workers), "worker"), coresEach(e.Pool.CoresEach), printable(e.Pool.Source))
	}
	return lines
}

// from says where the figures of a burst are from; a pool's time is the period.
func from(b *engine.BurstLine) string {
	text := "Threads: " + cmp.Or(printable(b.ThreadsSource), "not said")
	if b.PauseMS != b.PeriodMS {
		text += "; pause: " + cmp.Or(printable(b.PauseSource), "not said")
	}
	return text + "."
}

func coresEach(n float64) string {
	if n == 1 {
		return "1 core each"
	}
	return plain(n) + " cores each"
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
		p.section("Timeline", sentence("not drawn, since "+printable(t.Missing)))
		return
	}
	p.section("Timeline", "")
	p.drawn(t)
}

// drawn is the drawing and what it says.
func (p *paper) drawn(t *Timeline) {
	if t.Missing != "" {
		p.block(4, nil, sentence("Not drawn, since "+printable(t.Missing)), p.plain)
		return
	}
	untitled := t.Timeline
	untitled.Title = "" // the heading stands above
	for _, line := range strings.Split(strings.TrimSpace(untitled.Text(p.width-4)), "\n") {
		p.line(run{"    " + line, p.plain})
	}
	p.block(4, nil, strings.Join(t.Says, " "), p.plain)
	if len(t.Assumed) > 0 {
		p.block(4, nil, "Assumed: "+printable(strings.Join(t.Assumed, "; "))+".", p.subdued)
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
	if e.JVM != nil {
		number("heap", "%d MiB at most, under this limit", pass.LargestHeapMiB)
		number("MaxRAMPercentage", "%d at most, under this limit", pass.LargestPercentage)
		number("threads", "%d at most, under this limit", pass.LargestThreads)
	}
	lines = append(lines,
		[2]string{"CPU request", wanted(pass.CPURequest, pass.CPURequestWhy)},
		[2]string{"CPU limit", wanted(pass.CPULimit, pass.CPULimitWhy)})
	return lines
}

// wanted is what a class asks for, in millicores: 0 is none, and below that nobody can say.
func wanted(millicores int64, why string) string {
	why = printable(why)
	switch {
	case millicores < 0:
		return cmp.Or(why, "nobody can say")
	case why == "":
		return cores(millicores)
	}
	return cores(millicores) + ": " + why
}

func cores(millicores int64) string {
	if millicores == 0 {
		return none
	}
	return milli(millicores)
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
