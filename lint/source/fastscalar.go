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

// plain reads a plain scalar in block context, and moves on. It goes on over
// lines that are indented further than the collection it stands in.
func (r *fastReader) plain(from, indent int) (any, bool) {
	if !r.begins(from) {
		return nil, false
	}
	text, toEnd, ok := r.plainLine(from)
	if !ok {
		return nil, false
	}
	var lines strings.Builder // once there are several
	for {
		line := r.line
		r.remarked = false
		r.next()
		if !r.sound {
			return nil, false
		}
		if r.indent <= indent {
			if lines.Len() > 0 {
				text = lines.String()
			}
			return plainValue(text)
		}
		if !toEnd || r.remarked {
			return nil, false // a comment ended the scalar
		}
		more := ""
		if more, toEnd, ok = r.plainLine(r.at); !ok {
			return nil, false
		}
		if lines.Len() == 0 {
			lines.WriteString(text)
		}
		lines.WriteString(fold(r.line - line))
		lines.WriteString(more)
	}
}

// fold gives what so many line ends become within a scalar.
func fold(breaks int) string {
	if breaks == 1 {
		return " "
	}
	return strings.Repeat("\n", breaks-1)
}

// plainLine gives the text of a plain scalar on one line, and whether it goes
// to the line's end and not to a comment.
func (r *fastReader) plainLine(from int) (text string, toEnd, ok bool) {
	behind := from
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
			return "", false, false
		}
	}
	toEnd = behind == r.end
	for r.text[behind-1] == ' ' {
		behind--
	}
	return r.text[from:behind], toEnd, true
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
