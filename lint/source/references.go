package source

import (
	"maps"
	"slices"
	"strings"
)

// reference is a file or folder that a kustomization names, and where; or, when
// inline is set, the YAML that stands in place of a name.
type reference struct {
	text   string
	path   []any
	inline bool
}

// openedFields are the fields of a kustomization whose values kustomize opens:
// a list of names, or the fields below it that hold names. It reads keys in
// whatever case, hence the lower case here.
var openedFields = map[string][]string{
	"resources": nil, "bases": nil, "components": nil, "crds": nil, "configurations": nil,
	"generators": nil, "transformers": nil, "validators": nil, "patchesstrategicmerge": nil,
	"patches": {"path"}, "patchesjson6902": {"path"}, "replacements": {"path"}, "openapi": {"path"},
	"configmapgenerator": {"files", "envs", "env"}, "secretgenerator": {"files", "envs", "env"},
}

// inlineFields may hold YAML in the place of a name.
var inlineFields = []string{"generators", "transformers", "validators", "patchesstrategicmerge"}

// references gives all that a kustomization opens, in order of its keys.
func references(kustomization map[string]any) []reference {
	var found []reference
	for _, key := range slices.Sorted(maps.Keys(kustomization)) {
		fields, isOpened := openedFields[strings.ToLower(key)]
		if !isOpened {
			continue
		}
		if fields == nil {
			found = appendNames(found, kustomization[key], []any{key})
			continue
		}
		found = appendFields(found, kustomization[key], []any{key}, fields)
	}
	return found
}

// appendFields looks for fields in a map, or in each map of a list.
func appendFields(found []reference, value any, path []any, fields []string) []reference {
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			found = appendFields(found, item, below(path, i), fields)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if slices.Contains(fields, strings.ToLower(key)) {
				found = appendNames(found, value[key], below(path, key))
			}
		}
	}
	return found
}

// appendNames takes a name or a list of them. Where YAML stands in place of a name, it is told by its line ends or
// brace.
func appendNames(found []reference, value any, path []any) []reference {
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			found = appendNames(found, item, below(path, i))
		}
	case string:
		if value == "" {
			return found
		}
		if strings.ContainsAny(value, "\n{") && slices.Contains(inlineFields, strings.ToLower(path[0].(string))) {
			return append(found, reference{text: value, path: path, inline: true})
		}
		if strings.HasSuffix(strings.ToLower(path[0].(string)), "generator") {
			if _, name, hasKey := strings.Cut(value, "="); hasKey {
				value = name // key=file
			}
		}
		found = append(found, reference{text: value, path: path})
	}
	return found
}

// pluginReferences gives what the configuration of a built-in plugin may open.
func pluginReferences(value any, path []any) []reference {
	var found []reference
	switch value := value.(type) {
	case []any:
		for i, item := range value {
			found = append(found, pluginReferences(item, below(path, i))...)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			switch strings.ToLower(key) {
			case "path", "paths", "files", "envs", "env", "targetfilepath":
				found = appendNames(found, value[key], below(path, key))
			default:
				found = append(found, pluginReferences(value[key], below(path, key))...)
			}
		}
	}
	return found
}

func below(path []any, step any) []any { return append(path[:len(path):len(path)], step) }
