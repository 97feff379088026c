package edit

import "strings"

// scalar finds the style and the end of a scalar.
func (b *builder) scalar(n *node, indent int) {
	if n.start >= len(b.text) {
		b.fail(n.start)
		return
	}
	var ok bool
	switch b.text[n.start] {
	case '"':
		n.style = double
		n.end, ok = b.text.doubleEnd(n.start)
	case '\'':
		n.style = single
		n.end, ok = b.text.singleEnd(n.start)
	case '|', '>':
		n.style = block
		n.end, ok = b.text.blockEnd(n.start, indent), true
	default:
		n.end, ok = b.text.plainEnd(n.start, n.value)
	}
	if !ok {
		b.fail(n.start)
	}
}

func (t lines) doubleEnd(at int) (int, bool) {
	for at++; at < len(t); at++ {
		switch t[at] {
		case '\\':
			at++
		case '"':
			return at + 1, true
		}
	}
	return at, false
}

func (t lines) singleEnd(at int) (int, bool) {
	for at++; at < len(t); at++ {
		if t[at] != '\'' {
			continue
		}
		if at+1 >= len(t) || t[at+1] != '\'' {
			return at + 1, true
		}
		at++
	}
	return at, false
}

// plainEnd follows a plain scalar through the text: it has no escapes, and only its blanks
// can be others than those of its value, where it goes over several lines.
func (t lines) plainEnd(at int, value string) (int, bool) {
	for value != "" {
		if value[0] == ' ' || value[0] == '\t' || value[0] == '\n' {
			value = strings.TrimLeft(value, " \t\n")
			next := at
			for next < len(t) && strings.IndexByte(" \t\n", t[next]) >= 0 {
				next++
			}
			if next == at {
				return at, false
			}
			at = next
			continue
		}
		if at >= len(t) || t[at] != value[0] {
			return at, false
		}
		at, value = at+1, value[1:]
	}
	return at, true
}

// blockEnd finds the end of a | or > scalar: of its last line that is not blank, and of the
// blank ones behind it where the header has a plus and so keeps them. The newline of that
// line does not count.
func (t lines) blockEnd(at, indent int) int {
	header := string(t[at:t.end(at)])
	if i := strings.IndexByte(header, '#'); i >= 0 {
		header = header[:i]
	}
	least := 0
	if i := strings.IndexAny(header, "123456789"); i >= 0 {
		least = max(indent, 0) + int(header[i]-'0')
	}
	end := at + len(strings.TrimRight(header, " \t"))
	keep := strings.Contains(header, "+")
	for line := t.end(at) + 1; line < len(t); line = t.end(line) + 1 {
		stop := t.end(line)
		text := string(t[line:stop])
		spaces := len(text) - len(strings.TrimLeft(text, " "))
		if spaces == len(text) && (least == 0 || spaces <= least) { // blank
			if keep {
				end = stop
			}
			continue
		}
		if least == 0 {
			if spaces <= indent {
				break
			}
			least = max(spaces, 1)
			if indent < 0 {
				least = spaces
			}
		}
		if spaces < least {
			break
		}
		end = stop
	}
	return min(end, len(t))
}

// multiline says whether a scalar goes over several lines.
func (t lines) multiline(n *node) bool {
	return n.style == block || strings.IndexByte(string(t[n.start:n.end]), '\n') >= 0
}

// openEnd says whether a value ends in a | or > scalar that takes up the newlines behind it.
func (t lines) openEnd(n *node) bool {
	for len(n.entries) > 0 && !n.flow {
		n = n.entries[len(n.entries)-1].value
	}
	return n.style == block && !strings.Contains(string(t[n.start:t.end(n.start)]), "-")
}
