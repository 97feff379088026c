package source

import "bytes"

// segment is the text of one document of a file.
type segment struct {
	text []byte
	line int // of the segment's first line, from 1
	// explicit is set when a "---" line opens the document, so that it counts
	// even when nothing follows.
	explicit bool
	// values is how many values the document may hold; 0 is no limit.
	values int
}

// segments cuts a file into documents and yields them in order. YAML lets a line that begins with
// "---" or "..." end a document wherever it stands, even inside a quoted or block scalar. So
// cutting by lines is exact, and it keeps one broken document from taking the others along.
func segments(data []byte, values int, yield func(segment) bool) {
	current := segment{line: 1, values: values}
	start, line := 0, 1
	for at := 0; at < len(data); {
		next := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		switch {
		case isMarker(data[at:next], "---"):
			// Directives belong to the document that follows them, and comments that speak for it.
			if before := data[start:at]; !onlyDirectives(before) && !leadsInto(before, current) {
				current.text = before
				if (current.explicit || !isBlank(before)) && !yield(current) {
					return
				}
				start, current.line = at, line
			}
			current.explicit = true
		case isMarker(data[at:next], "..."):
			current.text = data[start:at]
			if (current.explicit || !isBlank(current.text)) && !yield(current) {
				return
			}
			start, current = next, segment{line: line + 1, values: values}
		}
		at = next
		line++
	}
	current.text = data[start:]
	if current.explicit || !isBlank(current.text) {
		yield(current)
	}
}

// isMarker says whether a line is the given document marker, which ends at a
// blank or at the end of the line.
func isMarker(line []byte, marker string) bool {
	if len(line) < 3 || string(line[:3]) != marker {
		return false
	}
	return len(line) == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\n'
}

// isBlank says whether there is nothing but white space and comments.
func isBlank(text []byte) bool {
	blank, _ := survey(text)
	return blank
}

// onlyDirectives says whether text is directives ("%YAML 1.1") and comments,
// at least one directive among them.
func onlyDirectives(text []byte) bool {
	_, directives := survey(text)
	return directives
}

func survey(text []byte) (blank, directives bool) {
	for len(text) > 0 {
		var line []byte
		line, text, _ = bytes.Cut(text, []byte{'\n'})
		if len(line) > 0 && line[0] == '%' {
			directives = true
			continue
		}
		line = bytes.TrimLeft(line, " \t")
		if len(line) > 0 && line[0] != '#' {
			return false, false
		}
	}
	return !directives, directives
}
