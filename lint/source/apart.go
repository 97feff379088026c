package source

import (
	"bytes"
	"slices"
)

// apartBytes is from which size on a List is read item by item. The libraries keep several times a text in memory, which
// is little of a single item.
const apartBytes = 64 << 10

var itemsKey = []byte("items:\n")

// list is the text of a List, cut in three.
type list struct {
	head  segment   // what stands before its items
	items []segment // each begins with its dash
	tail  segment   // and what stands behind them
}

// splitItems finds the items of a List by their indentation. They begin where lines do, as do the key in front of them and the
// one behind. That is right where each part can be read by itself. A text or a bracket that is still open at its end
// cannot, and where nothing is open, such a line begins what it seems to begin.
func splitItems(s segment) (l list, ok bool) {
	start := bytes.Index(s.text, append([]byte{'\n'}, itemsKey...)) + 1
	if len(s.text) < apartBytes || start == 0 && !bytes.HasPrefix(s.text, itemsKey) || newLineMap(s).odd() {
		return l, false
	}
	l.head = segment{text: s.text[:start], line: s.line}
	at := start + len(itemsKey)
	line := s.lineAt(at)
	indent := len(s.text[at:]) - len(bytes.TrimLeft(s.text[at:], " "))
	l.tail = segment{text: s.text[at:at], line: line}
	begin, first := at, line
	for ; at < len(s.text); line++ {
		next := at + len(lineAt(s.text[at:]))
		dash, ends, fits := lineOfList(s.text[at:next], indent)
		if !fits || !dash && at == begin && len(l.items) == 0 {
			return l, false
		}
		if (dash || ends) && at > begin {
			l.items = append(l.items, segment{text: s.text[begin:at], line: first})
			begin, first = at, line
		}
		if ends {
			l.tail = segment{text: s.text[at:], line: line}
			return l, true
		}
		at = next
	}
	l.items = append(l.items, segment{text: s.text[begin:], line: first})
	l.tail = segment{line: line}
	return l, true
}

func lineAt(text []byte) []byte {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return text[:end+1]
	}
	return text
}

// lineOfList says whether a line begins an item, or ends the list. A line that does neither fits where it stands as far
// in as an item's own lines.
func lineOfList(line []byte, indent int) (dash, ends, fits bool) {
	content := bytes.TrimLeft(line, " ")
	column := len(line) - len(content)
	switch {
	case len(bytes.TrimSpace(content)) == 0, content[0] == '#', column > indent:
		return false, false, true
	case column == indent && content[0] == '-' && (len(content) == 1 || content[1] == ' ' || content[1] == '\n'):
		return true, false, true
	}
	return false, column == 0, column == 0
}

// readApart reads a List item by item. Anything else, and a List with a mistake, has to be read as a whole. So has a
// text with aliases, as what they expand to counts for the whole.
func readApart(s segment) (value any, positions []position, ok bool) {
	l, ok := splitItems(s)
	if !ok {
		return nil, nil, false
	}
	around := segment{text: slices.Concat(l.head.text, []byte("items: []\n"), l.tail.text), line: s.line}
	if _, ok = readPart(l.head, 0); !ok && !isBlank(l.head.text) {
		return nil, nil, false
	}
	outer, ok := readPart(around, 0)
	object, isObject := outer.value.(map[string]any)
	if empty, is := object["items"].([]any); !ok || !isObject || !is || len(empty) > 0 {
		return nil, nil, false
	}
	all := make([]any, 0, len(l.items))
	positions = slices.Grow(outer.positions, bytes.Count(s.text, []byte{'\n'}))
	at := l.place(positions) + 1
	behind := slices.Clone(positions[at:])
	positions = positions[:at]
	keys := map[string]string{} // the items have the same ones, each kept once
	for _, item := range l.items {
		part, ok := readPart(item, 1)
		one, is := part.value.([]any)
		if !ok || !is || len(one) != 1 {
			return nil, nil, false
		}
		for _, p := range part.positions[1:] {
			if _, known := keys[p.key]; !known {
				keys[p.key] = p.key
			}
			p.key = keys[p.key]
			positions = append(positions, p)
		}
		all = append(all, one[0])
	}
	object["items"] = all
	more := int32(len(positions) - at) //nolint:gosec // bounded by Options, see begin
	positions[0].size += more
	positions[at-1].size += more
	for _, p := range behind { // these lines are moved by those of the items
		p.line += int32(l.tail.line - l.items[0].line) //nolint:gosec // lines are bounded by Options
		positions = append(positions, p)
	}
	return object, positions, true
}

// place is where the key of the items stands among the positions of what is around them.
func (l list) place(outer []position) int {
	at := 1
	for outer[at].key != "items" || int(outer[at].line) != l.items[0].line-1 {
		at += int(outer[at].size)
	}
	return at
}

// listPart is what was read of a part of a List.
type listPart struct {
	value     any
	positions []position
}

// readPart is readYAML for a part of a document that stands so deep in it.
func readPart(s segment, depth int) (p listPart, ok bool) {
	root, lines, failure := parseNode(s)
	if failure != nil || root == nil {
		return p, false
	}
	b := builder{lines: lines}
	at := b.begin("", lines.line(root.Line))
	if failure = b.value(root, at, depth); failure != nil || b.aliasNodes > 0 || b.twice.line > 0 {
		return p, false
	}
	b.end(at)
	p.positions = b.positions
	var err error
	p.value, err = valueOf(s.text)
	return p, err == nil
}
