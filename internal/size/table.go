package size

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// page writes text for a terminal of so many columns.
type page struct {
	out     *bytes.Buffer
	columns int
}

func (p *page) line(format string, args ...any) {
	p.out.WriteString(strings.TrimRight(terminal.Printable(fmt.Sprintf(format, args...)), " ") + "\n")
}

// text wraps text behind an indent.
func (p *page) text(indent int, text string) {
	width := max(40, p.columns-indent)
	line := ""
	for _, word := range strings.Fields(terminal.Printable(text)) {
		if line != "" && terminal.Width(line)+1+terminal.Width(word) > width {
			p.out.WriteString(strings.Repeat(" ", indent) + line + "\n")
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	p.out.WriteString(strings.Repeat(" ", indent) + line + "\n")
}

// measured says who was asked what these containers use, and whether an answer came.
func measured(r *Report) string {
	for _, w := range r.Workloads {
		for _, c := range w.Containers {
			if c.Confidence.Known && c.Confidence.Days >= 0 {
				return "Measured by " + r.Measured
			}
		}
	}
	return "Asked, with no measurement of these containers: " + r.Measured
}

func writeTable(out *bytes.Buffer, r *Report, columns int) {
	p := &page{out, columns}
	if columns <= 0 {
		p.columns = 100
	}
	if r.Measured != "" {
		p.line("%s.", measured(r))
	}
	for i := range r.Workloads {
		if i > 0 || r.Measured != "" {
			p.line("")
		}
		p.workload(&r.Workloads[i])
	}
	for _, problem := range r.Problems {
		p.text(0, "problem: "+place(problem.File, problem.Line)+problem.Message)
	}
	p.line("")
	for _, line := range r.asides() {
		p.text(0, words.UpperFirst(line)+".")
	}
	p.text(0, total(r))
}

func place(file string, line int) string {
	switch {
	case file == "":
		return ""
	case line == 0:
		return file + ": "
	}
	return fmt.Sprintf("%s:%d: ", file, line)
}

// title names a workload.
func title(w *Workload) string {
	name := w.Resource.Name
	if w.Resource.Namespace != "" {
		name = w.Resource.Namespace + "/" + name
	}
	return fmt.Sprintf("%s%s %s, %s", place(w.File, w.Line), w.Resource.Kind, name, words.Count(w.Replicas, "replica"))
}

func (p *page) workload(w *Workload) {
	p.line("%s", title(w))
	for i := range w.Containers {
		p.container(&w.Containers[i])
	}
	for _, a := range w.Autoscalers {
		p.text(2, scaled(a))
	}
	for i := range w.Remains {
		f := &w.Remains[i]
		at := ""
		if f.Container != "" {
			at = " on " + f.Container
		}
		p.text(2, fmt.Sprintf("%s remains%s: %s", f.Rule, at, f.Expected))
	}
	if w.Made {
		p.text(2, "Another object makes it, which is what has to be changed: there is no patch.")
	}
	p.text(2, w.Cost().words())
}

func (p *page) container(c *engine.ContainerSize) {
	what := c.Class
	if c.Runtime != "" {
		what += ", " + c.Runtime
	}
	p.line("  %s (%s)", c.Container, what)
	p.text(4, confidence(c.Confidence))
	for _, v := range c.Values {
		if v.Now == "" && v.Wanted == "" {
			continue
		}
		change := fmt.Sprintf("%-16s %8s", v.Name, orNone(v.Now))
		if v.Changed() {
			change += fmt.Sprintf(" → %-8s", orNone(v.Wanted))
		} else {
			change += "   stays   "
		}
		p.line("    %s", change)
		if v.Changed() {
			p.text(8, v.Why)
		}
	}
	for _, text := range c.Unsized {
		p.text(4, "not sized: "+text)
	}
	for _, text := range c.Notes {
		p.text(4, text)
	}
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}

// confidence says how well the use is known.
func confidence(c engine.Confidence) string {
	text := words.UpperFirst(c.Text)
	if c.Days >= 0 {
		text += fmt.Sprintf("; over %.1f days", c.Days)
	}
	switch {
	case c.Known && c.LeftOut == "none":
		text += "; all samples used"
	case c.Known && c.LeftOut != "not known":
		text += "; samples left out: " + c.LeftOut
	}
	return text + "."
}

// scaled says what becomes of an autoscaler's target.
func scaled(a engine.AutoscalerSize) string {
	of := a.Resource
	if a.Container != "" {
		of += " of container " + a.Container
	}
	if a.Now == a.Wanted {
		return fmt.Sprintf("HorizontalPodAutoscaler %s: the target of %s stays %d %%: %s.", a.Name, of, a.Now, a.Why)
	}
	return fmt.Sprintf("HorizontalPodAutoscaler %s: the target of %s %d → %d %%: %s.", a.Name, of, a.Now, a.Wanted, a.Why)
}

// words say what all replicas reserve.
func (c Cost) words() string {
	if c.Before == c.After {
		return fmt.Sprintf("All replicas reserve %s cores and %s GiB, as before.", cores(c.Before.CPU), gibibytes(c.Before.Memory))
	}
	return fmt.Sprintf("All replicas reserve %s → %s cores (%s) and %s → %s GiB (%s).",
		cores(c.Before.CPU), cores(c.After.CPU), signed(float64(c.After.CPU-c.Before.CPU)/1000),
		gibibytes(c.Before.Memory), gibibytes(c.After.Memory), signed(float64(c.After.Memory-c.Before.Memory)/(1<<30)))
}

func total(r *Report) string {
	return fmt.Sprintf("%d of %s to change. %s", r.Changes(), words.Count(len(r.Workloads), "workload"), r.Cost().words())
}
