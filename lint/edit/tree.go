package edit

import "strings"

type kind int

const (
	scalar kind = iota
	mapping
	sequence
	alias
)

type style int

const (
	plain style = iota
	single
	double
	block // | and >
)

// node is one value of a document and the bytes that it takes. Offsets count in the
// document's text, which has newlines for line ends.
type node struct {
	kind  kind
	flow  bool // {…} and […]
	odd   bool // a pair in a flow sequence, "[a: b]", which has no braces
	style style
	value string // of a scalar, as it reads
	// at is where its anchor or tag begins, else its content; start is where its content
	// begins, and end is behind its last byte. Where it is empty all three are the same, and
	// behind the colon, the dash or the key.
	at, start, end int
	column         int // of a block collection's keys or dashes, from 0
	tagged         bool
	anchored       bool
	shared         bool // its anchor is used elsewhere
	entries        []*entry
}

// entry is a field of a mapping, or an item of a sequence.
type entry struct {
	key      *node // nil for an item
	value    *node
	mark     int  // of the colon or of the dash; 0, where an object has neither, for none
	merge    bool // the key is <<
	explicit bool // the key is written with a question mark
}

// begin is where an entry's own bytes begin.
func (e *entry) begin() int {
	if e.key != nil {
		return e.key.at
	}
	if e.mark != 0 {
		return e.mark
	}
	return e.value.at
}

// end is behind an entry's last byte.
func (e *entry) end() int { return e.value.end }

func (n *node) collection() bool { return n.kind == mapping || n.kind == sequence }

// empty says that a value is not written at all, which is null.
func (n *node) empty() bool { return n.start == n.end }

// mergeKey gives the entry by which a mapping takes fields from others; nil when it has none.
func (n *node) mergeKey() *entry {
	for _, e := range n.entries {
		if e.merge {
			return e
		}
	}
	return nil
}

// find gives the entry of a key; nil when it is not written here.
func (n *node) find(key string) *entry {
	for _, e := range n.entries {
		if e.key != nil && !e.merge && e.key.kind == scalar && e.key.value == key {
			return e
		}
	}
	return nil
}

// sharedBelow gives a node at or below n that is used elsewhere too; nil without one.
func (n *node) sharedBelow() *node {
	if n.shared {
		return n
	}
	for _, e := range n.entries {
		if e.key != nil && e.key.shared {
			return e.key
		}
		if found := e.value.sharedBelow(); found != nil {
			return found
		}
	}
	return nil
}

// lines finds its way in a text by lines.
type lines string

// start is the offset at which the line of an offset begins.
func (t lines) start(at int) int { return strings.LastIndexByte(string(t[:at]), '\n') + 1 }

// end is the offset of the newline that ends the line of an offset, or the text's end.
func (t lines) end(at int) int {
	if i := strings.IndexByte(string(t[at:]), '\n'); i >= 0 {
		return at + i
	}
	return len(t)
}

// first says whether only blanks stand in front of an offset on its line.
func (t lines) first(at int) bool { return strings.Trim(string(t[t.start(at):at]), " \t") == "" }

// has says whether a text stands at an offset.
func (t lines) has(at int, text string) bool { return strings.HasPrefix(string(t[at:]), text) }

// skip gives the offset behind the bytes of a set.
func (t lines) skip(at int, set string) int {
	return len(t) - len(strings.TrimLeft(string(t[at:]), set))
}

// blanks skips blanks on one line.
func (t lines) blanks(at int) int { return t.skip(at, " \t") }

// space skips blanks and line ends.
func (t lines) space(at int) int { return t.skip(at, " \t\n") }

// trivia skips blanks, line ends and comments.
func (t lines) trivia(at int) int {
	at = t.space(at)
	for t.has(at, "#") {
		at = t.space(t.end(at))
	}
	return at
}

// commented says whether a comment stands between two offsets, where nothing but blanks,
// commas and comments can.
func (t lines) commented(from, to int) bool { return strings.Contains(string(t[from:to]), "#") }

// rest says whether nothing but a comment follows on the line.
func (t lines) rest(at int) bool {
	next := t.blanks(at)
	return next == t.end(at) || t.has(next, "#")
}
