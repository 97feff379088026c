// Package tree compares what charts and kustomizations render: objects as paths and leaves, the
// changes between two objects, and all objects of one rendering.
package tree

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Leaf is a value of an object that is no map and no list, or an empty one.
type Leaf struct {
	path []any  // keys, indexes, and named for an entry of env
	text string // what it says, alike for values that the API server reads alike
	Raw  any
}

// Leaves are all leaves of an object by their place. Entries of env go by name, since the
// order in which a chart adds them says nothing; resources are quantities, 1 or "1".
func Leaves(object map[string]any) map[string]Leaf {
	all := map[string]Leaf{}
	gather(all, nil, object)
	return all
}

func gather(all map[string]Leaf, path []any, value any) {
	switch value := value.(type) {
	case map[string]any:
		if len(value) == 0 && !optional(path) {
			all[Key(path)] = Leaf{path, "{}", value}
		}
		for key, entry := range value {
			gather(all, append(slices.Clip(path), key), entry)
		}
	case []any:
		if len(value) == 0 && !optional(path) {
			all[Key(path)] = Leaf{path, "[]", value}
		}
		if line, ok := commandLine(path, value); ok {
			all[Key(path)] = Leaf{path, line, value}
			return
		}
		byName := len(path) > 0 && path[len(path)-1] == any("env") && UniqueNames(value)
		for i, entry := range value {
			step := any(i)
			if byName {
				step = Named(Name(entry))
				gatherReferences(all, append(slices.Clip(path), step), value[:i], entry)
			}
			gather(all, append(slices.Clip(path), step), entry)
		}
	default:
		all[Key(path)] = Leaf{path, textOf(path, value), value}
	}
}

// commandLine is the text of a command or its args: one value, as its words mean nothing by their number.
func commandLine(path, words []any) (text string, ok bool) {
	if !OfCommand(path) || len(words) == 0 {
		return "", false
	}
	encoded, err := json.Marshal(words)
	return "l:" + string(encoded), err == nil
}

// OfCommand says whether a path leads to the command of a container, or to its args.
func OfCommand(path []any) bool {
	return len(path) > 0 && (path[len(path)-1] == any("command") || path[len(path)-1] == any("args"))
}

// optional are the maps and lists that mean the same when they are empty as when missing.
func optional(path []any) bool {
	for _, step := range path {
		if step == any("resources") {
			return true
		}
	}
	last := any("")
	if len(path) > 0 {
		last = path[len(path)-1]
	}
	return last == any("annotations") || last == any("env")
}

// gatherReferences notes which variables before it a variable's value names: it sees no
// others, and only there the order of a list of variables says anything.
func gatherReferences(all map[string]Leaf, path []any, before []any, entry any) {
	fields, _ := entry.(map[string]any)
	text, _ := fields["value"].(string)
	if !strings.Contains(text, "$(") {
		return
	}
	var names []string
	for _, other := range before {
		if name := Name(other); strings.Contains(text, "$("+name+")") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	path = append(slices.Clip(path), "$()")
	all[Key(path)] = Leaf{path, strings.Join(names, " "), nil}
}

func textOf(path []any, value any) string {
	text, isText := value.(string)
	switch {
	case value == nil:
		return "null"
	case isText && slices.Contains(path, any(Named(javaToolOptions))):
		return "s:" + sortedFlags(text)
	case isText && slices.Contains(path, any("resources")):
		return "v:" + text
	case isText:
		return "s:" + text
	default:
		return "v:" + Scalar(value)
	}
}

const javaToolOptions = "JAVA_TOOL_OPTIONS"

// sortedFlags makes texts of the same flags alike: what headroom adds is never there
// twice, so it may stand before or behind the others. Quotes make words of several.
func sortedFlags(text string) string {
	if strings.ContainsAny(text, `"'\`) {
		return text
	}
	words := strings.Fields(text)
	slices.Sort(words)
	return strings.Join(words, " ")
}

// Scalar is what YAML and Helm's templates write for a value.
func Scalar(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case json.Number:
		return value.String()
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	default:
		return fmt.Sprint(value)
	}
}
