package suggest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// leaf is a value of an object that is no map and no list, or an empty one.
type leaf struct {
	path []any  // keys, indexes, and named for an entry of env
	text string // what it says, alike for values that the API server reads alike
	raw  any
}

// named is the step to the entry of a list that has this name.
type named string

// leaves are all leaves of an object by their place. Entries of env go by name, since the
// order in which a chart adds them says nothing; resources are quantities, 1 or "1".
func leaves(object map[string]any) map[string]leaf {
	all := map[string]leaf{}
	gather(all, nil, object)
	return all
}

func gather(all map[string]leaf, path []any, value any) {
	switch value := value.(type) {
	case map[string]any:
		if len(value) == 0 && !optional(path) {
			all[keyOf(path)] = leaf{path, "{}", value}
		}
		for key, entry := range value {
			gather(all, append(slices.Clip(path), key), entry)
		}
	case []any:
		if len(value) == 0 && !optional(path) {
			all[keyOf(path)] = leaf{path, "[]", value}
		}
		byName := len(path) > 0 && path[len(path)-1] == any("env") && uniqueNames(value)
		for i, entry := range value {
			step := any(i)
			if byName {
				step = named(nameOf(entry))
				gatherReferences(all, append(slices.Clip(path), step), value[:i], entry)
			}
			gather(all, append(slices.Clip(path), step), entry)
		}
	default:
		all[keyOf(path)] = leaf{path, textOf(path, value), value}
	}
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

func uniqueNames(list []any) bool {
	seen := map[string]bool{}
	for _, entry := range list {
		name := nameOf(entry)
		if name == "" || seen[name] {
			return false
		}
		seen[name] = true
	}
	return true
}

// gatherReferences notes which variables before it a variable's value names: it sees no
// others, and only there the order of a list of variables says anything.
func gatherReferences(all map[string]leaf, path []any, before []any, entry any) {
	fields, _ := entry.(map[string]any)
	text, _ := fields["value"].(string)
	if !strings.Contains(text, "$(") {
		return
	}
	var names []string
	for _, other := range before {
		if name := nameOf(other); strings.Contains(text, "$("+name+")") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	path = append(slices.Clip(path), "$()")
	all[keyOf(path)] = leaf{path, strings.Join(names, " "), nil}
}

// nameOf is the name of an entry of a list, "" for none.
func nameOf(entry any) string {
	fields, _ := entry.(map[string]any)
	name, _ := fields["name"].(string)
	return name
}

func textOf(path []any, value any) string {
	text, isText := value.(string)
	switch {
	case value == nil:
		return "null"
	case isText && slices.Contains(path, any(named(javaToolOptions))):
		return "s:" + sortedFlags(text)
	case isText && slices.Contains(path, any("resources")):
		return "v:" + text
	case isText:
		return "s:" + text
	default:
		return "v:" + scalarText(value)
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

// scalarText is what YAML and Helm's templates write for a value.
func scalarText(value any) string {
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

// keyOf makes a path into a key of a map.
func keyOf(path []any) string {
	var b strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case named:
			b.WriteString("\x00@" + string(step))
		case string:
			b.WriteString("\x00." + step)
		default:
			b.WriteString("\x00#" + fmt.Sprint(step))
		}
	}
	return b.String()
}

// change is a leaf that is not what it was.
type change struct {
	path     []any
	from, to *leaf // nil where there is none
}

// changes compares the leaves of two objects.
func changes(from, to map[string]leaf) map[string]change {
	found := map[string]change{}
	for key, was := range from {
		is, ok := to[key]
		switch {
		case !ok:
			found[key] = change{was.path, &was, nil}
		case was.text != is.text:
			found[key] = change{was.path, &was, &is}
		}
	}
	for key, is := range to {
		if _, ok := from[key]; !ok {
			found[key] = change{is.path, nil, &is}
		}
	}
	return found
}
