package patches

import (
	"maps"
	"slices"

	"github.com/headroom-dev/headroom/lint/suggest/tree"
)

// merge is a strategic merge patch: containers and variables are found by name, so that
// it goes on working when others add to the lists. Not ok where a change is in another
// list, or a name stands twice.
func merge(object map[string]any, wants map[string]tree.Change, name, namespace string) (patch map[string]any, ok bool) {
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

func mergeChange(patch, object map[string]any, c tree.Change) bool {
	var here any = patch
	for i, step := range c.Path {
		last := i == len(c.Path)-1
		entryName, inList := "", false
		switch step := step.(type) {
		case string:
			fields := here.(map[string]any) // as every step below makes it
			if last {
				fields[step] = nil
				if c.To != nil {
					fields[step] = tree.PlainNumbers(c.To.Raw)
				}
				return true
			}
			if fields[step] == nil {
				if _, isKey := c.Path[i+1].(string); isKey {
					fields[step] = map[string]any{}
				} else {
					fields[step] = &[]any{}
				}
			}
			here = fields[step]
		case tree.Named:
			entryName, inList = string(step), true
		case int:
			list, _ := tree.At(object, c.Path[:i]).([]any)
			if !mergesByName(c.Path[:i]) || !tree.UniqueNames(list) {
				return false
			}
			entryName, inList = tree.Name(list[step]), true
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
		if tree.Name(entry) == name {
			return entry.(map[string]any) // tree.Name found a name in it
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
