package source

import (
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
)

// Document is one Kubernetes object, or another YAML document, with positions.
type Document struct {
	// File is the file as the user named it, slash-separated; "stdin" for "-".
	File string
	// Line is the line of the document's first field.
	Line int
	// Object is JSON-shaped: map[string]any, []any, string, bool, json.Number
	// and nil, and nothing else.
	Object map[string]any
	// Rendered is true for the output of a chart or a kustomization: its lines are those of the
	// output, which no user sees, and not those of File.
	Rendered bool
	// Twice names keys that the text gives twice; nil without any. Such a text cannot be edited.
	Twice *Problem
	// Comments are those that exempt from a rule.
	Comments []Comment

	positions []position
	// items are the places among positions of a List's items, which may be many, each asked for by its number.
	items []int32
}

// newDocument is an object with its positions.
func newDocument(file string, line int, object map[string]any, positions []position) *Document {
	d := &Document{File: file, Line: line, Object: object, positions: positions}
	items, _ := object["items"].([]any)
	if parent := d.child(0, "items"); len(items) > 0 && parent >= 0 {
		d.items = make([]int32, 0, len(items))
		for at := parent + 1; at < parent+int(positions[parent].size); at += int(positions[at].size) {
			d.items = append(d.items, int32(at)) //nolint:gosec // see builder.begin
		}
	}
	return d
}

// Place is where the document stands: its file's folder, the chart or the kustomization. What stands in one place is
// applied together.
func (d *Document) Place() string {
	if at := strings.LastIndex(d.File, "/templates/"); d.Rendered && at >= 0 {
		return d.File[:at]
	}
	if d.Rendered {
		return d.File
	}
	return path.Dir(d.File)
}

// position is where one field or list item stands. Positions lie in document
// order: the children of one follow it, and size says how many positions to
// step over to reach its next sibling. When a key comes up twice, because a
// merge key brought it in as well, the later one is the one that holds.
type position struct {
	key  string // "" for a list item
	line int32
	size int32 // positions of this subtree, this one included
	list bool  // children are list items
}

// LineOf gives the line of the field that path leads to, from the object's
// root: map keys as strings, list indexes as integers or strings of digits.
// Where the field does not exist it gives the line of its nearest ancestor
// that does.
func (d *Document) LineOf(path []any) int {
	if len(d.positions) == 0 {
		return d.Line
	}
	at := 0
	for _, step := range path {
		next := d.child(at, step)
		if next < 0 {
			break
		}
		at = next
	}
	return int(d.positions[at].line)
}

// LineOfPointer is LineOf for a JSON pointer (RFC 6901).
func (d *Document) LineOfPointer(pointer string) int {
	if pointer == "" {
		return d.LineOf(nil)
	}
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	path := make([]any, len(steps))
	for i, step := range steps {
		path[i] = jsonpointer.Unescape(step)
	}
	return d.LineOf(path)
}

// child finds the position one step below parent; -1 without one.
func (d *Document) child(parent int, step any) int {
	end := parent + int(d.positions[parent].size)
	if d.positions[parent].list {
		index, ok := listIndex(step)
		if !ok {
			return -1
		}
		at := parent + 1
		if len(d.items) > 0 && int(d.items[0]) == at {
			if index >= len(d.items) {
				return -1
			}
			return int(d.items[index])
		}
		for ; index > 0 && at < end; index-- {
			at += int(d.positions[at].size)
		}
		if at >= end {
			return -1
		}
		return at
	}
	key, ok := step.(string)
	if !ok {
		key = fmt.Sprint(step)
	}
	found := -1
	for at := parent + 1; at < end; at += int(d.positions[at].size) {
		if d.positions[at].key == key {
			found = at
		}
	}
	return found
}

// listIndex reads a list index from what a path may carry it as.
func listIndex(step any) (int, bool) {
	switch step := step.(type) {
	case int:
		return step, step >= 0
	case int64:
		return int(step), step >= 0
	case float64:
		return int(step), step >= 0 && step == float64(int(step))
	case json.Number:
		return listIndex(step.String())
	case string:
		index, err := strconv.Atoi(step)
		return index, err == nil && index >= 0
	}
	return 0, false
}

// LinesOf gives the line on which the field of a JSON pointer begins, and that on which the next field begins, 0 where it
// is the last. Both are 0 for a field that does not exist.
func (d *Document) LinesOf(pointer string) (first, next int) {
	at := 0
	if pointer != "" {
		for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
			if len(d.positions) == 0 {
				return 0, 0
			}
			if at = d.child(at, jsonpointer.Unescape(step)); at < 0 {
				return 0, 0
			}
		}
	}
	if at >= len(d.positions) {
		return 0, 0
	}
	first = int(d.positions[at].line)
	for _, p := range d.positions[at+int(d.positions[at].size):] {
		if int(p.line) > first {
			return first, int(p.line)
		}
	}
	return first, 0
}
