package edit

import "slices"

// add puts a new entry into a collection; one that a map has already is replaced.
func (p *place) add(value any) ([]splice, error) {
	n := p.node()
	if n.kind == mapping && p.found != nil {
		return p.replaceValue(n, p.found, value)
	}
	m := writingStyleAt(p)
	switch {
	case n.flow && len(n.entries) == 0:
		return p.first(m, value)
	case n.flow && n.kind == sequence && p.index < len(n.entries):
		return p.before(m, value)
	case n.flow:
		return p.behindLast(m, value)
	case n.kind == sequence && p.index == 0:
		at := n.entries[0].mark
		return []splice{{at, at, m.item(value, n.column) + "\n" + spaces(n.column)}}, nil
	case n.kind == sequence:
		return p.lineAfter(n.entries[p.index-1].end(), n, m.item(value, n.column))
	}
	return p.lineAfter(p.behind(n), n, m.field(p.key, value, n.column))
}

// behind is the offset on whose line a new key of a map goes: behind the last entry, but
// metadata before a spec, where people look for it.
func (p *place) behind(n *node) int {
	spec := n.find("spec")
	if p.key != "metadata" || spec == nil || !p.text.first(spec.begin()) {
		return n.end
	}
	if i := slices.Index(n.entries, spec); i > 0 {
		return n.entries[i-1].end()
	}
	if held := p.held(); held != nil && held.key != nil && !n.anchored && p.text.rest(held.mark+1) {
		return held.mark + 1
	}
	return n.end
}

// lineAfter adds lines at the end of the line on which an offset lies.
func (p *place) lineAfter(at int, n *node, text string) ([]splice, error) {
	if !p.text.rest(at) {
		return nil, refuse(at, misread)
	}
	at = p.text.end(at)
	if at == len(p.text) && p.text.openEnd(n) {
		return nil, refuse(n.start, "a | or > value ends without a newline, and one would become part of it")
	}
	return []splice{{at, at, "\n" + spaces(n.column) + text}}, nil
}

// first puts an entry into a collection that is empty. Braces are the only way to write
// that, so they say nothing of the style: where lines stand around them, lines are added.
func (p *place) first(m writingStyle, value any) ([]splice, error) {
	n := p.node()
	if p.text.commented(n.start, n.end) {
		return nil, refuse(n.start, "a comment stands inside of the braces")
	}
	var whole any = map[string]any{p.key: value}
	if n.kind == sequence {
		whole = []any{value}
	}
	if len(p.way) > 1 {
		if above := p.way[len(p.way)-2].node; !above.flow {
			return p.fill(m, above, p.held(), whole)
		}
	}
	return []splice{{n.start, n.end, m.inline(whole, true, p.line(n.start))}}, nil
}

// written is the new entry of a flow collection.
func (p *place) written(m writingStyle, value any, line string) string {
	if p.node().kind == sequence {
		return m.inline(value, true, line)
	}
	return m.pair(p.key, value, line)
}

// before inserts an item into a list in brackets.
func (p *place) before(m writingStyle, value any) ([]splice, error) {
	at := p.found.begin()
	if p.text.first(at) {
		line := "\n" + lead(p.text, at)
		return []splice{{at, at, p.written(m, value, line) + "," + line}}, nil
	}
	return []splice{{at, at, p.written(m, value, "") + m.comma}}, nil
}

// behindLast appends to a collection in braces or brackets.
func (p *place) behindLast(m writingStyle, value any) ([]splice, error) {
	last := p.node().entries[len(p.node().entries)-1]
	at := last.end()
	comma := p.text.trivia(at)
	trailing := p.text.has(comma, ",")
	if !p.text.first(last.begin()) {
		return []splice{{at, at, m.comma + p.written(m, value, "")}}, nil
	}
	line := "\n" + lead(p.text, last.begin())
	text := line + p.written(m, value, line)
	behind := at
	if trailing {
		behind = comma + 1
		text += ","
	}
	if next := p.text.blanks(behind); p.text.has(next, "#") {
		behind = p.text.end(next) // the comment belongs to the entry above
	}
	if trailing {
		return []splice{{behind, behind, text}}, nil
	}
	return []splice{{at, at, ","}, {behind, behind, text}}, nil
}
