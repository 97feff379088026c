package source

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// lineMap turns the lines that the YAML library counts within one segment into
// the lines of the file.
type lineMap struct {
	text  []byte
	first int // the file's line on which the segment begins
	// table holds the file's line for each line of YAML, where the two differ:
	// YAML also ends a line at NEL, LS and PS, and no editor does.
	table []int
	// starts holds where YAML's lines begin, once someone asks.
	starts   []int
	bareTags bool
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
	m.bareTags = bytes.Contains(s.text, []byte("! ")) || bytes.Contains(s.text, []byte("!\n")) ||
		bytes.Contains(s.text, []byte("!\t")) || bytes.Contains(s.text, []byte("!\r"))
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

// scan finds where each of YAML's lines begins and on which line of the file.
func (m *lineMap) scan() {
	m.starts, m.table = []int{0}, []int{m.first}
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
		m.starts = append(m.starts, at)
		m.table = append(m.table, line)
	}
}

// hasBareTag says whether a node carries the tag "!", which makes a string of
// it and which yaml/v3 does not tell from no tag at all.
func (m *lineMap) hasBareTag(node *yaml.Node) bool {
	if !m.bareTags || node.Kind != yaml.ScalarNode {
		return false
	}
	if m.starts == nil {
		m.scan()
	}
	if node.Line < 1 || node.Line > len(m.starts) {
		return false
	}
	text := m.text[m.starts[node.Line-1]:]
	for column := 1; column < node.Column && len(text) > 0; column++ {
		_, size := utf8.DecodeRune(text)
		text = text[size:]
	}
	if len(text) > 0 && text[0] == '&' {
		if end := bytes.IndexAny(text, " \t\r\n"); end >= 0 {
			text = bytes.TrimLeft(text[end:], " \t\r\n")
		}
	}
	return len(text) > 0 && text[0] == '!' && (len(text) == 1 || bytes.IndexByte([]byte(" \t\r\n"), text[1]) >= 0)
}
