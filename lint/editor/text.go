package editor

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// content is the text of a file, and where its lines begin. Lines end as the protocol has it: \n, \r\n or \r.
type content struct {
	text   string
	starts []int
	bytes  bool  // characters are counted in bytes; else in units of UTF-16
	units  []int // how many there are in front of every stride of bytes: a line of megabytes may have thousands of findings
}

// stride is a number of bytes that is counted at once where a position is asked for. It is chosen.
const stride = 1 << 10

func newContent(text string, inBytes bool) *content {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n', text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n'):
			starts = append(starts, i+1)
		}
	}
	c := &content{text: text, starts: starts, bytes: inBytes}
	for from, n := 0, 0; from <= len(text); from += stride {
		c.units = append(c.units, n)
		n += c.unitsOf(text[from:min(from+stride, len(text))])
	}
	return c
}

// unitsOf counts characters. The first byte of one counts for all of them, so that a text may begin within one.
func (c *content) unitsOf(text string) (n int) {
	if c.bytes {
		return len(text)
	}
	for i := range len(text) {
		if utf8.RuneStart(text[i]) {
			n++
		}
		if text[i] >= firstOfFour {
			n++
		}
	}
	return n
}

// firstOfFour is where the first bytes of characters begin that UTF-8 writes in four bytes, and UTF-16 in two units (RFC 3629, 3).
const firstOfFour = 0xf0

// before counts the characters in front of a byte.
func (c *content) before(offset int) int {
	n := offset / stride
	return c.units[n] + c.unitsOf(c.text[n*stride:offset])
}

// line is a line's text without its end; "" beyond the last.
func (c *content) line(n int) string {
	if n < 0 || n >= len(c.starts) {
		return ""
	}
	end := len(c.text)
	if n+1 < len(c.starts) {
		end = c.starts[n+1]
	}
	return strings.TrimRight(c.text[c.starts[n]:end], "\r\n")
}

// offset is the byte that a position stands in front of. What is beyond a line is its end, as the protocol has it.
func (c *content) offset(p position) int {
	switch {
	case p.Line < 0:
		return 0
	case p.Line >= len(c.starts):
		return len(c.text)
	}
	line := c.line(p.Line)
	at, units := 0, 0
	for at < len(line) {
		_, size := utf8.DecodeRuneInString(line[at:])
		if units += c.unitsOf(line[at : at+size]); units > p.Character {
			break
		}
		at += size
	}
	return c.starts[p.Line] + at
}

// position is where a byte stands.
func (c *content) position(offset int) position {
	offset = max(0, min(offset, len(c.text)))
	line := sort.SearchInts(c.starts, offset+1) - 1
	return position{line, c.before(offset) - c.before(c.starts[line])}
}

// changed is the text with a change.
func (c *content) changed(change contentChange) *content {
	if change.Range == nil {
		return newContent(change.Text, c.bytes)
	}
	from, to := c.offset(change.Range.Start), c.offset(change.Range.End)
	if to < from {
		from, to = to, from
	}
	return newContent(c.text[:from]+change.Text+c.text[to:], c.bytes)
}

// lineSpan is what is written on a line, from 1, without the blanks around it.
func (c *content) lineSpan(line int) span {
	n := max(0, min(line-1, len(c.starts)-1))
	text := c.line(n)
	from := len(text) - len(strings.TrimLeft(text, " \t"))
	to := len(strings.TrimRight(text, " \t"))
	if to < from {
		from = to
	}
	if len(text) > stride {
		return span{c.position(c.starts[n] + from), c.position(c.starts[n] + to)}
	}
	return span{position{n, c.unitsOf(text[:from])}, position{n, c.unitsOf(text[:to])}}
}
