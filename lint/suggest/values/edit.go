package values

import (
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/suggest/tree"
	"github.com/headroom-dev/headroom/policies/engine"
)

// edit is a change of one value.
type edit struct {
	path   []any // keys, and indexes into lists
	value  any
	remove bool
	// drop takes the key out of what the user gives, where a null would not do: Helm
	// removes a key for a null only where the chart itself has it.
	drop bool
}

// edits are values to lay over those of the user, and keys to take out of these.
type edits struct {
	over map[string]any
	drop [][]any
}

// with gives the edits and some more of them. Lists are replaced whole, as Helm does;
// values are what the templates saw without any edit.
func (e edits) with(values map[string]any, more []edit) edits {
	out := edits{over: copied(e.over), drop: slices.Clone(e.drop)}
	for _, m := range more {
		if m.drop {
			out.drop = append(out.drop, m.path)
			continue
		}
		i := len(tree.ListOf(m.path))
		if i == len(m.path) {
			setValue(out.over, m.path, m)
			continue
		}
		list := tree.At(out.over, m.path[:i])
		if list == nil {
			list = engine.DeepCopy(tree.At(values, m.path[:i]))
		}
		setValue(list, m.path[i:], m)
		setValue(out.over, m.path[:i], edit{value: list})
	}
	return out
}

// setValue sets a value below maps and lists. Maps on the way are made.
func setValue(in any, path []any, e edit) {
	for i, step := range path {
		last := i == len(path)-1
		switch step := step.(type) {
		case int:
			list, ok := in.([]any)
			if !ok || step >= len(list) {
				return
			}
			if last {
				list[step] = e.value
				return
			}
			in = list[step]
		case string:
			fields, ok := in.(map[string]any)
			if !ok {
				return
			}
			inList := len(tree.ListOf(path)) < i
			switch {
			case last && e.remove && inList:
				delete(fields, step)
				return
			case last && e.remove:
				fields[step] = nil
				return
			case last:
				fields[step] = e.value
				return
			}
			switch fields[step].(type) {
			case map[string]any, []any:
			default:
				fields[step] = map[string]any{}
			}
			in = fields[step]
		}
	}
}

// given are the user's values with the edits.
func (e edits) given(values map[string]any) map[string]any {
	out := copied(values)
	for _, path := range e.drop {
		if parent, ok := tree.At(out, path[:len(path)-1]).(map[string]any); ok {
			if key, ok := path[len(path)-1].(string); ok {
				delete(parent, key)
			}
		}
	}
	return merged(out, e.over)
}

// merged lays values over others, in place.
func merged(under, over map[string]any) map[string]any {
	for key, value := range over {
		if fields, ok := value.(map[string]any); ok {
			if there, ok := under[key].(map[string]any); ok {
				under[key] = merged(there, fields)
				continue
			}
		}
		under[key] = engine.DeepCopy(value)
	}
	return under
}

// copied is a copy that can be written to, also of no values.
func copied(values map[string]any) map[string]any {
	if values == nil {
		return map[string]any{}
	}
	return engine.DeepCopy(values).(map[string]any)
}

// dotted writes a path as people write keys of values.
func dotted(path []any) string {
	var b strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case int:
			b.WriteString("[" + tree.Scalar(step) + "]")
		case string:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(step)
		}
	}
	return b.String()
}
