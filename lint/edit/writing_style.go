package edit

import (
	"slices"
	"strings"
)

// writingStyleAt finds out how values are written around a place: what is nearest counts.
func writingStyleAt(p *place) writingStyle {
	m := writingStyle{json: p.json, unit: "  ", colon: ": ", comma: ", ", quote: double}
	m.step, m.indent, m.dash = p.inner(mapping, 2), p.inner(sequence, 0), p.dash()
	var found, quotes bool
	for _, above := range slices.Backward(p.way) {
		c := census{bare: !found}
		if c.count(above.node); c.plain+c.spare > 0 {
			found, m.always = true, c.spare > c.plain
		}
		if !quotes && c.single+c.double > 0 {
			quotes = true
			if c.single > c.double {
				m.quote = single
			}
		}
		if found && quotes {
			break
		}
	}
	m.braces(p)
	m.like = p.habits()
	return m
}

// census counts how strings are written; only with bare, which takes long, those that need no quotes.
type census struct {
	bare           bool
	plain, spare   int // without quotes; with quotes that they do not need
	single, double int
	seen           int
}

// enough strings show what the habit is; a file can have many.
const enough = 64

func (c *census) count(n *node) {
	for _, e := range n.entries {
		if c.seen >= enough {
			return
		}
		v := e.value
		if v.kind != scalar {
			c.count(v)
			continue
		}
		c.seen++
		switch v.style {
		case single:
			c.single++
		case double:
			c.double++
		case plain:
			if c.bare && bare(v.value, false) {
				c.plain++
			}
			continue
		default:
			continue
		}
		if c.bare && bare(v.value, false) {
			c.spare++
		}
	}
}

// habit is how the value of one key is written.
type habit struct {
	always bool
	quote  style
}

// habits are those of the keys of a list's items, which can differ: the names of variables
// are seldom in quotes, their values often.
func (p *place) habits() map[string]habit {
	if p.node().kind != sequence {
		return nil
	}
	like := map[string]habit{}
	items := p.node().entries
	for _, item := range items[:min(len(items), enough)] {
		for _, e := range item.value.entries {
			v := e.value
			if e.key == nil || v.kind != scalar || v.style == block || v.empty() {
				continue
			}
			h := habit{quote: v.style, always: v.style != plain && bare(v.value, false)}
			if known, ok := like[e.key.value]; !ok || h.always && !known.always {
				like[e.key.value] = h
			}
		}
	}
	return like
}

// inner is by how many columns a kind of block collection lies further in than its key: as the
// nearest one does, or else the first of the document.
func (p *place) inner(want kind, otherwise int) int {
	for _, above := range slices.Backward(p.way) {
		if columns, ok := above.node.inner(want, false); ok {
			return columns
		}
	}
	if columns, ok := p.way[0].node.inner(want, true); ok {
		return columns
	}
	return otherwise
}

func (n *node) inner(want kind, deep bool) (columns int, ok bool) {
	for _, e := range n.entries {
		v := e.value
		if n.kind == mapping && v.kind == want && !v.flow {
			return v.column - n.column, true
		}
		if deep {
			if columns, ok = v.inner(want, deep); ok {
				return columns, true
			}
		}
	}
	return columns, false
}

// dash is how many blanks stand behind a dash.
func (p *place) dash() int {
	for _, above := range slices.Backward(p.way) {
		n := above.node
		if n.kind != sequence || n.flow {
			continue
		}
		for _, e := range n.entries {
			if gap := e.value.at - e.mark - 1; gap > 0 && strings.Trim(string(p.text[e.mark+1:e.value.at]), " ") == "" {
				return gap
			}
		}
	}
	return 1
}

// braces looks at the nearest flow collection that has something in it.
func (m *writingStyle) braces(p *place) {
	if n := p.filled(); n != nil {
		first := n.entries[0]
		if gap := string(p.text[n.start+1 : first.begin()]); strings.Trim(gap, " ") == "" {
			m.pad = gap
		}
		if p.json {
			m.compact(p, n)
		}
	}
}

// filled is the nearest flow collection that has something in it; nil without one.
func (p *place) filled() *node {
	for _, above := range slices.Backward(p.way) {
		if n := above.node; n.flow && len(n.entries) > 0 {
			return n
		}
	}
	return nil
}

// compact is for JSON without blanks, and for the indentation of JSON with lines.
func (m *writingStyle) compact(p *place, n *node) {
	first := n.entries[0]
	if first.value.at == first.mark+1 {
		m.colon = ":"
	}
	if len(n.entries) > 1 {
		if second := n.entries[1].begin(); strings.HasSuffix(string(p.text[:second]), ",") {
			m.comma = ","
		}
	} else if m.colon == ":" {
		m.comma = ","
	}
	if p.text.first(first.begin()) {
		outer := lead(p.text, n.start)
		if unit, ok := strings.CutPrefix(lead(p.text, first.begin()), outer); ok && unit != "" {
			m.unit = unit
		}
	}
}

// lead is the blanks with which the line of an offset begins.
func lead(text lines, at int) string {
	start := text.start(at)
	return string(text[start:text.blanks(start)])
}
