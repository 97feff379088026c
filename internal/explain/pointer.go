package explain

import (
	"strconv"
	"strings"

	"github.com/go-openapi/jsonpointer"
)

// lookup follows a JSON pointer (RFC 6901); nil where it leads to nothing.
func lookup(root any, pointer string) any {
	for _, token := range tokens(pointer) {
		root = child(root, token)
	}
	return root
}

func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	list := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, token := range list {
		list[i] = jsonpointer.Unescape(token)
	}
	return list
}

func child(parent any, token string) any {
	switch p := parent.(type) {
	case map[string]any:
		return p[token]
	case []any:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(p) {
			return p[i]
		}
	}
	return nil
}

// replace puts a value where a pointer leads to; false where its parent is not there.
func replace(root any, pointer string, value any) bool {
	list := tokens(pointer)
	if len(list) == 0 {
		return false
	}
	parent := root
	for _, token := range list[:len(list)-1] {
		parent = child(parent, token)
	}
	last := list[len(list)-1]
	switch p := parent.(type) {
	case map[string]any:
		p[last] = value
		return true
	case []any:
		if i, err := strconv.Atoi(last); err == nil && i >= 0 && i < len(p) {
			p[i] = value
			return true
		}
	}
	return false
}

// objectAt is the object below keys of another, made where it is not there.
func objectAt(parent map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		inner, ok := parent[key].(map[string]any)
		if !ok {
			inner = map[string]any{}
			parent[key] = inner
		}
		parent = inner
	}
	return parent
}
