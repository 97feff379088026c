package explain

import (
	"fmt"

	"github.com/headroom-dev/headroom/internal/terminal"
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
		text = max(text, min(terminal.Width(terminal.Printable(f.Text)), 36))
	}
	source := ""
	for _, f := range e.Flags {
		if f.Source != source {
			source = f.Source
			p.Line(p.Subdued.Of("    " + terminal.Printable(source)))
		}
		p.flag(f, text)
	}
	if text := hidden(e); text != "" {
		p.block(4, nil, text, p.Subdued)
	}
	p.section("What the JVM makes of them", "")
	for _, l := range jvmLines(e.JVM) {
		if l.Value == "" && l.Source == "" {
			continue
		}
		value := terminal.Printable(l.Value)
		lead := "    " + terminal.Pad(l.Name, 16) + "  " + terminal.Pad(value, 10) + "  "
		p.block(terminal.Width(lead), []terminal.Run{p.Plain.Of(lead)}, terminal.Printable(l.Source), p.Subdued)
	}
	for _, why := range e.JVM.WillNotStart {
		p.block(4, nil, sentence(terminal.Printable(why)), p.Bad)
	}
}

// flag is one setting; of one that has lost, what it has lost to.
func (p *paper) flag(f engine.FlagLine, columns int) {
	style, note, text := p.Plain, flagNote(f), terminal.Printable(f.Text)
	if !f.Wins {
		style = p.Subdued
	}
	if f.Text == "" {
		text = "hidden"
	}
	lead := "      " + terminal.Pad(text, columns) + "  "
	if note == "" {
		p.Line(style.Of(lead))
		return
	}
	p.block(columns+8, []terminal.Run{style.Of(lead)}, note, p.Plain)
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
	if terminal.Width(version.Value) > 14 { // several, which the source names too
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
