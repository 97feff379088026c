package engine

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-openapi/jsonpointer"
)

// Operation is one step of a JSON patch (RFC 6902).
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// patchOf is the shortest patch of adds, removes and replaces that makes one object of another.
// Lists only ever grow here, so a longer one is inserted into, or appended to. That keeps a patch as
// small as the change, and out of the way of others who append.
func patchOf(from, to map[string]any) []Operation {
	return differ(nil, "", from, to)
}

func differ(patch []Operation, path string, from, to any) []Operation {
	switch to := to.(type) {
	case map[string]any:
		if from, ok := from.(map[string]any); ok && from != nil {
			return differObjects(patch, path, from, to)
		}
	case []any:
		if from, ok := from.([]any); ok && len(from) > 0 && len(from) <= len(to) {
			if at, ok := inserted(from, to); ok {
				for i := at; i < at+len(to)-len(from); i++ {
					patch = append(patch, Operation{Op: "add", Path: path + "/" + strconv.Itoa(i), Value: to[i]})
				}
				return patch
			}
			for i, element := range to {
				if i < len(from) {
					patch = differ(patch, path+"/"+strconv.Itoa(i), from[i], element)
				} else {
					patch = append(patch, Operation{Op: "add", Path: path + "/-", Value: element})
				}
			}
			return patch
		}
	}
	if reflect.DeepEqual(from, to) {
		return patch
	}
	return append(patch, Operation{Op: "replace", Path: path, Value: to})
}

// inserted says where a list got new elements, if all others are as they were and some of them follow.
func inserted(from, to []any) (at int, ok bool) {
	for at < len(from) && reflect.DeepEqual(from[at], to[at]) {
		at++
	}
	return at, at < len(from) && len(from) < len(to) && reflect.DeepEqual(from[at:], to[at+len(to)-len(from):])
}

func differObjects(patch []Operation, path string, from, to map[string]any) []Operation {
	for _, key := range slices.Sorted(maps.Keys(from)) {
		at := path + "/" + jsonpointer.Escape(key)
		if value, ok := to[key]; ok && key == "" && !reflect.DeepEqual(from[key], value) {
			// The API server's library cannot follow a pointer through an empty name, though RFC 6901 allows it.
			patch = append(patch, Operation{Op: "replace", Path: at, Value: value})
		} else if ok {
			patch = differ(patch, at, from[key], value)
		} else {
			patch = append(patch, Operation{Op: "remove", Path: at})
		}
	}
	for _, key := range slices.Sorted(maps.Keys(to)) {
		if _, ok := from[key]; !ok {
			patch = append(patch, Operation{Op: "add", Path: path + "/" + jsonpointer.Escape(key), Value: to[key]})
		}
	}
	return patch
}

// DeepCopy copies what JSON can hold; scalars are as they were. That of Kubernetes' apimachinery
// panics where a number is an int, which a caller's object may well have.
func DeepCopy(value any) any { return Mapped(value, func(scalar any) any { return scalar }) }

// Mapped is a DeepCopy with other scalars in the place of those that are there.
func Mapped(value any, scalar func(any) any) any {
	switch value := value.(type) {
	case map[string]any:
		if value == nil {
			return value
		}
		out := make(map[string]any, len(value))
		for key, entry := range value {
			out[key] = Mapped(entry, scalar)
		}
		return out
	case []any:
		if value == nil {
			return value
		}
		out := make([]any, len(value))
		for i, entry := range value {
			out[i] = Mapped(entry, scalar)
		}
		return out
	default:
		return scalar(value)
	}
}
