package sentences

import (
	"fmt"
	"path"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Places and advice that an entry lists at most.
const (
	maxAlso   = 8
	maxWanted = 3
	maxOwn    = 60 // columns of the advice for one more container
)

// Subject is what a finding is about: the container, and the workload where its name does not tell
// it; of a cluster, and of what is no container, the object as kubectl names it.
func Subject(f *engine.Finding) string {
	switch {
	case f.Container == "" && f.File == "":
		return Title(f.Resource)
	case f.Container == "":
		return Title(engine.Resource{Kind: f.Resource.Kind, Name: f.Resource.Name})
	case f.File == "":
		return Title(f.Resource) + ", " + terminal.Printable(f.Container)
	case f.Resource.Name == "" || strings.Contains("-"+f.Resource.Name+"-", "-"+f.Container+"-"):
		return terminal.Printable(f.Container)
	}
	return terminal.Printable(f.Resource.Name + "/" + f.Container)
}

// Wanted is what would be right, for the first container of an entry; where it says what a class
// might be, for a few of them.
func Wanted(e *report.Entry) string {
	list := e.Wanted()
	if e.Rule != report.ClassMissing || len(list) < 2 {
		return terminal.Printable(e.Expected)
	}
	var parts []string
	for _, wanted := range list[:min(len(list), maxWanted)] {
		for _, f := range e.Places {
			if f.Expected == wanted {
				parts = append(parts, Subject(f)+": "+terminal.Printable(wanted))
				break
			}
		}
	}
	if n := len(list) - maxWanted; n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(parts, "; ")
}

// Also lists the further containers of an entry, each with its line and with what is wanted of it
// where that differs: "worker:58 (requests.memory: 768Mi), shipper:91". fits says how much of the
// text there is room for; more stands behind the number of the rest, and says how to see it.
func Also(e *report.Entry, more string, fits func(string) bool) string {
	var list []string
	before := e.Places[0]
	for _, f := range e.Places[1:] {
		text := Subject(f)
		switch {
		case f.File == before.File && f.Line > 0:
			text += fmt.Sprintf(":%d", f.Line)
		case path.Dir(f.File) == path.Dir(e.File) && f.File != "":
			text += " " + Place(path.Base(f.File), f.Line)
		case f.File != "":
			text += " " + Place(f.File, f.Line)
		}
		if wanted := terminal.Printable(f.Expected); e.Rule != report.ClassMissing && wanted != "" &&
			strings.ReplaceAll(f.Expected, f.Container, "") != strings.ReplaceAll(e.Expected, e.Container, "") {
			if terminal.Width(wanted) > maxOwn {
				wanted = "other advice"
			}
			text += " (" + wanted + ")"
		}
		list, before = append(list, text), f
	}
	for n := min(len(list), maxAlso); n >= 0; n-- {
		text := strings.Join(list[:n], ", ")
		if rest := len(list) - n; rest > 0 {
			text = strings.TrimPrefix(fmt.Sprintf("%s and %d more%s", text, rest, more), " and ")
		}
		if n == 0 || fits(text) {
			return text
		}
	}
	return ""
}

// EntryNotes stand behind the head of an entry: "auto-fixable", "with HR403, HR404".
func EntryNotes(e *report.Entry) string {
	var parts []string
	if e.Mark.New {
		parts = append(parts, "new")
	}
	if e.Fixable {
		parts = append(parts, "auto-fixable")
	}
	if len(e.With) > 0 {
		parts = append(parts, "with "+terminal.Printable(strings.Join(e.With, ", ")))
	}
	return strings.Join(parts, ", ")
}

// Where is the first container of an entry and its place: "cart  shop.yaml:31".
func Where(e *report.Entry, between string) string {
	return strings.TrimSuffix(Subject(&e.Finding)+between+Place(e.File, e.Line), between)
}
