package tree

// Fixed is a rendered object and what it should be.
type Fixed struct{ Before, After map[string]any }

// Change is a leaf that is not what it was.
type Change struct {
	Path     []any
	From, To *Leaf // nil if it is missing on that side
}

// Changes compares the leaves of two objects.
func Changes(from, to map[string]Leaf) map[string]Change {
	found := map[string]Change{}
	for key, was := range from {
		is, ok := to[key]
		switch {
		case !ok:
			found[key] = Change{was.path, &was, nil}
		case was.text != is.text:
			found[key] = Change{was.path, &was, &is}
		}
	}
	for key, is := range to {
		if _, ok := from[key]; !ok {
			found[key] = Change{is.path, nil, &is}
		}
	}
	return found
}

// SameEnd says whether two changes end in the same value.
func SameEnd(a, b Change) bool {
	if a.To == nil || b.To == nil {
		return a.To == b.To
	}
	return a.To.text == b.To.text
}
