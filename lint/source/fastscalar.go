package source

import (
	"encoding/json"
	"strings"
)

// Classes of characters.
const (
	inKey   = 1 << iota // may stand in a plain key, and anywhere in a flow collection
	first               // may begin a plain scalar
	inBlock             // may stand in a plain scalar on a line of its own
)

var classes = func() (table [256]uint8) {
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '/':
			table[c] = inKey | first | inBlock
		case c == '-':
			table[c] = inKey | inBlock // begins a scalar unless a blank follows
		case strings.ContainsRune("$()<=+^;\\~", rune(c)) || c >= 0x80:
			table[c] = first | inBlock
		case c >= ' ' && c < 0x7f && c != ':' && c != '#':
			table[c] = inBlock
		}
	}
	return table
}()

// maxFastKey stays below the length at which YAML no longer sees a key.
const maxFastKey = 500

// key reads the key that begins at the given place, and gives the place behind
// its colon.
func (r *fastReader) key(at int) (key string, behind int, ok bool) {
	if c := r.text[at]; c == '"' || c == '\'' {
		value, behind, ok := r.quoted(at)
		if !ok || !r.colon(behind) || behind-at > maxFastKey {
			return "", 0, false
		}
		return value, behind + 1, true
	}
	if classes[r.text[at]]&first == 0 {
		return "", 0, false
	}
	behind = at
	for behind < r.end && classes[r.text[behind]]&inKey != 0 {
		behind++
	}
	if behind == at || behind-at > maxFastKey || !r.colon(behind) {
		return "", 0, false
	}
	key = r.text[at:behind]
	if kind, value := resolve("", key); kind != tagString {
		key, ok = keyText(value)
		return key, behind + 1, ok
	}
	return key, behind + 1, true
}

func (r *fastReader) colon(at int) bool {
	return at < r.end && r.text[at] == ':' && (at+1 == r.end || r.text[at+1] == ' ')
}

// scalar reads a scalar or a flow collection and gives the place behind it.
func (r *fastReader) scalar(from, at int) (value any, behind int, ok bool) {
	switch r.text[from] {
	case '"', '\'':
		value, behind, ok = r.quoted(from)
		return value, behind, ok
	case '[', '{':
		return r.flow(from, at, 0)
	}
	return r.plain(from)
}

// plain reads a plain scalar in block context, to the end of the line or to a
// comment.
func (r *fastReader) plain(from int) (value any, behind int, ok bool) {
	if !r.begins(from) {
		return nil, 0, false
	}
	behind = from
loop:
	for ; behind < r.end; behind++ {
		c := r.text[behind]
		switch {
		case classes[c]&inBlock != 0:
		case c == ':' && !r.colon(behind):
		case c == '#' && r.text[behind-1] != ' ':
		case c == '#':
			break loop
		default:
			return nil, 0, false
		}
	}
	for r.text[behind-1] == ' ' {
		behind--
	}
	value, ok = plainValue(r.text[from:behind])
	return value, behind, ok
}

// begins says whether a plain scalar may begin here.
func (r *fastReader) begins(at int) bool {
	c := r.text[at]
	return classes[c]&first != 0 || c == '-' && at+1 < r.end && classes[r.text[at+1]]&inKey != 0
}

// plainValue resolves a plain scalar. Integers as people write them are spared
// the detour.
func plainValue(text string) (any, bool) {
	if c := text[0]; c >= '1' && c <= '9' && len(text) < 19 {
		digits := 1
		for digits < len(text) && text[digits] >= '0' && text[digits] <= '9' {
			digits++
		}
		if digits == len(text) {
			return json.Number(text), true
		}
	}
	_, value := resolve("", text)
	return jsonValue(value)
}

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

// escaped reads a quoted scalar that has escapes, of which it knows the common
// ones.
func (r *fastReader) escaped(from int) (value string, behind int, ok bool) {
	quote := r.text[from]
	var b strings.Builder
	for at := from + 1; at < r.end; at++ {
		c := r.text[at]
		switch {
		case c == '\t':
			return "", 0, false
		case c == '\\' && quote == '"':
			if at++; at == r.end {
				return "", 0, false
			}
			switch r.text[at] {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case '"', '\\', '/':
				c = r.text[at]
			default:
				return "", 0, false
			}
		case c == quote:
			if quote == '"' || at+1 == r.end || r.text[at+1] != '\'' {
				return b.String(), at + 1, true
			}
			at++
		}
		b.WriteByte(c)
	}
	return "", 0, false
}
