package explain

import (
	"fmt"
	"io"

	"github.com/fatih/color"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// writeText prints a report for a person at a terminal of so many columns.
func writeText(w io.Writer, r *Report, colored bool, columns int) error {
	p := newPaper(colored, columns)
	for i := range r.Workloads {
		if i > 0 {
			p.line()
		}
		p.workload(r, &r.Workloads[i])
	}
	for _, note := range r.Notes {
		p.block(2, nil, sentence(upperFirst(terminal.Printable(note))), p.plain)
	}
	for _, problem := range r.Problems {
		at := place(problem.File, problem.Line)
		if at != "" {
			at += ": "
		}
		p.block(11, []run{{"  problem  ", p.bad}}, at+terminal.Printable(problem.Message), p.plain)
	}
	if note := engine.FactsNote(p.out.String()); note != "" {
		p.line()
		p.block(2, nil, note, p.subdued)
	}
	_, err := w.Write(p.out.Bytes())
	return err
}

func (p *paper) workload(r *Report, w *Workload) {
	at := place(w.File, w.Line)
	switch {
	case at == "":
		p.line(run{title(w.Resource), p.heading})
	case terminal.Width(at)+2+terminal.Width(title(w.Resource)) <= p.width:
		p.line(run{at, p.heading}, run{"  ", p.plain}, run{title(w.Resource), p.strong})
	default:
		p.line(run{at, p.heading})
		p.line(run{"  ", p.plain}, run{title(w.Resource), p.strong})
	}
	for _, note := range w.Notes {
		p.block(2, nil, terminal.Printable(note), p.plain)
	}
	if len(w.Findings) > 0 {
		p.section("Verdicts on the whole workload", "")
		p.verdicts(r, w.Findings)
	}
	for i := range w.Containers {
		p.line()
		p.container(r, &w.Containers[i])
	}
}

func (p *paper) container(r *Report, c *Container) {
	e := &c.Explanation
	head := terminal.Printable(e.Container)
	if e.Role != "" && e.Role != "app" {
		head += " (" + terminal.Printable(e.Role) + ")"
	}
	if e.Skipped != "" {
		p.line(run{head, p.strong})
		p.block(2, nil, sentence("Not judged: "+terminal.Printable(e.Skipped)), p.plain)
		return
	}
	p.line(run{head, p.strong}, run{"  " + tally(c.Findings), p.subdued})
	p.identity(e)
	p.resources(e)
	p.jvm(e)
	p.memory(e, r.Free)
	p.sizes(e)
	p.cpu(e)
	p.timeline(c.Timeline)
	if len(c.Findings) > 0 {
		p.section("Verdicts", "headroom lint --explain says each of them with its arithmetic")
		p.verdicts(r, c.Findings)
	}
	p.passing(e)
	p.unknown(e)
	p.whatIf(r, c)
}

// section begins a part with its name.
func (p *paper) section(name, rest string) {
	p.line()
	if rest == "" {
		p.line(run{"  ", p.plain}, run{name, p.strong})
		return
	}
	p.block(terminal.Width(name)+4, []run{{"  ", p.plain}, {name, p.strong}, {": ", p.plain}}, rest, p.plain)
}

// row is a name, and what there is to say of it.
func (p *paper) row(name string, columns int, value string, style *color.Color) {
	p.block(columns+6, []run{{"    " + terminal.Pad(name, columns) + "  ", p.plain}}, value, style)
}

func (p *paper) identity(e *engine.Explanation) {
	say := func(name, value, evidence string) {
		text := value
		if evidence != "" {
			text += ": " + terminal.Printable(evidence)
		}
		p.block(11, []run{{"  " + terminal.Pad(name, 9), p.subdued}}, text, p.plain)
	}
	say("class", class(e), e.ClassEvidence)
	for _, weaker := range e.Weaker {
		p.block(11, nil, sentence(terminal.Printable(weaker)), p.subdued)
	}
	runtime := terminal.Printable(e.Runtime)
	if runtime == "" {
		runtime = "not known"
	}
	say("runtime", runtime, e.RuntimeEvidence)
}

func (p *paper) resources(e *engine.Explanation) {
	if len(e.Resources) == 0 {
		return
	}
	p.section("Requests and limits", "")
	name, value := 0, 0
	for _, l := range e.Resources {
		name, value = max(name, terminal.Width(l.Name)), max(value, terminal.Width(resourceValue(l)))
	}
	for _, l := range e.Resources {
		lead := "    " + terminal.Pad(terminal.Printable(l.Name), name) + "  " + terminal.Pad(resourceValue(l), value) + "  "
		p.block(terminal.Width(lead), []run{{lead, p.plain}}, terminal.Printable(l.Source), p.subdued)
	}
}

func resourceValue(l engine.ResourceLine) string {
	if l.Value == "" {
		return "none"
	}
	return terminal.Printable(l.Value)
}

// verdicts names what the rules found; headroom lint says it at length.
func (p *paper) verdicts(r *Report, findings []engine.Finding) {
	all := report.Report{Findings: findings, Show: r.Show}
	for _, f := range bySeverity(findings) {
		if !all.Shows(f.Severity) {
			continue
		}
		at := ""
		if f.Line > 0 {
			at = fmt.Sprintf("  line %d", f.Line)
		}
		p.line(run{"    ", p.plain}, run{terminal.Pad(terminal.Printable(f.Severity), 8), p.severity(f.Severity)},
			run{" " + terminal.Printable(f.Rule) + " " + terminal.Printable(f.Slug), p.plain}, run{at, p.subdued})
	}
	if hidden := sentences.Hidden(&all); hidden != "" {
		p.line(run{"    " + hidden, p.subdued})
	}
}
