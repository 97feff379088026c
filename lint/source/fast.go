package source

import "strings"

// fastReader reads the YAML that nearly all manifests are written in: block
// maps and lists, scalars, and flow collections that fit on a line. Whatever it
// does not know for certain (anchors, tags, tabs, anything wrong) it leaves to
// the YAML library, which costs ten times as much. The tests hold both to the
// same values and lines.
type fastReader struct {
	builder
	text string
	// The cursor is at the first character of a line that is neither blank nor
	// a comment, or behind the dash of such a line.
	at, end int // the rest of the line is text[at:end]
	line    int // in the file
	indent  int // column of at, from 0; -1 behind the last line
	sound   bool
	// remarked is set when seek steps over a comment.
	remarked bool
	values   int // how many positions there may be; 0 is no limit
}

func (r *fastReader) full() bool { return r.values > 0 && len(r.positions) > r.values }

// maxFastDepth leaves deep nesting, which is an error in the end, to the
// library.
const maxFastDepth = 100

// readFast gives a document's value and positions; ok is false when the
// library has to read it.
func readFast(s segment) (value any, positions []position, ok bool) {
	r := fastReader{text: string(s.text), line: s.line, sound: true, values: s.values}
	start := 0
	if strings.HasPrefix(r.text, "---") {
		end := lineEnd(r.text, 0)
		if !isRemark(r.text, 3, end) {
			return nil, nil, false
		}
		if start = end + 1; start > len(r.text) {
			return nil, nil, false
		}
		r.line++
	}
	r.seek(start)
	if !r.sound || r.indent < 0 {
		return nil, nil, false
	}
	// A field takes about 25 bytes of a manifest.
	r.positions = make([]position, 0, 8+(len(r.text)-r.at)/25)
	root := r.begin("", r.line)
	value, ok = r.block(root, 0)
	if !ok || !r.sound || r.indent >= 0 {
		return nil, nil, false
	}
	r.builder.end(root)
	return value, r.positions, true
}

// seek moves the cursor to the first line from start on that holds something.
func (r *fastReader) seek(start int) {
	for start < len(r.text) {
		at := start
		for at < len(r.text) && r.text[at] == ' ' {
			at++
		}
		end := lineEnd(r.text, at)
		if at < end && r.text[at] != '#' {
			r.at, r.end, r.indent = at, end, at-start
			r.sound = r.sound && r.text[at] != '\t'
			return
		}
		r.remarked = r.remarked || at < end
		start = end + 1
		r.line++
	}
	r.at, r.end, r.indent = len(r.text), len(r.text), -1
}

// next moves on to the line after the current one.
func (r *fastReader) next() {
	r.line++
	r.seek(r.end + 1)
}

func lineEnd(text string, at int) int {
	if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
		return at + end
	}
	return len(text)
}

// isRemark says whether text[at:end] is blank, or a comment behind a blank.
func isRemark(text string, at, end int) bool {
	from := at
	for at < end && text[at] == ' ' {
		at++
	}
	return at == end || text[at] == '#' && at > from
}

// dash says whether a list item begins at the given place of the line.
func (r *fastReader) dash(at int) bool {
	return r.text[at] == '-' && (at+1 == r.end || r.text[at+1] == ' ')
}

// block reads the map or list that begins at the cursor. parent is the
// position that it is the value of.
func (r *fastReader) block(parent, depth int) (any, bool) {
	if depth > maxFastDepth {
		return nil, false
	}
	if r.dash(r.at) {
		return r.sequence(parent, depth)
	}
	return r.mapping(depth)
}

func (r *fastReader) mapping(depth int) (any, bool) {
	indent := r.indent
	object := map[string]any{}
	for r.indent == indent {
		key, behind, ok := r.key(r.at)
		if _, twice := object[key]; twice || !ok || r.full() {
			return nil, false
		}
		at := r.begin(key, r.line)
		value, ok := r.field(behind, indent, at, depth)
		if !ok {
			return nil, false
		}
		r.builder.end(at)
		object[key] = value
	}
	return object, r.indent < indent
}

// field reads what stands behind a key's colon.
func (r *fastReader) field(behind, indent, at, depth int) (any, bool) {
	if !isRemark(r.text, behind, r.end) {
		return r.inline(behind, indent, at)
	}
	r.next()
	switch {
	case !r.sound:
		return nil, false
	case r.indent > indent:
		return r.block(at, depth+1)
	case r.indent == indent && r.dash(r.at): // a list may stand below its key
		return r.sequence(at, depth+1)
	}
	return nil, true
}

func (r *fastReader) sequence(parent, depth int) (any, bool) {
	if depth > maxFastDepth {
		return nil, false
	}
	r.positions[parent].list = true
	indent := r.indent
	list := make([]any, 0, 4)
	for r.indent == indent && r.dash(r.at) {
		at := r.begin("", r.line)
		value, ok := r.item(indent, at, depth)
		if !ok || !r.sound || r.full() {
			return nil, false
		}
		r.builder.end(at)
		list = append(list, value)
	}
	return list, r.indent <= indent
}

// item reads what stands behind a dash.
func (r *fastReader) item(indent, at, depth int) (any, bool) {
	behind := r.at + 1
	if isRemark(r.text, behind, r.end) {
		r.next()
		if !r.sound || r.indent <= indent {
			return nil, r.sound
		}
		r.positions[at].line = int32(r.line)
		return r.block(at, depth+1)
	}
	for r.text[behind] == ' ' {
		behind++
	}
	if !r.dash(behind) {
		if _, _, isKey := r.key(behind); !isKey {
			return r.inline(behind, indent, at)
		}
	}
	// A map or list that begins on the line of the dash.
	r.indent += behind - r.at
	r.at = behind
	return r.block(at, depth+1)
}

// inline reads a scalar or a flow collection that begins on the line, and moves
// on. What follows must not be indented further.
func (r *fastReader) inline(from, indent, at int) (value any, ok bool) {
	for r.text[from] == ' ' {
		from++
	}
	behind := 0
	switch r.text[from] {
	case '|', '>':
		value, ok = r.blockScalar(from+1, indent, r.text[from] == '>')
		return value, ok && r.indent <= indent
	case '"', '\'':
		value, behind, ok = r.quoted(from)
		if !ok {
			value, behind, ok = r.folded(from)
		}
	case '[', '{':
		value, behind, ok = r.flow(from, at, 0)
	default:
		return r.plain(from, indent)
	}
	if !ok || !isRemark(r.text, behind, r.end) {
		return nil, false
	}
	r.next()
	return value, r.sound && r.indent <= indent
}
