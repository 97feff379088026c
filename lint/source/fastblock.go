package source

import "strings"

// blockScalar reads a literal ("|") or folded (">") block whose header goes on
// at the given place.
func (r *fastReader) blockScalar(from, indent int, folded bool) (any, bool) {
	chomp := byte(0)
	if from < r.end && (r.text[from] == '-' || r.text[from] == '+') {
		chomp = r.text[from]
		from++
	}
	if !isRemark(r.text, from, r.end) {
		return nil, false
	}
	var b strings.Builder
	width := 0         // how far the block is indented, once known
	breaks := 0        // line ends not yet written
	widest := 0        // blanks on the widest of the blank lines in front
	wasBlank := true   // the line before began with a blank, or there was none
	start := r.end + 1 // of the line at hand
	line := r.line + 1 // its number
	for start < len(r.text) {
		end := lineEnd(r.text, start)
		at := start
		for at < end && r.text[at] == ' ' && (width == 0 || at-start < width) {
			at++
		}
		if at == end && end < len(r.text) {
			widest = max(widest, at-start)
			breaks++
			start, line = end+1, line+1
			continue
		}
		if at-start <= indent || at-start < width {
			break
		}
		if end == len(r.text) { // without a newline: one less in the value
			return nil, false
		}
		if width == 0 {
			if r.text[at] == '\t' || widest > at-start {
				return nil, false
			}
			width = at - start
		}
		isBlank := r.text[at] == ' ' || r.text[at] == '\t'
		if folded && !wasBlank && !isBlank {
			b.WriteString(fold(breaks))
		} else {
			writeBreaks(&b, breaks)
		}
		b.WriteString(r.text[at:end])
		wasBlank, breaks = isBlank, 1
		start, line = end+1, line+1
	}
	if width == 0 {
		return nil, false // nothing but blank lines
	}
	switch chomp {
	case 0:
		writeBreaks(&b, min(breaks, 1))
	case '+':
		writeBreaks(&b, breaks)
	}
	r.line = line
	r.seek(start)
	return b.String(), r.sound
}

func writeBreaks(b *strings.Builder, count int) {
	for range count {
		b.WriteByte('\n')
	}
}

// flow reads a flow collection that ends on its line. Its plain scalars are of
// letters, digits and a few signs that mean nothing in YAML.
func (r *fastReader) flow(from, parent, depth int) (value any, behind int, ok bool) {
	if depth > maxFastDepth {
		return nil, 0, false
	}
	isMap := r.text[from] == '{'
	object, list := map[string]any(nil), []any(nil)
	closing := byte(']')
	if isMap {
		object, closing = map[string]any{}, '}'
	} else {
		list = []any{}
		r.positions[parent].list = true
	}
	at := r.blanks(from + 1)
	if at < r.end && r.text[at] == closing {
		return collection(object, list), at + 1, true
	}
	for at < r.end {
		key := ""
		if isMap {
			if key, at, ok = r.key(at); !ok {
				return nil, 0, false
			}
			if _, twice := object[key]; twice || at == r.end {
				return nil, 0, false
			}
			at = r.blanks(at)
		}
		child := r.begin(key, r.line)
		value, at, ok = r.flowValue(at, child, depth)
		if !ok || r.full() {
			return nil, 0, false
		}
		r.builder.end(child)
		if isMap {
			object[key] = value
		} else {
			list = append(list, value)
		}
		at = r.blanks(at)
		if at < r.end && r.text[at] == closing {
			return collection(object, list), at + 1, true
		}
		if at == r.end || r.text[at] != ',' {
			return nil, 0, false
		}
		at = r.blanks(at + 1)
	}
	return nil, 0, false
}

func collection(object map[string]any, list []any) any {
	if object != nil {
		return object
	}
	return list
}

func (r *fastReader) flowValue(at, position, depth int) (value any, behind int, ok bool) {
	if at == r.end {
		return nil, 0, false
	}
	switch r.text[at] {
	case '"', '\'':
		value, behind, ok = r.quoted(at)
		return value, behind, ok
	case '[', '{':
		return r.flow(at, position, depth+1)
	}
	if !r.begins(at) {
		return nil, 0, false
	}
	behind = at
	for behind < r.end && classes[r.text[behind]]&inKey != 0 {
		behind++
	}
	if behind == at {
		return nil, 0, false
	}
	value, ok = plainValue(r.text[at:behind])
	return value, behind, ok
}

func (r *fastReader) blanks(at int) int {
	for at < r.end && r.text[at] == ' ' {
		at++
	}
	return at
}
