// Package aliases bounds what the aliases of a YAML document expand to. A line of it may stand for gigabytes: as a text
// that many aliases repeat, or as aliases of aliases. Every reader of YAML asks here before it expands.
package aliases

import (
	"errors"
	"fmt"
	"math"

	"go.yaml.in/yaml/v3"
)

// MaxBytes is what aliases may add to a document, with nodeBytes for each value. No object that an API server takes
// is larger.
const MaxBytes = 2 << 20

// nodeBytes is about what a value takes besides its text.
const nodeBytes = 16

// Errors of a document. They quote nothing.
var (
	ErrTooMuch = fmt.Errorf("aliases expand to more than %d MiB", MaxBytes>>20)
	ErrLoop    = errors.New("an anchor contains itself")
)

// Check refuses a document whose aliases expand to too much. It takes time in proportion to the text, not to what it
// expands to.
func Check(document *yaml.Node) error {
	c := counter{sizes: map[*yaml.Node]float64{}}
	added := c.added(document)
	switch {
	case c.loop:
		return ErrLoop
	case added > MaxBytes:
		return ErrTooMuch
	}
	return nil
}

// counter knows how large what anchors name is. Sizes grow beyond any integer.
type counter struct {
	sizes map[*yaml.Node]float64
	loop  bool
}

// added is what the aliases below a node add.
func (c *counter) added(node *yaml.Node) float64 {
	if node.Kind == yaml.AliasNode {
		return c.size(node.Alias)
	}
	total := 0.0
	for _, child := range node.Content {
		total += c.added(child)
	}
	return total
}

// size is that of a node with all that aliases below it expand to.
func (c *counter) size(node *yaml.Node) float64 {
	if size, known := c.sizes[node]; known {
		c.loop = c.loop || math.IsNaN(size)
		return size
	}
	c.sizes[node] = math.NaN() // until it is known
	total := float64(nodeBytes + len(node.Value))
	for _, child := range node.Content {
		if child.Kind == yaml.AliasNode {
			child = child.Alias
		}
		total += c.size(child)
	}
	c.sizes[node] = total
	return total
}

// Unmarshal is yaml.Unmarshal of the first document, after Check.
func Unmarshal(text []byte, into any) error {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil || document.Kind == 0 {
		return err
	}
	if err := Check(&document); err != nil {
		return err
	}
	return document.Decode(into)
}
