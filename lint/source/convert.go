package source

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// builder finds the positions of the values of one document in yaml/v3's nodes, which have the lines. It refuses
// what nests or expands too far.
type builder struct {
	positions []position
	lines     *lineMap
	suspects  suspects
	twice     twice
	// counts as in yaml/v2, so that what is refused as excessive is the same.
	nodes, aliasNodes, aliasDepth int
	open                          map[*yaml.Node]bool // aliases being expanded
}

// value finds the positions in a node at the given depth; at is its own position's index.
func (b *builder) value(node *yaml.Node, at, depth int) *lineError {
	if err := b.count(node, depth); err != nil {
		return err
	}
	switch node.Kind {
	case yaml.AliasNode:
		return b.alias(node, func(target *yaml.Node) *lineError { return b.value(target, at, depth) })
	case yaml.MappingNode:
		return b.mapping(node, depth)
	case yaml.SequenceNode:
		return b.sequence(node, at, depth)
	}
	b.suspects.look(node, b.line(node))
	return nil
}

// count keeps the books that bound nesting and alias expansion.
func (b *builder) count(node *yaml.Node, depth int) *lineError {
	b.nodes++
	if b.aliasDepth > 0 {
		b.aliasNodes++
	}
	if b.aliasNodes > maxAliasNodes ||
		b.aliasNodes > 100 && b.nodes > 1000 && float64(b.aliasNodes) > 0.99*float64(b.nodes) {
		return failAt(b.line(node), "aliases expand to too much (%d of %d values so far)", b.aliasNodes, b.nodes)
	}
	if depth > maxDepth {
		return failAt(b.line(node), "nested more than %d levels deep", maxDepth)
	}
	return nil
}

// alias visits what an alias stands for.
func (b *builder) alias(node *yaml.Node, visit func(*yaml.Node) *lineError) *lineError {
	if b.open[node] {
		return failAt(b.line(node), "anchor %q contains itself", node.Value)
	}
	if b.open == nil {
		b.open = map[*yaml.Node]bool{}
	}
	b.open[node] = true
	b.aliasDepth++
	err := visit(node.Alias)
	b.aliasDepth--
	delete(b.open, node)
	return err
}

// mapping has the fields of node in order, so that a merge key overrides what stands above it, as in yaml/v2.
func (b *builder) mapping(node *yaml.Node, depth int) *lineError {
	seen := make(map[string]*yaml.Node, len(node.Content)/2)
	for i := 0; i+1 < len(node.Content); i += 2 {
		keyNode, valueNode := node.Content[i], node.Content[i+1]
		if keyNode.Kind == yaml.ScalarNode && keyNode.Value == "<<" && keyNode.Tag == "!!merge" {
			if err := b.merge(valueNode, depth); err != nil {
				return err
			}
			continue
		}
		key, err := b.key(keyNode, depth)
		if err != nil {
			return err
		}
		line := b.line(keyNode)
		if first := seen[key]; first != nil {
			if first.Value != keyNode.Value || first.Style != keyNode.Style {
				return failAt(line, "%s", givenTwice(key, b.line(first), line))
			}
			b.twice.add(key, b.line(first), line)
		}
		seen[key] = keyNode
		at := b.begin(key, line)
		if err := b.value(valueNode, at, depth+1); err != nil {
			return err
		}
		b.end(at)
	}
	return nil
}

// twice notes keys that are given twice. kubectl and Helm take the last value, so the document is judged by it. Keys
// that differ in YAML and not in JSON (1 and "1") overwrite each other in no order, and are refused.
type twice struct {
	key         string // the first such key
	first, line int    // where it stands; line is 0 without one
	more        int    // further keys
}

func (t *twice) add(key string, first, line int) {
	if t.line > 0 {
		t.more++
		return
	}
	t.key, t.first, t.line = key, first, line
}

// problem says what was given twice.
func (t *twice) problem(file string) *Problem {
	more := ""
	if t.more > 0 {
		more = fmt.Sprintf(" (so are %d more)", t.more)
	}
	return &Problem{File: file, Line: t.line, Cause: fmt.Errorf(
		"%s%s: only the last counts, as for kubectl", givenTwice(t.key, t.first, t.line), more)}
}

// givenTwice names no line, since an editor keeps a document that is moved with what was said of it.
func givenTwice(key string, first, line int) string {
	switch above := line - first; above {
	case 0:
		return fmt.Sprintf("key %q is given twice on this line", key)
	case 1:
		return fmt.Sprintf("key %q is given twice, first on the line above", key)
	default:
		return fmt.Sprintf("key %q is given twice, first %d lines above", key, above)
	}
}

func (b *builder) key(node *yaml.Node, depth int) (string, *lineError) {
	if err := b.count(node, depth); err != nil {
		return "", err
	}
	if node.Kind == yaml.AliasNode {
		var key string
		err := b.alias(node, func(target *yaml.Node) (err *lineError) {
			key, err = b.key(target, depth)
			return err
		})
		return key, err
	}
	if node.Kind != yaml.ScalarNode {
		return "", failAt(b.line(node), "a key is a list or a map; Kubernetes takes strings only")
	}
	key, ok := keyText(node)
	if !ok && b.suspects.key == 0 {
		b.suspects.key = b.line(node)
	}
	return key, nil
}

// merge applies "<<". Among several maps the first has precedence, hence the
// order of the loop.
func (b *builder) merge(node *yaml.Node, depth int) *lineError {
	switch {
	case node.Kind == yaml.SequenceNode:
		for i := len(node.Content) - 1; i >= 0; i-- {
			if node.Content[i].Kind == yaml.SequenceNode {
				return b.failMerge(node)
			}
			if err := b.merge(node.Content[i], depth); err != nil {
				return err
			}
		}
		return nil
	case node.Kind == yaml.AliasNode && node.Alias.Kind == yaml.MappingNode:
		if err := b.count(node, depth); err != nil {
			return err
		}
		return b.alias(node, func(target *yaml.Node) *lineError {
			if err := b.count(target, depth); err != nil {
				return err
			}
			return b.mapping(target, depth+1)
		})
	case node.Kind == yaml.MappingNode:
		if err := b.count(node, depth); err != nil {
			return err
		}
		return b.mapping(node, depth+1)
	}
	return b.failMerge(node)
}

func (b *builder) failMerge(node *yaml.Node) *lineError {
	return failAt(b.line(node), "a merge key (<<) wants a map or a list of maps")
}

func (b *builder) sequence(node *yaml.Node, at, depth int) *lineError {
	b.positions[at].list = true
	for _, item := range node.Content {
		child := b.begin("", b.line(item))
		if err := b.value(item, child, depth+1); err != nil {
			return err
		}
		b.end(child)
	}
	return nil
}

func (b *builder) line(node *yaml.Node) int { return b.lines.line(node.Line) }

// begin opens a position and end closes it, when its subtree is complete. Lines and
// values of a document are bounded by Options, far below what an int32 holds.
func (b *builder) begin(key string, line int) int {
	b.positions = append(b.positions, position{key: key, line: int32(line), size: 1}) //nolint:gosec // see above
	return len(b.positions) - 1
}

func (b *builder) end(at int) {
	b.positions[at].size = int32(len(b.positions) - at) //nolint:gosec // see begin
}
