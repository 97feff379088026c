package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"go.yaml.in/yaml/v3"
)

// maxProblems is as many as a person reads at a time.
const maxProblems = 20

// reader collects what is wrong, so that a file is corrected in one go.
type reader struct {
	file     string
	problems []Problem
}

// inOrder are the problems as one error, from the top of the file to its end.
func (r *reader) inOrder() error {
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	all := make([]error, len(r.problems))
	for i, p := range r.problems {
		all[i] = p
	}
	return errors.Join(all...)
}

func (r *reader) fail(node *yaml.Node, format string, arguments ...any) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, Problem{File: r.file, Line: node.Line, Message: fmt.Sprintf(format, arguments...)})
	}
}

// fields are those of an object, each there once, and all known. A field that is null is not there.
func (r *reader) fields(node *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	fields := map[string]*yaml.Node{}
	node = target(node)
	if node.Kind != yaml.MappingNode {
		r.fail(node, "%s has fields: %s", what, strings.Join(known, ", "))
		return fields
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], target(node.Content[i+1])
		switch {
		case !slices.Contains(known, key.Value):
			r.fail(key, "unknown key %q; %s", short(key.Value), suggestion(key.Value, what, known))
		case lines[key.Value] > 0:
			r.fail(key, "%s is there twice; it was in line %d", key.Value, lines[key.Value])
		case value.Tag == "!!null":
			lines[key.Value] = key.Line
		default:
			lines[key.Value] = key.Line
			fields[key.Value] = value
		}
	}
	return fields
}

func suggestion(key, what string, known []string) string {
	best, distance := "", 3
	for _, name := range known {
		if len(key) > 2*len(name)+3 {
			continue // far from it, and slow to compare
		}
		if d := levenshtein.ComputeDistance(strings.ToLower(key), strings.ToLower(name)); d < distance {
			best, distance = name, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return what + " has " + strings.Join(known, ", ")
}

// target follows an alias. Its value is a scalar or a list of this file, which are looked at once for
// each place, to a depth that the format bounds.
func target(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

// MaxValues bounds a list, and the loads.
const MaxValues = 64

// each calls for a value, or for each of a list of them.
func (r *reader) each(node *yaml.Node, name string, visit func(*yaml.Node)) {
	if node == nil {
		return
	}
	if node.Kind != yaml.SequenceNode {
		visit(node)
		return
	}
	switch n := len(node.Content); {
	case n == 0:
		r.fail(node, "%s is an empty list", name)
	case n > MaxValues:
		r.fail(node, "%s has %d values, more than %d", name, n, MaxValues)
	default:
		for _, item := range node.Content {
			visit(target(item))
		}
	}
}

// scalar is the text of a value; false where it is none.
func (r *reader) scalar(node *yaml.Node, name, wanted string) (string, bool) {
	if node.Kind != yaml.ScalarNode || node.Tag == "!!null" {
		r.fail(node, "%s should be %s", name, wanted)
		return "", false
	}
	return node.Value, true
}

// short cuts a value of the file for a message.
func short(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
