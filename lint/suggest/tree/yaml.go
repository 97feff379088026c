package tree

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/policies/engine"
)

// PlainNumbers makes of JSON's numbers what YAML and Helm have.
func PlainNumbers(value any) any {
	return engine.Mapped(value, func(value any) any {
		number, is := value.(json.Number)
		if !is {
			return value
		}
		if whole, err := number.Int64(); err == nil {
			return whole
		}
		if float, err := number.Float64(); err == nil {
			return float
		}
		return number.String()
	})
}

// YAML is YAML as people write it: what a thing is before what it has.
func YAML(value any) ([]byte, error) {
	node, err := nodeOf(value)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(node); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

// first are the keys that stand before others, which follow by the alphabet.
var first = []string{
	"apiVersion", "kind", "group", "version", "namespace", "name", "metadata", "target", "op", "path", "requests",
}

func nodeOf(value any) (*yaml.Node, error) {
	switch value := value.(type) {
	case map[string]any:
		node := &yaml.Node{Kind: yaml.MappingNode}
		keys := slices.Sorted(maps.Keys(value))
		slices.SortStableFunc(keys, func(a, b string) int { return place(a) - place(b) })
		for _, key := range keys {
			name, err := nodeOf(key)
			if err != nil {
				return nil, err
			}
			entry, err := nodeOf(value[key])
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, name, entry)
		}
		return node, nil
	case []any:
		node := &yaml.Node{Kind: yaml.SequenceNode}
		for _, entry := range value {
			element, err := nodeOf(entry)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, element)
		}
		return node, nil
	default:
		node := &yaml.Node{}
		return node, node.Encode(PlainNumbers(value))
	}
}

func place(key string) int {
	if i := slices.Index(first, key); i >= 0 {
		return i
	}
	return len(first)
}
