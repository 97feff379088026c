package settings

import (
	"strconv"

	"go.yaml.in/yaml/v3"
)

// lineOf is the line of the key that path ends in, or of the last one on the way that is
// there.
func lineOf(node *yaml.Node, path []string) int {
	line := node.Line
	for _, step := range path {
		if node.Kind == yaml.AliasNode {
			node = node.Alias
		}
		switch node.Kind {
		case yaml.MappingNode:
			next := -1
			for i := 0; i+1 < len(node.Content); i += 2 {
				if node.Content[i].Value == step {
					next = i
				}
			}
			if next < 0 {
				return line
			}
			line = node.Content[next].Line
			node = node.Content[next+1]
		case yaml.SequenceNode:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(node.Content) {
				return line
			}
			node = node.Content[i]
			line = node.Line
		default:
			return line
		}
	}
	return line
}
