package edit

import "strings"

// mannerAt finds out how values are written around a place: what is nearest counts.
func mannerAt(p *place) manner {
	m := manner{json: p.json, step: 2, dash: 1, unit: "  ", colon: ": ", comma: ", ", quote: double}
	m.step, m.indent = p.step(), p.indent()
	m.dash = p.dash()
	var found, quotes bool
	for i := len(p.way) - 1; i >= 0 && (!found || !quotes); i-- {
		var c census
		c.count(p.way[i].node)
		if !found && c.plain+c.spare > 0 {
			found, m.always = true, c.spare > c.plain
		}
		if !quotes && c.single+c.double > 0 {
			quotes = true
			if c.single > c.double {
				m.quote = single
			}
		}
	}
	m.braces(p)
	m.like = p.habits()
	return m
}

// census counts how strings are written.
type census struct {
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
		if v.kind != scalar || v.empty() {
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
			if bare(v.value, false) {
				c.plain++
			}
			continue
		default:
			continue
		}
		if bare(v.value, false) {
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
	for i, item := range p.node().entries {
		if i >= enough {
			break
		}
		for _, e := range item.value.entries {
			v := e.value
			if e.key == nil || v.kind != scalar || v.style == block || v.empty() {
				continue
			}
			h := habit{quote: v.style, always: v.style != plain && bare(v.value, false)}
			if v.style == plain {
				h.quote = double
			}
			if known, ok := like[e.key.value]; !ok || h.always && !known.always {
				like[e.key.value] = h
			}
		}
	}
	return like
}

// step is by how many columns a map lies further in than its key.
func (p *place) step() int {
	for i := len(p.way) - 1; i >= 0; i-- {
		n := p.way[i].node
		if n.kind != mapping || n.flow {
			continue
		}
		for _, e := range n.entries {
			if v := e.value; v.kind == mapping && !v.flow && v.column > n.column {
				return v.column - n.column
			}
		}
	}
	if p.json {
		return 2
	}
	if found := searchFor(p.way[0].node, mapping); found >= 0 {
		return found
	}
	return 2
}

// indent is by how many columns a list lies further in than its key.
func (p *place) indent() int {
	for i := len(p.way) - 1; i >= 0; i-- {
		n := p.way[i].node
		if n.kind != mapping || n.flow {
			continue
		}
		for _, e := range n.entries {
			if v := e.value; v.kind == sequence && !v.flow {
				return v.column - n.column
			}
		}
	}
	return max(searchFor(p.way[0].node, sequence), 0)
}

// searchFor gives the first indentation of a kind of block collection below a map; -1 when
// there is none.
func searchFor(n *node, want kind) int {
	for _, e := range n.entries {
		v := e.value
		if n.kind == mapping && !n.flow && v.kind == want && !v.flow {
			return v.column - n.column
		}
		if found := searchFor(v, want); found >= 0 {
			return found
		}
	}
	return -1
}

// dash is how many blanks stand behind a dash.
func (p *place) dash() int {
	for i := len(p.way) - 1; i >= 0; i-- {
		n := p.way[i].node
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
func (m *manner) braces(p *place) {
	for i := len(p.way) - 1; i >= 0; i-- {
		n := p.way[i].node
		if !n.flow || len(n.entries) == 0 {
			continue
		}
		first := n.entries[0]
		if gap := string(p.text[n.start+1 : first.begin()]); strings.Trim(gap, " ") == "" {
			m.pad = gap
		}
		if p.json {
			m.compact(p, n)
		}
		return
	}
}

// compact is for JSON without blanks, and for the indentation of JSON with lines.
func (m *manner) compact(p *place, n *node) {
	first := n.entries[0]
	if first.key != nil && first.value.at == first.mark+1 {
		m.colon = ":"
	}
	if len(n.entries) > 1 {
		if second := n.entries[1]; p.text[second.begin()-1] == ',' {
			m.comma = ","
		}
	} else if m.colon == ":" {
		m.comma = ","
	}
	if p.text.first(first.begin()) {
		outer := lead(p.text, n.start)
		if inner := lead(p.text, first.begin()); strings.HasPrefix(inner, outer) && len(inner) > len(outer) {
			m.unit = inner[len(outer):]
		}
	}
}

// lead is the blanks with which the line of an offset begins.
func lead(text lines, at int) string {
	start := text.start(at)
	return string(text[start:text.blanks(start)])
}
