package edit

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/headroom-dev/headroom/internal/pattern"
)

var (
	doubleQuoted = pattern.Lazy(`(?s)^"(?:[^"\\]|\\.)*"`)
	singleQuoted = pattern.Lazy(`^'(?:[^']|'')*'`)
)

// scalar gives the style and the end of a scalar that begins at an offset and reads as value;
// indent is the column of the block collection around it.
func (t lines) scalar(at int, value string, indent int) (s style, end int, ok bool) {
	switch t[at] {
	case '"':
		end, ok = t.match(at, doubleQuoted())
		return double, end, ok
	case '\'':
		end, ok = t.match(at, singleQuoted())
		return single, end, ok
	case '|', '>':
		return block, t.blockEnd(at, indent), true
	}
	end, ok = t.plainEnd(at, value)
	return plain, end, ok
}

// match gives the end of what matches at an offset.
func (t lines) match(at int, form *regexp.Regexp) (end int, ok bool) {
	found := form.FindString(string(t[at:]))
	return at + len(found), found != ""
}

// plainEnd follows a plain scalar through the text: it has no escapes, and only its blanks
// can be others than those of its value, where it goes over several lines.
func (t lines) plainEnd(at int, value string) (int, bool) {
	for value != "" {
		if text := strings.TrimLeft(value, " \t\n"); text != value {
			next := t.space(at)
			if next == at {
				return at, false
			}
			at, value = next, text
			continue
		}
		if !t.has(at, value[:1]) {
			return at, false
		}
		at, value = at+1, value[1:]
	}
	return at, true
}

// blockEnd finds the end of a | or > scalar. That is the end of its last line that is not blank. If
// the header has a plus, blank lines behind it count too. The newline of that line does not count.
func (t lines) blockEnd(at, indent int) int {
	header, _, _ := strings.Cut(string(t[at:t.end(at)]), "#")
	header = strings.TrimRight(header, " \t")
	end := at + len(header)
	least := 0 // blanks in front of its lines: as the header or else the first line has it
	if digit, err := strconv.Atoi(strings.Trim(header, "|>+-")); err == nil {
		least = indent + digit
	}
	for line := t.end(at) + 1; line < len(t); line = t.end(line) + 1 {
		stop, text := t.end(line), t.skip(line, " ")
		switch spaces := text - line; {
		case text == stop && (least == 0 || spaces <= least): // blank
			if strings.Contains(header, "+") {
				end = stop
			}
			continue
		case least == 0:
			least = max(spaces, indent+1)
			fallthrough
		default:
			if spaces < least {
				return end
			}
		}
		end = stop
	}
	return end
}

// multiline says whether a scalar goes over several lines.
func (t lines) multiline(n *node) bool {
	return n.style == block || strings.Contains(string(t[n.start:n.end]), "\n")
}

// openEnd says whether a value ends in a | or > scalar that takes up the newlines behind it.
func (t lines) openEnd(n *node) bool {
	for len(n.entries) > 0 && !n.flow {
		n = n.entries[len(n.entries)-1].value
	}
	return n.style == block && !strings.Contains(string(t[n.start:t.end(n.start)]), "-")
}
