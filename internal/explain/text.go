package explain

import (
	"cmp"
	"fmt"
	"io"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/policies/engine"
)

// writeText prints a report for a person at a terminal of so many columns.
func writeText(w io.Writer, r *Report, colored bool, columns int) error {
	p := newPaper(colored, columns)
	for i := range r.Workloads {
		if i > 0 {
			p.Line()
		}
		p.workload(r, &r.Workloads[i])
	}
	for _, note := range r.Notes {
		p.block(2, nil, sentence(words.UpperFirst(terminal.Printable(note))), p.Plain)
	}
	for _, problem := range r.Problems {
		at := sentences.Place(problem.File, problem.Line)
		if at != "" {
			at += ": "
		}
		p.block(11, []terminal.Run{p.Bad.Of("  problem  ")}, at+terminal.Printable(problem.Message), p.Plain)
	}
	if note := engine.FactsNote(p.Out.String()); note != "" {
		p.Line()
		p.block(2, nil, note, p.Subdued)
	}
	_, err := w.Write(p.Out.Bytes())
	return err
}

func (p *paper) workload(r *Report, w *Workload) {
	at := sentences.Place(w.File, w.Line)
	switch {
	case at == "":
		p.Line(p.Heading.Of(sentences.Title(w.Resource)))
	case terminal.Width(at)+2+terminal.Width(sentences.Title(w.Resource)) <= p.Width:
		p.Line(p.Heading.Of(at), p.Plain.Of("  "), p.Strong.Of(sentences.Title(w.Resource)))
	default:
		p.Line(p.Heading.Of(at))
		p.Line(p.Plain.Of("  "), p.Strong.Of(sentences.Title(w.Resource)))
	}
	for _, note := range w.Notes {
		p.block(2, nil, terminal.Printable(note), p.Plain)
	}
	if len(w.Findings) > 0 {
		p.section("Verdicts on the whole workload", "")
		p.verdicts(r, w.Findings)
	}
	for i := range w.Containers {
		p.Line()
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
		p.Line(p.Strong.Of(head))
		p.block(2, nil, sentence("Not judged: "+terminal.Printable(e.Skipped)), p.Plain)
		return
	}
	p.Line(p.Strong.Of(head), p.Subdued.Of("  "+tally(c.Findings)))
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
	p.Line()
	if rest == "" {
		p.Line(p.Plain.Of("  "), p.Strong.Of(name))
		return
	}
	p.block(terminal.Width(name)+4, []terminal.Run{p.Plain.Of("  "), p.Strong.Of(name), p.Plain.Of(": ")}, rest, p.Plain)
}

// row is a name, and what there is to say of it.
func (p *paper) row(name string, columns int, value string, style terminal.Style) {
	p.block(columns+6, []terminal.Run{p.Plain.Of("    " + terminal.Pad(name, columns) + "  ")}, value, style)
}

func (p *paper) identity(e *engine.Explanation) {
	say := func(name, value, evidence string) {
		text := value
		if evidence != "" {
			text += ": " + terminal.Printable(evidence)
		}
		p.block(11, []terminal.Run{p.Subdued.Of("  " + terminal.Pad(name, 9))}, text, p.Plain)
	}
	say("class", class(e), e.ClassEvidence)
	for _, weaker := range e.Weaker {
		p.block(11, nil, sentence(terminal.Printable(weaker)), p.Subdued)
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
		p.block(terminal.Width(lead), []terminal.Run{p.Plain.Of(lead)}, terminal.Printable(l.Source), p.Subdued)
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
	var hidden []engine.Finding // counted as they are in the heading
	for _, f := range bySeverity(findings) {
		if !all.Shows(f.Severity) {
			hidden = append(hidden, f)
			continue
		}
		at := ""
		if f.Line > 0 {
			at = fmt.Sprintf("  line %d", f.Line)
		}
		p.Line(p.Plain.Of("    "), p.Severity(f.Severity).Of(terminal.Pad(terminal.Printable(f.Severity), 8)),
			p.Plain.Of(" "+terminal.Printable(f.Rule)+" "+terminal.Printable(f.Slug)), p.Subdued.Of(at))
	}
	if len(hidden) > 0 {
		p.Line(p.Subdued.Of("    " + tally(hidden) + ": --show " + terminal.Printable(hidden[len(hidden)-1].Severity)))
	}
}

// class is what a container was taken for.
func class(e *engine.Explanation) string {
	if e.Class == "" {
		return "unclassified"
	}
	return terminal.Printable(e.Class)
}

// tally counts findings by severity: "3 errors, 1 info".
func tally(findings []engine.Finding) string {
	return cmp.Or(sentences.Tally(findings), "no findings")
}
