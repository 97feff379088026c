package plan

import "slices"

func objectGet(object, path, otherwise Value) (Value, bool) {
	o, ok := object.(*Object)
	if !ok {
		return nil, false
	}
	found := Value(o)
	if steps, ok := path.(*Array); ok {
		for _, step := range steps.items {
			if found = child(found, step); found == nil {
				return otherwise, true
			}
		}
		return found, true
	}
	if found = o.lookup(path); found == nil {
		return otherwise, true
	}
	return found, true
}

// merged is a with what b has, object by object; else b's values count.
func merged(a, b *Object) *Object {
	switch {
	case len(a.keys) == 0:
		return b
	case len(b.keys) == 0:
		return a
	}
	all := a.clone()
	for i, key := range b.keys {
		value := b.values[i]
		if inner, ok := value.(*Object); ok {
			if outer, ok := a.lookup(key).(*Object); ok {
				value = merged(outer, inner)
			}
		}
		all.insert(key, value)
	}
	return all
}

func objectUnionN(list *Array) (Value, bool) {
	objects := make([]*Object, len(list.items))
	for i, item := range list.items {
		var ok bool
		if objects[i], ok = item.(*Object); !ok {
			return nil, false
		}
	}
	return unionOf(objects), true
}

// unionOf sorts the keys of all objects at once: one after the other would take the square of their number.
func unionOf(objects []*Object) *Object {
	type entry struct{ key, value Value }
	var entries []entry
	for _, o := range objects {
		for i, key := range o.keys {
			entries = append(entries, entry{key, o.values[i]})
		}
	}
	slices.SortStableFunc(entries, func(x, y entry) int { return Compare(x.key, y.key) })
	all := newObject(len(entries))
	for i := 0; i < len(entries); {
		first := entries[i]
		var last Value
		var inner []*Object // since the last value that is no object
		for ; i < len(entries) && Compare(entries[i].key, first.key) == 0; i++ {
			last = entries[i].value
			if o, ok := last.(*Object); ok {
				inner = append(inner, o)
			} else {
				inner = nil
			}
		}
		if len(inner) > 1 {
			last = unionOf(inner)
		}
		all.keys, all.values = append(all.keys, first.key), append(all.values, last)
	}
	return all
}

// chosen is the object with those of its fields alone that are among keys, or that are not.
func chosen(o *Object, keys Value, among bool) (Value, bool) {
	var names *Set
	switch k := keys.(type) {
	case *Set:
		names = k
	case *Array:
		names = newSet(k.items...)
	case *Object:
		names = &Set{k.keys}
	default:
		return nil, false
	}
	rest := newObject(len(o.keys))
	for i, key := range o.keys {
		if names.has(key) == among {
			rest.keys, rest.values = append(rest.keys, key), append(rest.values, o.values[i])
		}
	}
	return rest, true
}
