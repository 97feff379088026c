package lint

import (
	"bytes"
	"os"

	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/lint/source"
)

// placesOf says which lines of a file are each object's: those of its document with the
// comments before it, or its part of a List. Objects come in the order of lines.
func placesOf(file string, objects []*subject, ranges []changed.Range, o source.Options) ([]changed.Range, error) {
	places := make([]changed.Range, len(objects))
	if len(ranges) == 0 {
		return places, nil
	}
	documents, err := documentLines(file, o)
	if err != nil {
		return nil, err
	}
	at := func(line int) int {
		for i, d := range documents {
			if line <= d.Last {
				return i
			}
		}
		return len(documents) - 1
	}
	for i, s := range objects {
		d := at(s.Line)
		places[i] = documents[d]
		if i > 0 && at(objects[i-1].Line) == d {
			places[i].First = s.Line
		}
		if i+1 < len(objects) && at(objects[i+1].Line) == d {
			places[i].Last = max(s.Line, objects[i+1].Line-1)
		}
	}
	return places, nil
}

// documentLines are the lines of each document of a file, with what stands before the first and
// between two of them. A file that is not UTF-8 counts as one document.
func documentLines(file string, o source.Options) ([]changed.Range, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Size() > o.MaxBytes() || !info.Mode().IsRegular() {
		return []changed.Range{{First: 1, Last: 1}}, nil // nothing in it was judged, or the line is not known
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	text = plainText(text)
	last := len(bytes.SplitAfter(bytes.TrimSuffix(text, []byte{'\n'}), []byte{'\n'}))
	all := []changed.Range{{First: 1, Last: last}}
	texts, err := source.Texts(text)
	if err != nil || len(texts) < 2 {
		return all, nil //nolint:nilerr // what cannot be taken apart is one document
	}
	all = all[:0]
	for i, t := range texts {
		r := changed.Range{First: t.Line, Last: last}
		if i == 0 {
			r.First = 1
		}
		if i+1 < len(texts) {
			r.Last = texts[i+1].Line - 1
		}
		all = append(all, r)
	}
	return all, nil
}
