package source

import (
	"go.yaml.in/yaml/v3"
)

// builder turns the nodes of one document into a JSON-shaped value and the
// positions that go with it. It applies yaml/v2's semantics to yaml/v3's
// nodes: the two share a grammar, v3 has the lines and v2 has the values that
// kubectl and conftest see.
type builder struct {
	positions []position
	lines     *lineMap
	// counts as in yaml/v2, so that what is refused as excessive is the same.
	nodes, aliasNodes, aliasDepth int
	open                          map[*yaml.Node]bool // aliases being expanded
}

// value converts node at the given depth; at is its own position's index.
func (b *builder) value(node *yaml.Node, at, depth int) (any, *lineError) {
	if err := b.count(node, depth); err != nil {
		return nil, err
	}
	switch node.Kind {
	case yaml.AliasNode:
		var value any
		err := b.alias(node, func(target *yaml.Node) (err *lineError) {
			value, err = b.value(target, at, depth)
			return err
		})
		return value, err
	case yaml.MappingNode:
		object := make(map[string]any, len(node.Content)/2)
		return object, b.mapping(node, object, depth)
	case yaml.SequenceNode:
		return b.sequence(node, at, depth)
	}
	scalar, err := b.scalar(node)
	if err != nil {
		return nil, err
	}
	value, ok := jsonValue(scalar)
	if !ok {
		return nil, failAt(b.line(node), "a number here is infinite or not a number, which JSON cannot hold")
	}
	return value, nil
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

// mapping puts the fields of node into object, in order, so that a merge key
// overrides what stands above it, as in yaml/v2.
func (b *builder) mapping(node *yaml.Node, object map[string]any, depth int) *lineError {
	seen := keySet{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		keyNode, valueNode := node.Content[i], node.Content[i+1]
		if isMerge(keyNode) {
			if err := b.merge(valueNode, object, depth); err != nil {
				return err
			}
			continue
		}
		key, err := b.key(keyNode, depth)
		if err != nil {
			return err
		}
		line := b.line(keyNode)
		if first := seen.add(key, line); first != 0 {
			return failAt(line, "key %q is given twice, on lines %d and %d", key, first, line)
		}
		at := b.begin(key, line)
		value, err := b.value(valueNode, at, depth+1)
		if err != nil {
			return err
		}
		b.end(at)
		object[key] = value
	}
	return nil
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
	scalar, err := b.scalar(node)
	if err != nil {
		return "", err
	}
	key, ok := keyText(scalar)
	if !ok {
		return "", failAt(b.line(node), "a key is empty (null) or too large a number; Kubernetes takes strings only")
	}
	return key, nil
}

// merge applies "<<". Among several maps the first has precedence, hence the
// order of the loop.
func (b *builder) merge(node *yaml.Node, object map[string]any, depth int) *lineError {
	switch {
	case node.Kind == yaml.SequenceNode:
		for i := len(node.Content) - 1; i >= 0; i-- {
			if node.Content[i].Kind == yaml.SequenceNode {
				return b.failMerge(node)
			}
			if err := b.merge(node.Content[i], object, depth); err != nil {
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
			return b.mapping(target, object, depth+1)
		})
	case node.Kind == yaml.MappingNode:
		if err := b.count(node, depth); err != nil {
			return err
		}
		return b.mapping(node, object, depth+1)
	}
	return b.failMerge(node)
}

func (b *builder) failMerge(node *yaml.Node) *lineError {
	return failAt(b.line(node), "a merge key (<<) wants a map or a list of maps")
}

func (b *builder) sequence(node *yaml.Node, at, depth int) (any, *lineError) {
	b.positions[at].list = true
	list := make([]any, len(node.Content))
	for i, item := range node.Content {
		child := b.begin("", b.line(item))
		value, err := b.value(item, child, depth+1)
		if err != nil {
			return nil, err
		}
		b.end(child)
		list[i] = value
	}
	return list, nil
}

func (b *builder) scalar(node *yaml.Node) (any, *lineError) {
	tag := ""
	if node.Style&yaml.TaggedStyle != 0 {
		tag = node.Tag
	} else if b.lines.hasBareTag(node) {
		return node.Value, nil
	}
	const unquoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	value, ok := scalarValue(tag, node.Value, node.Style&unquoted == 0)
	if !ok {
		return nil, failAt(b.line(node), "the value is not what its tag %s says it is", tag)
	}
	return value, nil
}

func isMerge(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.Value == "<<" && node.Tag == tagMerge
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

// keySet finds keys that are given twice. Objects are small, so a scan beats
// a map until they are not.
type keySet struct {
	keys  []string
	lines []int
	index map[string]int
}

// add gives the line of an earlier use of key, or 0.
func (s *keySet) add(key string, line int) int {
	const scan = 16
	if s.index == nil {
		for i, earlier := range s.keys {
			if earlier == key {
				return s.lines[i]
			}
		}
		s.keys, s.lines = append(s.keys, key), append(s.lines, line)
		if len(s.keys) > scan {
			s.index = make(map[string]int, 2*len(s.keys))
			for i, earlier := range s.keys {
				s.index[earlier] = s.lines[i]
			}
		}
		return 0
	}
	if earlier, found := s.index[key]; found {
		return earlier
	}
	s.index[key] = line
	return 0
}
