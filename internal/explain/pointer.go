package explain

import "github.com/go-openapi/jsonpointer"

// lookup follows a JSON pointer (RFC 6901); nil where it leads to nothing.
func lookup(root any, pointer string) any {
	p, err := jsonpointer.New(pointer)
	if err != nil {
		return nil
	}
	found, _, err := p.Get(root)
	if err != nil {
		return nil
	}
	return found
}

func tokens(pointer string) []string {
	p, _ := jsonpointer.New(pointer) // it comes from the policies
	return p.DecodedTokens()
}

// replace puts a value where a pointer leads to; false where its parent is not there.
func replace(root any, pointer string, value any) bool {
	p, err := jsonpointer.New(pointer)
	if err != nil || p.IsEmpty() {
		return false
	}
	_, err = p.Set(root, value)
	return err == nil
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
