package edit

import (
	"bytes"
	"errors"
	"sort"
	"strings"

	"github.com/headroom-dev/headroom/lint/source"
)

// file is a file's bytes, and where its documents stand in them.
type file struct {
	data  []byte
	text  folded
	skip  int // bytes of a byte order mark
	texts []source.Text
}

// doc is one document of a file.
type doc struct {
	raw        []byte
	start, end int // in the file's bytes
	line       int
	json       bool
	object     map[string]any
}

const byteOrderMark = "\ufeff"

func open(data []byte) (*file, error) {
	f := &file{data: data}
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		f.skip = len(byteOrderMark)
	}
	f.text = fold(data[f.skip:])
	texts, err := source.Texts([]byte(f.text.text))
	if err != nil {
		return nil, &Error{Reason: "the file is not UTF-8, or broken JSON"}
	}
	f.texts = texts
	return f, nil
}

// document gives the index-th document, if it is an object that can be read.
func (f *file) document(index int) (*doc, error) {
	if index < 0 || index >= len(f.texts) {
		return nil, &Error{Reason: "the file has no such document"}
	}
	t := f.texts[index]
	d := &doc{start: f.skip + f.text.raw(t.Start), end: f.skip + f.text.raw(t.End), line: t.Line, json: t.JSON}
	d.raw = f.data[d.start:d.end]
	object, err := objectOf(d.raw, d.line)
	d.object = object
	return d, err
}

// whole are options that leave no text out for its size.
func whole(text []byte) source.Options {
	return source.Options{MaxFileBytes: max(int64(len(text)), source.DefaultMaxFileBytes)}
}

// objectOf reads the text of one document.
func objectOf(raw []byte, line int) (object map[string]any, err error) {
	for item := range source.Items("", raw, whole(raw)) {
		switch {
		case item.Problem != nil:
			return nil, problemError(line, item.Problem)
		case item.Document == nil:
			return nil, &Error{Line: line, Reason: "the document is no object"}
		case item.Document.Twice != nil:
			return nil, problemError(line, item.Document.Twice)
		case object != nil:
			return nil, &Error{Line: line, Reason: notWhat}
		}
		object = item.Document.Object
	}
	if object == nil {
		return nil, &Error{Line: line, Reason: "the document is empty"}
	}
	return object, nil
}

// problemError is the error of a problem in a document that begins on a line.
func problemError(line int, p *source.Problem) *Error {
	return &Error{Line: line + p.Line - 1, Reason: p.Cause.Error()}
}

// located gives an error its line in the file.
func (d *doc) located(t folded, err error) error {
	var e *unsafeEdit
	if !errors.As(err, &e) {
		return err
	}
	return &Error{Line: d.line + strings.Count(t.text[:e.at], "\n"), Reason: e.reason}
}

// folded is a text with newlines for line ends, and the way back to its bytes.
type folded struct {
	bytes   []byte
	text    string
	dropped []int // offsets in text of newlines that had a carriage return in front
}

// fold makes a newline of every line end, as YAML does.
func fold(data []byte) folded {
	f := folded{bytes: data}
	if bytes.IndexByte(data, '\r') < 0 {
		f.text = string(data)
		return f
	}
	text := make([]byte, 0, len(data))
	for i, c := range data {
		switch {
		case c != '\r':
			text = append(text, c)
		case i+1 < len(data) && data[i+1] == '\n':
			f.dropped = append(f.dropped, len(text))
		default:
			text = append(text, '\n')
		}
	}
	f.text = string(text)
	return f
}

// raw turns an offset of the text into one of the bytes: in front of a line end is in front
// of both its bytes.
func (f folded) raw(at int) int { return at + sort.SearchInts(f.dropped, at) }

// apply makes splices of the text in the bytes. New lines end like the line that they are
// added to.
func (f folded) apply(splices []splice) []byte {
	sort.SliceStable(splices, func(i, j int) bool { return splices[i].start < splices[j].start })
	var out []byte
	at := 0
	for _, s := range splices {
		start, end := f.raw(s.start), f.raw(s.end)
		if start < at {
			panic("edits overlap")
		}
		out = append(out, f.bytes[at:start]...)
		text := s.text
		if strings.Contains(text, "\n") {
			text = strings.ReplaceAll(text, "\n", f.lineEnd(start))
		}
		out = append(out, text...)
		at = end
	}
	return append(out, f.bytes[at:]...)
}

// lineEnd is how the line of an offset ends; that of the line above where it is the last. It is asked for each edit, and a
// line may have megabytes.
func (f folded) lineEnd(at int) string {
	line := f.bytes[at:]
	next := bytes.IndexByte(line, '\n')
	if next >= 0 {
		line = line[:next+1]
	}
	if cr := bytes.IndexByte(line, '\r'); cr >= 0 {
		return lineEndAt(line, cr)
	}
	if next >= 0 {
		return "\n"
	}
	if last := bytes.LastIndexAny(f.bytes[:at], "\r\n"); last > 0 && f.bytes[last-1] == '\r' && f.bytes[last] == '\n' {
		return "\r\n"
	} else if last >= 0 {
		return string(f.bytes[last])
	}
	return "\n"
}

func lineEndAt(line []byte, cr int) string {
	if cr+1 < len(line) && line[cr+1] == '\n' {
		return "\r\n"
	}
	return "\r"
}
