package edit

import "strings"

// splice replaces the bytes [start, end) of a document's text.
type splice struct {
	start, end int
	text       string
}

// replaceValue writes a value in place of the one that an entry of a collection has.
func (p *place) replaceValue(in *node, e *entry, value any) ([]splice, error) {
	m := writingStyleAt(p)
	old := e.value
	switch {
	case in.flow || old.flow && len(old.entries) > 0:
		if old.collection() && p.text.commented(old.start, old.end) {
			return nil, refuse(old.start, "comments stand inside of what would be replaced")
		}
		if text, ok := value.(string); ok && old.kind == scalar {
			return p.rewrite(m, e, text, true)
		}
		return p.over(e, m.inline(value, true, p.line(old.start))), nil
	case !isEmpty(value):
		return p.fill(m, in, e, value)
	case old.collection():
		if p.text.commented(e.mark, old.end) {
			return nil, refuse(old.start, "comments stand inside of what would be replaced")
		}
		return []splice{{p.gap(e), old.end, " " + m.inline(value, false, "")}}, nil
	}
	if text, ok := value.(string); ok {
		return p.rewrite(m, e, text, false)
	}
	if p.text.multiline(old) {
		return nil, refuse(old.start, cut)
	}
	return p.over(e, m.inline(value, false, "")), nil
}

const cut = "a value over several lines would have to be cut"

// over writes text over an entry's value, with a blank in front where there was no value.
func (p *place) over(e *entry, text string) []splice {
	old := e.value
	if old.empty() {
		text = " " + text
	}
	return []splice{{old.start, old.end, text}}
}

// rewrite puts a string in place of a scalar, in the quotes that it has.
func (p *place) rewrite(m writingStyle, e *entry, text string, flow bool) ([]splice, error) {
	old := e.value
	if p.text.multiline(old) {
		return p.prefix(old, text, flow)
	}
	if old.style == double { // what is added in front leaves the escapes behind it as they are written
		if splices, err := p.prefix(old, text, flow); err == nil {
			return splices, nil
		}
	}
	switch old.style {
	case single, double:
		m.always, m.quote = true, old.style
	default:
		m.always = m.always && old.empty()
	}
	return p.over(e, m.text(text, flow)), nil
}

// prefix puts text in front of a scalar over several lines, whose lines all stay: it is how
// flags are added. Nothing else can be done to one without breaking its lines anew.
func (p *place) prefix(old *node, text string, flow bool) ([]splice, error) {
	added, ok := strings.CutSuffix(text, old.value)
	if !ok || added == "" || !printable(added) {
		return nil, refuse(old.start, cut)
	}
	at := old.start
	switch old.style {
	case single:
		added, at = strings.ReplaceAll(added, "'", "''"), at+1
	case double:
		inner := quoted(added)
		added, at = inner[1:len(inner)-1], at+1
	case plain:
		if first, _, _ := strings.Cut(old.value, "\n"); !bare(added+first, flow) {
			return nil, refuse(old.start, cut)
		}
	default:
		at = p.text.space(p.text.end(at))
		if at >= old.end {
			return nil, refuse(old.start, cut)
		}
	}
	return []splice{{at, at, added}}, nil
}

// gap is where the blanks in front of an entry's value begin.
func (p *place) gap(e *entry) int {
	return e.mark + len(strings.TrimRight(string(p.text[e.mark:e.value.start]), " \t\n"))
}

// fill writes a collection in block style in place of a value.
func (p *place) fill(m writingStyle, in *node, e *entry, value any) ([]splice, error) {
	old := e.value
	if old.collection() && p.text.commented(e.mark, old.end) {
		return nil, refuse(old.start, "comments stand inside of what would be replaced")
	}
	if old.kind == scalar && !old.empty() && p.text.multiline(old) {
		return nil, refuse(old.start, cut)
	}
	if !p.text.rest(old.end) {
		return nil, refuse(old.end, misread)
	}
	from := p.gap(e)
	if in.kind == sequence && !old.anchored {
		return []splice{{from, old.end, m.item(value, in.column)[1:]}}, nil
	}
	if in.kind == sequence { // behind an anchor the first entry has no place on the line
		m.indent = max(m.indent, 1)
	}
	text := m.behind(value, in.column, m.indent)
	end := p.text.end(old.end)
	if p.text.blanks(old.end) == end {
		return []splice{{from, old.end, text}}, nil
	}
	return []splice{{from, old.end, ""}, {end, end, text}}, nil
}

// line is the newline and indentation of a line on which an entry of its own stands in JSON
// that is made to be read; "" where entries share lines.
func (p *place) line(at int) string {
	if n := p.filled(); n != nil && p.text.first(n.entries[0].begin()) {
		return "\n" + lead(p.text, at)
	}
	return ""
}
