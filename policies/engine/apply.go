package engine

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Applied is one change that was made: what headroom.dev/applied records. Of variables it
// has only what was added, never what the user wrote.
type Applied struct {
	Rule      string `json:"rule"`
	Container string `json:"container"`
	Path      string `json:"path"` // JSON pointer into the object as it became
	Old       string `json:"old,omitempty"`
	New       string `json:"new,omitempty"`
	Added     string `json:"added,omitempty"`
}

// BehindJava says that flags were added to java's own command line.
func (a Applied) BehindJava() bool {
	steps := strings.Split(a.Path, "/")
	return strings.HasPrefix(a.Added, "-") && len(steps) > 1 && slices.Contains([]string{"command", "args"}, steps[len(steps)-2])
}

const javaToolOptions = "JAVA_TOOL_OPTIONS"

// apply makes one change to an object. It does nothing, and says so, where the object is not shaped
// as the change expects. A value that is no list or no object is the user's, and the API server
// refuses it.
func apply(object map[string]any, c Change) (Applied, bool) {
	switch c.Kind {
	case changeSet:
		return set(object, c.Path, c.Value)
	case changeRemove:
		return remove(object, c.Path)
	case changeJVMFlags:
		if len(c.Behind) > 0 {
			return addArguments(object, c.Path, c.Behind, c.Flags)
		}
		return addFlags(object, c.Path, c.Flags, c.Value)
	case changeEnv:
		return addVariable(object, c.Path, c.Name, c.Value)
	}
	return Applied{}, false
}

func set(object map[string]any, path []any, value string) (Applied, bool) {
	if len(path) == 0 {
		return Applied{}, false
	}
	key, ok := path[len(path)-1].(string)
	if !ok {
		return setWord(object, path, value)
	}
	// Looked up first: no parents are made for a change that cannot be.
	parent, ok := find(object, path[:len(path)-1], false)
	if !ok {
		return Applied{}, false
	}
	if parent == nil {
		parent, _ = find(object, path[:len(path)-1], true)
	}
	old := parent[key]
	if old == any(value) {
		return Applied{}, false
	}
	parent[key] = value
	return Applied{Path: Pointer(path), Old: scalar(old), New: value}, true
}

// setWord sets an element of a list of the container, as a word of its command.
func setWord(object map[string]any, path []any, value string) (Applied, bool) {
	if len(path) < 2 {
		return Applied{}, false
	}
	list, isKey := path[len(path)-2].(string)
	index, isIndex := path[len(path)-1].(int)
	parent, _ := find(object, path[:len(path)-2], false)
	words, ok := parent[list].([]any)
	if !ok || !isKey || !isIndex || index < 0 || index >= len(words) || words[index] == any(value) {
		return Applied{}, false
	}
	old := words[index]
	parent[list] = slices.Clone(words)
	parent[list].([]any)[index] = value
	return Applied{Path: Pointer(path), Old: scalar(old), New: value}, true
}

func remove(object map[string]any, path []any) (Applied, bool) {
	if len(path) == 0 {
		return Applied{}, false
	}
	key, ok := path[len(path)-1].(string)
	parent, _ := find(object, path[:len(path)-1], false)
	old, present := parent[key]
	if !ok || !present {
		return Applied{}, false
	}
	delete(parent, key)
	return Applied{Path: Pointer(path), Old: scalar(old)}, true
}

// addArguments puts flags right behind java, as arguments of its own.
func addArguments(object map[string]any, container, behind []any, flags []string) (Applied, bool) {
	owner, _ := find(object, container, false)
	if owner == nil || len(behind) != 2 {
		return Applied{}, false
	}
	field, _ := behind[0].(string)
	index, isIndex := behind[1].(int)
	words, ok := owner[field].([]any)
	at := index + 1
	if !ok || !isIndex || at < 0 || at > len(words) {
		return Applied{}, false
	}
	var missing []string
	var added []any
	for _, flag := range flags {
		if !slices.ContainsFunc(words, func(word any) bool { text, _ := word.(string); return holds(text, flag) }) {
			missing = append(missing, flag)
			added = append(added, flag)
		}
	}
	if len(missing) == 0 {
		return Applied{}, false
	}
	owner[field] = slices.Insert(slices.Clone(words), at, added...)
	path := append(slices.Clone(container), field, at)
	return Applied{Path: Pointer(path), Added: strings.Join(missing, " ")}, true
}

// addFlags puts flags in front of JAVA_TOOL_OPTIONS, so that the user's own come later and
// win. The last of several entries is the one that counts.
//
// inherited is what the image itself sets: the variable would take its place.
func addFlags(object map[string]any, container []any, flags []string, inherited string) (Applied, bool) {
	if len(flags) == 0 {
		return Applied{}, false
	}
	env, _ := variables(object, container)
	at := lastNamed(env, javaToolOptions)
	if at < 0 {
		added := strings.Join(flags, " ")
		applied, done := addVariable(object, container, javaToolOptions, strings.TrimRight(added+" "+inherited, " "))
		if done {
			applied.Added = added
		}
		return applied, done
	}
	entry, _ := env[at].(map[string]any)
	value, ok := entry["value"].(string)
	if !ok {
		return Applied{}, false
	}
	missing := slices.DeleteFunc(slices.Clone(flags), func(flag string) bool { return holds(value, flag) })
	if len(missing) == 0 {
		return Applied{}, false
	}
	added := strings.Join(missing, " ")
	entry["value"] = strings.TrimRight(added+" "+value, " ")
	return Applied{Path: Pointer(container) + "/env/" + strconv.Itoa(at) + "/value", Added: added}, true
}

// holds says whether a text has a flag already, with any value.
func holds(text, flag string) bool {
	name, _, _ := strings.Cut(flag, "=")
	for _, word := range strings.Fields(text) {
		if other, _, _ := strings.Cut(word, "="); other == name {
			return true
		}
	}
	return false
}

func addVariable(object map[string]any, container []any, name, value string) (Applied, bool) {
	env, found := variables(object, container)
	if !found || lastNamed(env, name) >= 0 {
		return Applied{}, false
	}
	owner, _ := find(object, container, false)
	owner["env"] = append(slices.Clone(env), map[string]any{"name": name, "value": value})
	added := value
	if name != javaToolOptions {
		added = name + "=" + value
	}
	return Applied{Path: Pointer(container) + "/env/" + strconv.Itoa(len(env)), Added: added}, true
}

// variables are the entries of a container's env.
func variables(object map[string]any, container []any) ([]any, bool) {
	owner, _ := find(object, container, false)
	if owner == nil {
		return nil, false
	}
	switch env := owner["env"].(type) {
	case nil:
		return nil, true
	case []any:
		return env, true
	default:
		return nil, false
	}
}

func lastNamed(env []any, name string) int {
	for i, entry := range slices.Backward(env) {
		if entry, ok := entry.(map[string]any); ok && entry["name"] == name {
			return i
		}
	}
	return -1
}

// find follows a path to an object: nil and true where it could be made, as it is missing or
// null. Lists are never made.
func find(object map[string]any, path []any, create bool) (map[string]any, bool) {
	var at any = object
	for i, step := range path {
		switch step := step.(type) {
		case string:
			parent, ok := at.(map[string]any)
			if !ok {
				return nil, false
			}
			if parent[step] == nil {
				if !create {
					return nil, onlyKeys(path[i:])
				}
				parent[step] = map[string]any{}
			}
			at = parent[step]
		case int:
			list, _ := at.([]any)
			if step < 0 || step >= len(list) {
				return nil, false
			}
			at = list[step]
		default:
			return nil, false
		}
	}
	found, _ := at.(map[string]any)
	return found, found != nil
}

func onlyKeys(path []any) bool {
	for _, step := range path {
		if _, ok := step.(string); !ok {
			return false
		}
	}
	return true
}

// scalar writes a value that was there as text; "" for none.
func scalar(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	default:
		text, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		return string(text)
	}
}
