package source

import (
	"bytes"
	"unicode/utf8"
)

// lineMap turns the lines that the YAML library counts within one segment into
// the lines of the file.
type lineMap struct {
	text  []byte
	first int // the file's line on which the segment begins
	// table holds the file's line for each line of YAML, where the two differ:
	// YAML also ends a line at NEL, LS and PS, and no editor does.
	table []int
}

var oddBreaks = [][]byte{[]byte("\u0085"), []byte("\u2028"), []byte("\u2029")}

func newLineMap(s segment) *lineMap {
	m := &lineMap{text: s.text, first: s.line}
	for _, odd := range oddBreaks {
		if bytes.Contains(s.text, odd) {
			m.scan()
			break
		}
	}
	return m
}

// odd says whether the text has line ends that only YAML knows.
func (m *lineMap) odd() bool { return m.table != nil }

// line gives the file's line for a line that the library counted from 1.
func (m *lineMap) line(counted int) int {
	if m.table == nil {
		return m.first + counted - 1
	}
	return m.table[min(max(counted-1, 0), len(m.table)-1)]
}

// scan finds on which line of the file each of YAML's lines begins.
func (m *lineMap) scan() {
	m.table = []int{m.first}
	line := m.first
	for at := 0; at < len(m.text); {
		r, size := utf8.DecodeRune(m.text[at:])
		at += size
		switch r {
		case '\n':
			line++
		case '\u0085', '\u2028', '\u2029':
		default:
			continue
		}
		m.table = append(m.table, line)
	}
}
