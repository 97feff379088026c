package edit

import (
	"slices"
	"strings"
)

// remove takes an entry out of its collection, with the lines that it alone stands on.
func (p *place) remove() ([]splice, error) {
	n := p.node()
	index := slices.Index(n.entries, p.found)
	switch {
	case n.flow:
		return p.removeInline(n, index)
	case len(n.entries) == 1:
		return p.removeLast(n)
	}
	e := p.found
	if !p.text.rest(e.end()) {
		return nil, refuse(e.end(), misread)
	}
	if p.text.first(e.begin()) {
		lines := p.wholeLines(e)
		if lines.end == len(p.text) && lines.start < p.text.start(e.begin()) &&
			p.text.openEnd(n.entries[index-1].value) {
			lines.start++ // the newline belongs to the value above
		}
		return []splice{lines}, nil
	}
	// It shares its line with the dash of the item that it begins.
	if index != 0 {
		return nil, refuse(e.begin(), misread)
	}
	next := n.entries[1].begin()
	if strings.Trim(string(p.text[p.text.end(e.end()):next]), " \n") == "" {
		return []splice{{e.begin(), next, ""}}, nil
	}
	from := len(strings.TrimRight(string(p.text[:e.begin()]), " "))
	return []splice{{from, p.text.end(e.end()), ""}}, nil
}

// wholeLines are the lines of an entry, comments behind its values included.
func (p *place) wholeLines(e *entry) splice {
	start, end := p.text.start(e.begin()), p.text.end(e.end())
	if end == len(p.text) { // there is no newline at the end, and there shall be none
		return splice{start - 1, end, ""}
	}
	return splice{start, end + 1, ""}
}

// removeLast leaves an empty collection, which has to be written.
func (p *place) removeLast(n *node) ([]splice, error) {
	braces := "{}"
	if n.kind == sequence {
		braces = "[]"
	}
	if !p.text.rest(n.end) {
		return nil, refuse(n.end, misread)
	}
	held := p.held()
	if held == nil || p.text.start(held.begin()) == p.text.start(n.start) {
		return []splice{{n.start, n.end, braces}}, nil
	}
	at := held.mark + 1
	if n.anchored {
		at = n.at + strings.IndexAny(string(p.text[n.at:]), " \t\n")
	}
	return []splice{{at, at, " " + braces}, p.wholeLines(p.found)}, nil
}

// removeInline takes an entry out of braces or brackets, with the comma that goes with it.
func (p *place) removeInline(n *node, index int) ([]splice, error) {
	e := n.entries[index]
	from, to := e.begin(), e.end()
	switch {
	case len(n.entries) == 1:
		from, to = n.start+1, n.end-1
	case index+1 < len(n.entries):
		to = n.entries[index+1].begin()
	default:
		from = n.entries[index-1].end()
	}
	if p.text.commented(from, e.begin()) || p.text.commented(e.end(), to) {
		return nil, refuse(e.begin(), "a comment stands beside the value, inside of the braces")
	}
	return []splice{{from, to, ""}}, nil
}
