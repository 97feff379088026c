package source

import (
	"bytes"
	"strings"
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
	m.bareTags = bytes.IndexByte(s.text, '!') >= 0
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

// blanks is what YAML puts between tokens.
const blanks = " \t\r\n\u0085\u2028\u2029"

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
	text = behindAnchor(text)
	if len(text) == 0 || text[0] != '!' {
		return false
	}
	following, size := utf8.DecodeRune(text[1:])
	if size > 0 && !strings.ContainsRune(blanks, following) {
		return false
	}
	// A value that is not there has the place of whatever comes next, whose tag
	// it must not take.
	rest := bytes.TrimLeft(behindAnchor(bytes.TrimLeft(text[1:], " \t")), " \t")
	next, _ := utf8.DecodeRune(rest)
	return node.Value != "" || len(rest) == 0 || strings.ContainsRune(blanks+",]}#:", next)
}

// behindAnchor skips an anchor ("&name") if there is one, and what may stand
// between it and a tag: blanks, line ends, comments.
func behindAnchor(text []byte) []byte {
	if len(text) == 0 || text[0] != '&' {
		return text
	}
	end := bytes.IndexAny(text, blanks)
	if end < 0 {
		return nil
	}
	text = bytes.TrimLeft(text[end:], blanks)
	for len(text) > 0 && text[0] == '#' {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
		text = bytes.TrimLeft(text, blanks)
	}
	return text
}
