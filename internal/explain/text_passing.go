package explain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

func (p *paper) passing(e *engine.Explanation) {
	p.section("What would pass", "")
	for _, l := range passingLines(e) {
		p.row(l[0], 19, l[1], p.Plain)
	}
	if e.Passing.Block != "" {
		p.Line()
		for _, line := range strings.Split(strings.TrimRight(e.Passing.Block, "\n"), "\n") {
			p.Line(p.Good.Of("    " + terminal.Printable(line)))
		}
	}
	if e.Passing.BlockNote != "" {
		p.block(4, nil, sentence(words.UpperFirst(terminal.Printable(e.Passing.BlockNote))), p.Subdued)
	}
	if e.Passing.ToolOptions != "" {
		p.Line()
		p.block(4, nil, "JAVA_TOOL_OPTIONS: "+terminal.Printable(e.Passing.ToolOptions), p.Good)
	}
	if e.Passing.ToolOptionsNote != "" {
		p.block(4, nil, sentence(words.UpperFirst(terminal.Printable(e.Passing.ToolOptionsNote))), p.Subdued)
	}
}

func passingLines(e *engine.Explanation) [][2]string {
	var lines [][2]string
	number := func(name, format string, v engine.ValueOrWhy) {
		switch {
		case v.Value > 0 && v.Why != "":
			lines = append(lines, [2]string{name, fmt.Sprintf(format, v.Value) + ", " + terminal.Printable(v.Why)})
		case v.Value > 0:
			lines = append(lines, [2]string{name, fmt.Sprintf(format, v.Value)})
		case strings.HasPrefix(v.Why, "not known"):
			lines = append(lines, [2]string{name, terminal.Printable(v.Why)})
		case v.Why != "":
			lines = append(lines, [2]string{name, "none: " + terminal.Printable(v.Why)})
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

// wanted is what a class asks for, in millicores: 0 means no limit, a negative value that it is not known.
func wanted(millicores engine.Wanted, why string) string {
	why = terminal.Printable(why)
	switch {
	case millicores < 0:
		return cmp.Or(why, "nobody can say")
	case why == "":
		return cores(int64(millicores))
	}
	return cores(int64(millicores)) + ": " + why
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
		p.block(6, []terminal.Run{p.Plain.Of("    - ")}, sentence(terminal.Printable(text)), p.Plain)
	}
}
