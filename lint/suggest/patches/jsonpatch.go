package patches

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/suggest/tree"
	"github.com/headroom-dev/headroom/policies/engine"
)

// operation is one of a JSON patch.
type operation struct {
	Op, Path string
	Value    any
}

func (o operation) fields() any {
	fields := map[string]any{"op": o.Op, "path": o.Path}
	if o.Op != "remove" {
		fields["value"] = o.Value
	}
	return fields
}

// steps6902 is a JSON patch that makes one object of another. A container that it changes
// is tested to be the one that is meant, since it is known by its number.
func steps6902(from, to map[string]any) []operation {
	var ops []operation
	differ(&ops, nil, from, to)
	var tests []operation
	for i, op := range ops {
		if i > 0 && ops[i-1].Path == op.Path {
			continue
		}
		if test, ok := guard(from, op.Path); ok && !slices.Contains(tests, test) {
			tests = append(tests, test)
		}
	}
	return append(tests, ops...)
}

func guard(from map[string]any, path string) (operation, bool) {
	parts := strings.Split(path, "/")
	for i := 1; i+1 < len(parts); i++ {
		if parts[i] != "containers" && parts[i] != "initContainers" {
			continue
		}
		var here any = from
		for _, part := range parts[1 : i+1] {
			fields, _ := here.(map[string]any)
			here = fields[part]
		}
		list, _ := here.([]any)
		for n, entry := range list {
			if fmt.Sprint(n) == parts[i+1] && tree.Name(entry) != "" {
				return operation{"test", strings.Join(parts[:i+2], "/") + "/name", tree.Name(entry)}, true
			}
		}
	}
	return operation{}, false
}

func differ(ops *[]operation, path []any, from, to any) {
	if was, ok := from.(map[string]any); ok {
		if is, ok := to.(map[string]any); ok {
			for _, key := range slices.Sorted(maps.Keys(was)) {
				if _, ok := is[key]; !ok {
					*ops = append(*ops, operation{Op: "remove", Path: engine.Pointer(append(slices.Clip(path), key))})
				}
			}
			for _, key := range slices.Sorted(maps.Keys(is)) {
				below := append(slices.Clip(path), key)
				if _, ok := was[key]; ok {
					differ(ops, below, was[key], is[key])
				} else {
					*ops = append(*ops, operation{"add", engine.Pointer(below), tree.PlainNumbers(is[key])})
				}
			}
			return
		}
	}
	if was, ok := from.([]any); ok && len(was) > 0 && !tree.OfCommand(path) {
		if is, ok := to.([]any); ok && len(is) >= len(was) {
			for i := range was {
				differ(ops, append(slices.Clip(path), i), was[i], is[i])
			}
			for _, entry := range is[len(was):] {
				*ops = append(*ops, operation{"add", engine.Pointer(append(slices.Clip(path), "-")), tree.PlainNumbers(entry)})
			}
			return
		}
	}
	if tree.Scalar(tree.PlainNumbers(from)) != tree.Scalar(tree.PlainNumbers(to)) || (from == nil) != (to == nil) {
		*ops = append(*ops, operation{"replace", engine.Pointer(path), tree.PlainNumbers(to)})
	}
}
