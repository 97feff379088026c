//go:build integration

package fixfiles_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	goyaml "go.yaml.in/yaml/v3"

	"github.com/go-openapi/jsonpointer"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// onlyMeant: with the lines of what the operations are about taken out of both texts, they
// are the same, byte for byte. The lines are found by a YAML parser that had no part in the
// edit. "" where it holds.
func onlyMeant(before, after []byte, ops map[int][]engine.Operation) string {
	was, err := meant(before, ops, map[string]int{}, false)
	if err != nil {
		return err.Error()
	}
	// Items are appended: counted on from what there was.
	is, err := meant(after, ops, was.lengths, true)
	if err != nil {
		return err.Error()
	}
	one, other := was.rest(), is.rest()
	for i := range max(len(one), len(other)) {
		if i >= len(one) || i >= len(other) || one[i] != other[i] {
			return fmt.Sprintf("outside of what was meant, line %d of the rest differs:\n%q\n%q",
				i+1, part(one, i), part(other, i))
		}
	}
	return comments(was, is)
}

func part(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no line)"
}

// spans are a text's lines, and which of them operations are about.
type spans struct {
	lines   []string // with their ends
	meant   map[int]bool
	lengths map[string]int // of lists that are appended to, and of what was empty, by document and pointer
}

// meant finds the lines of operations. What is inserted between the items of a list is only there afterwards.
func meant(text []byte, ops map[int][]engine.Operation, lengths map[string]int, afterwards bool) (*spans, error) {
	s := &spans{lines: splitLines(text), meant: map[int]bool{}, lengths: map[string]int{}}
	flat := folded(text)
	texts, err := source.Texts(flat)
	if err != nil {
		return nil, err
	}
	for document, list := range ops {
		part := texts[document]
		var root goyaml.Node
		if err := goyaml.Unmarshal(flat[part.Start:part.End], &root); err != nil {
			return nil, err
		}
		first := strings.Count(string(flat[:part.Start]), "\n")
		d := &tree{lines: strings.SplitAfter(string(flat[part.Start:part.End]), "\n")}
		d.index(root.Content[0])
		slices.Sort(d.starts)
		appended := map[string]int{}
		for _, op := range list {
			if !afterwards && inserts(root.Content[0], op) {
				continue
			}
			for _, line := range d.linesOf(root.Content[0], op, func(pointer string, length int) int {
				key := fmt.Sprint(document, pointer)
				if known, ok := lengths[key]; ok {
					length = known
				} else {
					s.lengths[key] = length
				}
				appended[key]++
				return length + appended[key] - 1
			}, func(pointer string, empty bool) bool {
				key := fmt.Sprint(document, " empty ", pointer)
				if empty {
					s.lengths[key] = 0
				}
				_, was := lengths[key]
				return was
			}) {
				s.meant[first+line] = true
			}
		}
	}
	return s, nil
}

// rest are the lines that no edit is about. They stay, but the last one gets a line end when
// another follows.
func (s *spans) rest() []string {
	var rest []string
	for i, line := range s.lines {
		if !s.meant[i+1] {
			rest = append(rest, line)
		}
	}
	if n := len(rest); n > 0 {
		rest[n-1] = strings.TrimRight(rest[n-1], "\r\n")
	}
	return rest
}

// comments that have a line of their own are all there afterwards.
func comments(was, is *spans) string {
	left := map[string]int{}
	for _, line := range is.lines {
		left[strings.TrimSpace(line)]++
	}
	for _, line := range was.lines {
		text := strings.TrimSpace(line)
		if left[text]--; strings.HasPrefix(text, "#") && left[text] < 0 {
			return fmt.Sprintf("the comment %q is gone", text)
		}
	}
	return ""
}

// splitLines splits at every line end that YAML and editors share, and keeps the ends.
func splitLines(text []byte) []string {
	var lines []string
	for rest := string(text); rest != ""; {
		end := strings.IndexAny(rest, "\r\n")
		switch {
		case end < 0:
			end = len(rest)
		case rest[end] == '\r' && strings.HasPrefix(rest[end+1:], "\n"):
			end += 2
		default:
			end++
		}
		lines, rest = append(lines, rest[:end]), rest[end:]
	}
	return lines
}

// tree is a document with the lines on which its nodes begin.
type tree struct {
	lines  []string
	starts []int
}

func (d *tree) index(n *goyaml.Node) {
	d.starts = append(d.starts, n.Line)
	for _, c := range n.Content {
		d.index(c)
	}
}

// linesOf are the lines, from 1, of what an operation is about.
func (d *tree) linesOf(
	root *goyaml.Node, op engine.Operation, next func(string, int) int, filled func(string, bool) bool,
) []int {
	steps := strings.Split(op.Path, "/")[1:]
	var parentKey, key *goyaml.Node
	parent, n := root, root
	for i, step := range steps {
		if n == nil {
			break
		}
		parent, parentKey = n, key
		step = jsonpointer.Unescape(step)
		if parent.Kind == goyaml.SequenceNode && step == "-" {
			step = strconv.Itoa(next(strings.Join(steps[:i], "/"), len(parent.Content)))
		}
		key, n = child(parent, step)
	}
	var lines []int
	if n != nil {
		lines = append(lines, d.span(key, n)...)
	}
	// The braces of what was empty are gone from behind their key.
	gone := filled(strings.Join(steps[:len(steps)-1], "/"), len(parent.Content) == 0)
	// Braces are on lines of their own, or of others; an empty collection becomes one with
	// something in it and the other way round. The key's line is the only one for blocks.
	if parent.Style&goyaml.FlowStyle != 0 || n == nil && len(parent.Content) == 0 || isNull(parent) {
		return append(lines, d.span(parentKey, parent)...)
	}
	if (gone || op.Op == "remove" && n != nil && len(parent.Content) == 2) && parentKey != nil {
		lines = append(lines, parentKey.Line)
	}
	return lines
}

// inserts says that an operation puts an item in front of one that is there, in a list with a line for each.
func inserts(n *goyaml.Node, op engine.Operation) bool {
	steps := strings.Split(op.Path, "/")[1:]
	for _, step := range steps[:len(steps)-1] {
		if _, n = child(n, jsonpointer.Unescape(step)); n == nil {
			return false
		}
	}
	return op.Op == "add" && n.Kind == goyaml.SequenceNode && n.Style&goyaml.FlowStyle == 0 && steps[len(steps)-1] != "-"
}

func isNull(n *goyaml.Node) bool { return n.Kind == goyaml.ScalarNode }

func child(n *goyaml.Node, step string) (key, value *goyaml.Node) {
	switch n.Kind {
	case goyaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == step {
				return n.Content[i], n.Content[i+1]
			}
		}
	case goyaml.SequenceNode:
		if i, err := strconv.Atoi(step); err == nil && i < len(n.Content) {
			return n.Content[i], n.Content[i]
		}
	}
	return nil, nil
}

// span is from a key to the last line of its value. It ends where the next node begins on a later
// line, without the blank lines and comments in front of that.
func (d *tree) span(key, value *goyaml.Node) []int {
	first, last := value.Line, value
	if key != nil {
		first = key.Line
	}
	for len(last.Content) > 0 {
		last = last.Content[len(last.Content)-1]
	}
	end := len(d.lines)
	for _, start := range d.starts {
		if start > last.Line {
			end = start - 1
			break
		}
	}
	block := last.Style&(goyaml.LiteralStyle|goyaml.FoldedStyle) != 0
	for end > last.Line && outside(d.lines[end-1], d.lines[first-1], block) {
		end--
	}
	var lines []int
	for line := first; line <= end; line++ {
		lines = append(lines, line)
	}
	return lines
}

// outside says that a line is no part of the value in front of it. It is blank, or has a comment
// alone (and maybe the dash of an item that begins below). Or, behind a | or > value, it is no
// deeper than that began.
func outside(line, first string, block bool) bool {
	if block {
		text := strings.TrimLeft(line, " ")
		return strings.TrimSpace(text) != "" && len(line)-len(text) <= len(first)-len(strings.TrimLeft(first, " "))
	}
	text := strings.TrimLeft(strings.TrimSpace(line), "- \t")
	return text == "" || text[0] == '#'
}
