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
	t.line(run{"Exempted", t.heading})
	for i := range r.Exempted {
		f := &r.Exempted[i]
		subject := sentences.Title(f.Resource)
		if f.Container != "" {
			subject += ", " + terminal.Printable(f.Container)
		}
		t.note(sentences.Place(f.File, f.Line), terminal.Printable(f.Rule)+" "+subject, sentences.Exemption(f.Suppressed))
	}
	t.line()
}

// skipped lists what was not judged: unknown is not a pass.
func (t *table) skipped(r *report.Report) {
	if len(r.Skipped) == 0 {
		return
	}
	t.line(run{"Skipped", t.heading})
	for _, s := range r.Skipped {
		t.note(terminal.Printable(s.File), sentences.Skipped(s), terminal.Printable(s.Reason))
	}
	t.line()
}

func (t *table) problems(r *report.Report) {
	if len(r.Problems) == 0 {
		return
	}
	t.line(run{"Could not be read", t.of("error")})
	for _, p := range r.Problems {
		t.note(sentences.Place(p.File, p.Line), "", terminal.Printable(p.Message))
	}
	t.line()
}

// note is one entry of a list: where, what, and the reason below it.
func (t *table) note(at, what, reason string) {
	if at == "" && what == "" { // of a cluster: the reason names what it is about
		t.block(2, nil, reason, t.plain)
		return
	}
	if at != "" {
		at = "  " + at
	}
	t.line(run{at, t.plain}, run{"  " + what, t.strong})
	t.block(6, nil, reason, t.plain)
}
