package source

import (
	"bytes"
	"reflect"
	"slices"

	"github.com/headroom-dev/headroom/internal/pattern"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Comment is a comment of a document that exempts from a rule: # headroom:ignore HR302 why.
type Comment struct {
	Text string // what follows the mark; the policies read it
	Line int    // of the file, from 1
	// Paths lead from the document to what begins on the comment's line, or on the next one with content where
	// the comment has a line for itself. The comment speaks for that and all in it. Empty where nothing begins there.
	Paths [][]any
}

// IgnoreMark is how the text of such a comment begins.
const IgnoreMark = "headroom:ignore"

// maxIgnores is how many comments of a document exempt: each that might be part of a text takes reading it anew.
const maxIgnores = 64

var ignoring = pattern.Lazy(`(?:^|[ \t])(#[ \t]*` + IgnoreMark + `([ \t].*)?)$`)

// candidate is a line that may end in such a comment.
type candidate struct {
	line       int // of the segment, from 0
	start, end int // of the comment, in the segment's text
	alone      bool
	text       string
}

// ignores finds the comments of a document that exempt. What looks like one may be part of a text, a script say. So
// that is one without which the document says the same.
func ignores(s segment, value any, positions []position) []Comment {
	if !bytes.Contains(s.text, []byte(IgnoreMark)) {
		return nil
	}
	lines := bytes.SplitAfter(s.text, []byte{'\n'})
	found := candidates(lines)
	if !sameWithout(s, found, value) {
		found = slices.DeleteFunc(found, func(c candidate) bool { return !sameWithout(s, []candidate{c}, value) })
	}
	var all []Comment
	for _, c := range found {
		at := c.line
		if c.alone {
			at = contentBelow(lines, at)
		}
		all = append(all, Comment{Text: c.text, Line: s.line + c.line, Paths: begunOn(positions, s.line+at)})
	}
	return all
}

func candidates(lines [][]byte) []candidate {
	var found []candidate
	offset := 0
	for i, line := range lines {
		text := bytes.TrimSuffix(line, []byte{'\n'})
		if at := ignoring().FindSubmatchIndex(text); at != nil && len(found) < maxIgnores {
			c := candidate{line: i, start: offset + at[2], end: offset + len(text)}
			c.alone = len(bytes.TrimSpace(text[:at[2]])) == 0
			if at[4] >= 0 {
				c.text = string(text[at[4]:at[5]])
			}
			found = append(found, c)
		}
		offset += len(line)
	}
	return found
}

// sameWithout says whether a document has the same value without what may be comments.
func sameWithout(s segment, without []candidate, value any) bool {
	text := make([]byte, 0, len(s.text))
	at := 0
	for _, c := range without {
		text = append(text, s.text[at:c.start]...)
		at = c.end
	}
	s.text = append(text, s.text[at:]...)
	other, _, _, failure := readYAML(s)
	return failure == nil && reflect.DeepEqual(other, value)
}

// contentBelow is the next line, from 0, that has more than blanks, comments, directives and the mark of a document.
func contentBelow(lines [][]byte, at int) int {
	for at++; at < len(lines); at++ {
		text := bytes.TrimSpace(lines[at])
		if len(text) > 0 && text[0] != '#' && text[0] != '%' && string(text) != "---" {
			break
		}
	}
	return at
}

// begunOn are the ways to what begins on a line of the file, without what is in it.
func begunOn(positions []position, line int) [][]any {
	var found [][]any
	var visit func(at int, path []any)
	visit = func(at int, path []any) {
		p := positions[at]
		if int(p.line) == line {
			found = append(found, path)
			return
		}
		index := 0
		for child := at + 1; child < at+int(p.size); child += int(positions[child].size) {
			step := any(positions[child].key)
			if p.list {
				step = index
			}
			visit(child, append(slices.Clip(path), step))
			index++
		}
	}
	if len(positions) > 0 {
		visit(0, []any{})
	}
	return found
}

// CommentsOn are the comments that speak for an object of a document, which the way leads to, or for something in it. One
// that speaks for nothing is the first object's.
func (d *Document) CommentsOn(object []any, first bool) []engine.Comment {
	var all []engine.Comment
	for _, c := range d.Comments {
		mine := first && len(c.Paths) == 0
		for _, path := range c.Paths {
			n := min(len(path), len(object))
			mine = mine || slices.Equal(path[:n], object[:n])
		}
		if mine {
			all = append(all, engine.Comment{Text: c.Text, Paths: c.Paths})
		}
	}
	return all
}

// leadsInto says whether a comment stands before the first document's mark, to which it belongs then.
func leadsInto(before []byte, s segment) bool {
	return !s.explicit && isBlank(before) && bytes.Contains(before, []byte(IgnoreMark))
}
