package source

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Text says where one document stands in its file.
type Text struct {
	Start, End int // offsets in bytes, the end exclusive
	Line       int // of the first byte, from 1
	JSON       bool
}

// ErrEncoding is what Texts says of text whose bytes are not the file's characters.
var ErrEncoding = errors.New("only UTF-8 with newlines has places")

// Texts gives the places of a file's documents, in the order and number of Items, for those
// who edit a file where it stands. The text is UTF-8 with newlines as line ends and without a
// byte order mark.
func Texts(text []byte) ([]Text, error) {
	if isUTF16(text) || bytes.HasPrefix(text, bom) || bytes.IndexByte(text, '\r') >= 0 {
		return nil, ErrEncoding
	}
	if _, ok := sniffJSON("", text, Options{MaxFileBytes: int64(len(text)) * bytesPerValue}); ok {
		return jsonTexts(text)
	}
	var all []Text
	segments(text, 0, func(s segment) bool {
		// Segments are slices of the text, in order: what they leave out are "..." lines
		// and what is blank.
		start := cap(text) - cap(s.text)
		all = append(all, Text{Start: start, End: start + len(s.text), Line: s.line})
		return true
	})
	return all, nil
}

// Item reads the document by itself, as Items does it within its file. JSON is read as a whole.
func (t Text) Item(file string, text []byte, opts Options) Item {
	return parseSegment(file, segment{text: text[t.Start:t.End], line: t.Line, values: opts.maxValues()})
}

// jsonTexts finds JSON values that stand one after the other.
func jsonTexts(text []byte) ([]Text, error) {
	var all []Text
	decoder := json.NewDecoder(bytes.NewReader(text))
	line, counted := 1, 0
	for decoder.More() {
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		end := int(decoder.InputOffset())
		start := end - len(value)
		line += bytes.Count(text[counted:start], []byte{'\n'})
		counted = start
		all = append(all, Text{Start: start, End: end, Line: line, JSON: true})
	}
	return all, nil
}

// Lines are the lines of a text, each with its end.
func Lines(text []byte) [][]byte {
	lines := bytes.SplitAfter(text, []byte{'\n'})
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}
