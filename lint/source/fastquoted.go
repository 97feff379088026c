package source

import "strings"

// quoted reads a quoted scalar that ends on its line.
func (r *fastReader) quoted(from int) (value string, behind int, ok bool) {
	quote := r.text[from]
	for at := from + 1; at < r.end; at++ {
		switch c := r.text[at]; {
		case c == '\t':
			return "", 0, false
		case c == quote:
			if quote == '\'' && at+1 < r.end && r.text[at+1] == '\'' {
				return r.escaped(from)
			}
			return r.text[from+1 : at], at + 1, true
		case c == '\\' && quote == '"':
			return r.escaped(from)
		}
	}
	return "", 0, false
}

// escaped is quoted for scalars that have escapes.
func (r *fastReader) escaped(from int) (value string, behind int, ok bool) {
	end, line := r.end, r.line
	value, behind, ok = r.folded(from)
	if r.line != line { // it does not end on its line
		r.end, r.line = end, line
		return "", 0, false
	}
	return value, behind, ok
}

// folded reads a quoted scalar that may go on over lines, and moves the cursor
// to the line on which it ends. Line ends within it become a blank, or one
// newline less than there are, and blanks around them go.
func (r *fastReader) folded(from int) (value string, behind int, ok bool) {
	quote := r.text[from]
	var b strings.Builder
	for at := from + 1; at < len(r.text); at++ {
		c := r.text[at]
		switch {
		case c == '\t':
			return "", 0, false
		case c == ' ' || c == '\n':
			blanks := at
			for at < len(r.text) && r.text[at] == ' ' {
				at++
			}
			if at < len(r.text) && r.text[at] != '\n' {
				b.WriteString(r.text[blanks:at])
				at--
				continue
			}
			if at == len(r.text) {
				return "", 0, false
			}
			breaks, next := r.lines(at)
			b.WriteString(fold(breaks))
			at = next - 1
			continue
		case c == '\\' && quote == '"':
			if at++; at == len(r.text) {
				return "", 0, false
			}
			if r.text[at] == '\n' { // an escaped line end vanishes
				breaks, next := r.lines(at)
				b.WriteString(strings.Repeat("\n", breaks-1))
				at = next - 1
				continue
			}
			if c = unescape(r.text[at]); c == 0 {
				return "", 0, false
			}
		case c == quote:
			if quote == '"' || at+1 == len(r.text) || r.text[at+1] != '\'' {
				return b.String(), at + 1, true
			}
			at++
		}
		b.WriteByte(c)
	}
	return "", 0, false
}

// lines steps over line ends and the blanks around them, counts them, and moves
// the cursor to the line where it stops.
func (r *fastReader) lines(at int) (breaks, next int) {
	for at < len(r.text) && (r.text[at] == '\n' || r.text[at] == ' ') {
		if r.text[at] == '\n' {
			breaks++
		}
		at++
	}
	r.line += breaks
	r.end = lineEnd(r.text, at)
	return breaks, at
}

// unescape gives what the common escapes stand for, and 0 for the others.
func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case '"', '\\', '/', ' ':
		return c
	}
	return 0
}
