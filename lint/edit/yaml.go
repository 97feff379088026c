package edit

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// builder makes nodes with both ends of what the YAML library gives the beginning of.
type builder struct {
	text   lines
	starts []int // offset of each line
	used   map[*yaml.Node]bool
	err    error
}

// parseYAML reads a document that source.Parse took.
func parseYAML(text string) (*node, error) {
	for _, odd := range []string{"\u0085", "\u2028", "\u2029"} {
		if before, _, found := strings.Cut(text, odd); found {
			return nil, refuse(len(before), "a line end here that only YAML knows (U+0085, U+2028 or U+2029)")
		}
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, refuse(0, "the document cannot be read")
	}
	if document.Kind != yaml.DocumentNode || len(document.Content) != 1 {
		return nil, refuse(0, "the document is empty")
	}
	b := &builder{text: lines(text), starts: []int{0}, used: map[*yaml.Node]bool{}}
	for at := range len(text) {
		if text[at] == '\n' {
			b.starts = append(b.starts, at+1)
		}
	}
	b.use(document.Content[0])
	root := b.node(document.Content[0], -1, 0)
	return root, b.err
}

// use notes what aliases stand for.
func (b *builder) use(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		b.used[n.Alias] = true
	}
	for _, child := range n.Content {
		b.use(child)
	}
}

func (b *builder) fail(at int) {
	if b.err == nil {
		b.err = refuse(at, misread)
	}
}

// offset turns the library's line and column, which counts characters, into an offset.
func (b *builder) offset(n *yaml.Node) int {
	at := b.starts[min(n.Line, len(b.starts))-1] // what is not there can be on a line behind the last
	for range n.Column - 1 {
		_, size := utf8.DecodeRuneInString(string(b.text[at:]))
		at += size
	}
	return at
}

const misread = "the text here is written in a way that cannot be followed"

// node builds a value. indent is the column of the block collection around it, from 0;
// behind is the offset behind its colon, its dash or else its key.
func (b *builder) node(from *yaml.Node, indent, behind int) *node {
	n := &node{at: b.offset(from), anchored: from.Anchor != "", shared: b.used[from]}
	n.tagged = from.Style&yaml.TaggedStyle != 0
	absent := from.Kind == yaml.ScalarNode && from.Value == "" && from.Style&^yaml.TaggedStyle == 0
	if absent && !n.anchored && !n.tagged {
		// For the library, a null without text has the place of whatever follows.
		n.at, n.start, n.end, n.tagged = behind, behind, behind, from.Tag != "!!null"
		return n
	}
	n.start = b.properties(n, absent)
	n.end = n.start
	if absent {
		return n
	}
	switch from.Kind {
	case yaml.AliasNode:
		n.kind = alias
		n.end, _ = b.text.match(n.start, aliased())
	case yaml.MappingNode:
		n.kind, n.flow = mapping, from.Style&yaml.FlowStyle != 0
		b.mapping(n, from, indent)
	case yaml.SequenceNode:
		n.kind, n.flow = sequence, from.Style&yaml.FlowStyle != 0
		b.sequence(n, from, indent)
	default:
		var ok bool
		n.value = from.Value
		if n.style, n.end, ok = b.text.scalar(n.start, n.value, indent); !ok {
			b.fail(n.start)
		}
	}
	return n
}

var (
	property = pattern.Lazy("^(?:&[^ \t\n,\\[\\]{}]+|![^ \t\n]*)")
	aliased  = pattern.Lazy(`^\*[-\w]+`)
)

// properties skips a node's anchor and tag and gives where its content begins.
func (b *builder) properties(n *node, absent bool) int {
	end, next := n.at, n.at
	for {
		found, ok := b.text.match(next, property())
		if !ok {
			break
		}
		n.tagged = n.tagged || b.text.has(next, "!")
		end, next = found, b.text.trivia(found)
	}
	if absent {
		return end
	}
	return next
}

func (b *builder) columnOf(at int) int {
	return utf8.RuneCountInString(string(b.text[b.text.start(at):at]))
}

func (b *builder) mapping(n *node, from *yaml.Node, indent int) {
	at := n.start
	switch {
	case !n.flow:
		n.column = b.columnOf(n.start)
		indent = n.column
	case b.text.has(at, "{"):
		at++
	default:
		n.odd = true
	}
	for i := 0; i+1 < len(from.Content) && b.err == nil; i += 2 {
		key := b.node(from.Content[i], indent, b.offset(from.Content[i]))
		e := &entry{key: key, merge: from.Content[i].Tag == "!!merge"}
		e.explicit = b.afterQuestion(key.at)
		behind := key.end
		if colon := b.text.trivia(key.end); b.text.has(colon, ":") {
			e.mark, behind = colon, colon+1
		}
		e.value = b.node(from.Content[i+1], indent, behind)
		n.entries = append(n.entries, e)
		at = e.end()
	}
	b.close(n, at, "}")
}

// afterQuestion says whether the key at an offset is written as "? key".
func (b *builder) afterQuestion(at int) bool {
	before := strings.TrimRight(string(b.text[:at]), " \t\n")
	if len(before) == at || !strings.HasSuffix(before, "?") {
		return false
	}
	mark := len(before) - 1
	return strings.Trim(before[b.text.start(mark):mark], " \t-{,") == ""
}

func (b *builder) sequence(n *node, from *yaml.Node, indent int) {
	at := n.start
	if !n.flow {
		n.column = b.columnOf(n.start)
		indent = n.column
	} else {
		at++
	}
	for _, child := range from.Content {
		e := &entry{}
		if !n.flow {
			e.mark = b.text.trivia(at)
			if !b.text.has(e.mark, "-") {
				b.fail(at)
				return
			}
		}
		e.value = b.node(child, indent, e.mark+1)
		n.entries = append(n.entries, e)
		at = e.end()
	}
	b.close(n, at, "]")
}

// close finds a collection's end, which is behind what closes it or behind its last value.
func (b *builder) close(n *node, at int, bracket string) {
	n.end = at
	if !n.flow || n.odd || b.err != nil {
		return
	}
	at = b.text.trivia(at)
	if b.text.has(at, ",") {
		at = b.text.trivia(at + 1)
	}
	if !b.text.has(at, bracket) {
		b.fail(n.start)
		return
	}
	n.end = at + 1
}
