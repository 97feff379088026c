package table

import (
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
)

// exempted lists what an exemption covers, and why.
func (t *table) exempted(r *report.Report) {
	if len(r.Exempted) == 0 {
		return
	}
	t.Line(t.Heading.Of("Exempted"))
	for i := range r.Exempted {
		f := &r.Exempted[i]
		subject := sentences.Title(f.Resource)
		if f.Container != "" {
			subject += ", " + terminal.Printable(f.Container)
		}
		t.note(sentences.Place(f.File, f.Line), terminal.Printable(f.Rule)+" "+subject, sentences.Exemption(f.Suppressed))
	}
	t.Line()
}

// skipped lists what was not judged: unknown is not a pass.
func (t *table) skipped(r *report.Report) {
	if len(r.Skipped) == 0 {
		return
	}
	t.Line(t.Heading.Of("Skipped"))
	for _, s := range r.Skipped {
		t.note(terminal.Printable(s.File), sentences.Skipped(s), terminal.Printable(s.Reason))
	}
	t.Line()
}

func (t *table) problems(r *report.Report) {
	if len(r.Problems) == 0 {
		return
	}
	t.Line(t.Severity("error").Of("Could not be read"))
	for _, p := range r.Problems {
		t.note(sentences.Place(p.File, p.Line), "", terminal.Printable(p.Message))
	}
	t.Line()
}

// note is one entry of a list: where, what, and the reason below it.
func (t *table) note(at, what, reason string) {
	if at == "" && what == "" { // of a cluster: the reason names what it is about
		t.block(2, nil, reason, t.Plain)
		return
	}
	if at != "" {
		at = "  " + at
	}
	t.Line(t.Plain.Of(at), t.Strong.Of("  "+what))
	t.block(6, nil, reason, t.Plain)
}
