package table

import (
	"bytes"
	"fmt"
	"path"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	// linesPerPlace is how long a report of a file or a namespace gets: a screen. What is worst is
	// said in full, and the rest in short.
	linesPerPlace = 25
	maxAlsoLines  = 2 // of further containers
)

// forms of an entry, from the longest.
const (
	full  = iota // what, why, what is wanted, and where else
	short        // the head and one line
	bare         // the head alone
)

// entries prints what was found, the worst first, and tells whether some of it is shortened. around
// is how many lines the rest of the report takes.
func (t *table) entries(r *report.Report, list []*report.Entry, around int) bool {
	places := r.Summary.Files
	if r.Cluster != nil {
		places = len(r.Cluster.Namespaces)
	}
	room := linesPerPlace*max(1, places) - around
	texts, total := make([][]byte, len(list)), 0
	for i, e := range list {
		texts[i] = t.drawn(e, full)
		total += lines(texts[i])
	}
	airy := total+len(list) <= room
	// A user who asks for infos or arithmetic wants all of them.
	unbounded := t.explain || r.Shows(engine.SeverityInfo)
	shortened := false
	shorten := func(from, to, form int) {
		for i := to - 1; i >= from && total > room && !unbounded; i-- {
			text := t.drawn(list[i], form)
			if saved := lines(texts[i]) - lines(text); saved > 0 {
				texts[i], shortened = text, true
				total -= saved
			}
		}
	}
	// The worst keeps its advice longest.
	worst := min(1, len(list))
	shorten(worst, len(list), short)
	shorten(worst, len(list), bare)
	shorten(0, worst, short)
	for _, text := range texts {
		t.Out.Write(text)
		if airy || unbounded {
			t.Line()
		}
	}
	if len(list) > 0 && !airy && !unbounded {
		t.Line()
	}
	return shortened
}

// drawn is an entry in one of its forms.
func (t *table) drawn(e *report.Entry, form int) []byte {
	to := *t
	to.Out = &bytes.Buffer{}
	where := sentences.Where(e, "  ")
	if form != full {
		rest := ""
		if n := len(e.Places) - 1; n > 0 {
			rest = fmt.Sprintf(" and %d more", n)
		}
		if where += rest; !t.fits(&e.Finding, where, "") {
			where = sentences.Subject(e, &e.Finding) + "  " + sentences.Place(path.Base(e.File), e.Line) + rest
		}
	}
	notes := sentences.EntryNotes(e)
	if form != full && !t.fits(&e.Finding, where, notes) {
		notes = ""
	}
	to.head(&e.Finding, where, notes)
	message := terminal.Printable(sentences.Message(e))
	columns := min(t.Width-textColumn, terminal.MaxProse)
	switch form {
	case full:
		to.block(textColumn, nil, message, t.Plain)
		to.arithmetic(e.Figures)
		to.labelled("wanted", sentences.Wanted(e))
		to.labelled("price", sentences.Price(e))
		to.labelled("also", sentences.Also(e, ": --verbose", func(text string) bool {
			return len(terminal.Wrap(text, columns-len("also: "))) <= maxAlsoLines
		}))
	case short:
		line := message
		if wrapped := terminal.Wrap(message, columns); len(wrapped) > 1 {
			line = terminal.Wrap(message, columns-2)[0] + " …"
		}
		to.block(textColumn, nil, line, t.Plain)
	}
	return to.Out.Bytes()
}
