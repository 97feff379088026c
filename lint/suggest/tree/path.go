package tree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// ListOf is the path up to the outermost list.
func ListOf(path []any) []any {
	i := slices.IndexFunc(path, func(step any) bool { _, isIndex := step.(int); return isIndex })
	if i < 0 {
		return path
	}
	return path[:i]
}

// Named is the step to the entry of a list that has this name.
type Named string

// UniqueNames says whether each entry of a list has a name of its own.
func UniqueNames(list []any) bool {
	seen := map[string]bool{}
	for _, entry := range list {
		name := Name(entry)
		if name == "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// Name is the name of an entry of a list, "" for none.
func Name(entry any) string {
	fields, _ := entry.(map[string]any)
	name, _ := fields["name"].(string)
	return name
}

// Key makes a path into a key of a map.
func Key(path []any) string {
	var b strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case Named:
			b.WriteString("\x00@" + string(step))
		case string:
			b.WriteString("\x00." + step)
		default:
			b.WriteString("\x00#" + fmt.Sprint(step))
		}
	}
	return b.String()
}

// At follows a path into an object or values; nil where it leads nowhere.
func At(value any, path []any) any {
	for _, step := range path {
		switch step := step.(type) {
		case Named:
			list, _ := value.([]any)
			i := slices.IndexFunc(list, func(entry any) bool { return Name(entry) == string(step) })
			if i < 0 {
				return nil
			}
			value = list[i]
		case string:
			fields, _ := value.(map[string]any)
			value = fields[step]
		case int:
			list, _ := value.([]any)
			if step < 0 || step >= len(list) {
				return nil
			}
			value = list[step]
		}
	}
	return value
}

// Title names an object as kubectl does: kind/name.
func Title(object map[string]any) string {
	r := engine.ResourceOf(object)
	return r.Kind + "/" + r.Name
}
