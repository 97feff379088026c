package suggest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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

// merge is a strategic merge patch: containers and variables are found by name, so that
// it goes on working when others add to the lists. Not ok where a change is in another
// list, or a name stands twice.
func merge(object map[string]any, wants map[string]change, name, namespace string) (patch map[string]any, ok bool) {
	metadata := map[string]any{"name": name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	patch = map[string]any{"apiVersion": object["apiVersion"], "kind": object["kind"], "metadata": metadata}
	for _, key := range slices.Sorted(maps.Keys(wants)) {
		c := wants[key]
		if !mergeChange(patch, object, c) {
			return nil, false
		}
	}
	return patch, true
}

func mergeChange(patch, object map[string]any, c change) bool {
	var here any = patch
	for i, step := range c.path {
		last := i == len(c.path)-1
		entryName, inList := "", false
		switch step := step.(type) {
		case string:
			fields := here.(map[string]any) // as every step below makes it
			if last {
				fields[step] = nil
				if c.to != nil {
					fields[step] = plainNumbers(c.to.raw)
				}
				return true
			}
			if fields[step] == nil {
				if _, isKey := c.path[i+1].(string); isKey {
					fields[step] = map[string]any{}
				} else {
					fields[step] = &[]any{}
				}
			}
			here = fields[step]
		case named:
			entryName, inList = string(step), true
		case int:
			list, _ := at(object, c.path[:i]).([]any)
			if !mergesByName(c.path[:i]) || !uniqueNames(list) {
				return false
			}
			entryName, inList = nameOf(list[step]), true
		}
		if inList {
			list, isList := here.(*[]any)
			if !isList || last {
				return false
			}
			here = entryOf(list, entryName)
		}
	}
	return false
}

// mergesByName are the lists in which a strategic merge finds entries by their name.
func mergesByName(path []any) bool {
	last := path[len(path)-1]
	return last == any("containers") || last == any("initContainers") || last == any("env")
}

func entryOf(list *[]any, name string) map[string]any {
	for _, entry := range *list {
		if nameOf(entry) == name {
			return entry.(map[string]any) // nameOf found a name in it
		}
	}
	entry := map[string]any{"name": name}
	*list = append(*list, entry)
	return entry
}

// listed writes the lists of a patch as lists.
func listed(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, entry := range value {
			value[key] = listed(entry)
		}
		return value
	case *[]any:
		for i, entry := range *value {
			(*value)[i] = listed(entry)
		}
		return *value
	default:
		return value
	}
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
			if fmt.Sprint(n) == parts[i+1] && nameOf(entry) != "" {
				return operation{"test", strings.Join(parts[:i+2], "/") + "/name", nameOf(entry)}, true
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
					*ops = append(*ops, operation{"add", engine.Pointer(below), plainNumbers(is[key])})
				}
			}
			return
		}
	}
	if was, ok := from.([]any); ok && len(was) > 0 {
		if is, ok := to.([]any); ok && len(is) >= len(was) {
			for i := range was {
				differ(ops, append(slices.Clip(path), i), was[i], is[i])
			}
			for _, entry := range is[len(was):] {
				*ops = append(*ops, operation{"add", engine.Pointer(append(slices.Clip(path), "-")), plainNumbers(entry)})
			}
			return
		}
	}
	if scalarText(plainNumbers(from)) != scalarText(plainNumbers(to)) || (from == nil) != (to == nil) {
		*ops = append(*ops, operation{"replace", engine.Pointer(path), plainNumbers(to)})
	}
}
