package edit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	jsonpatch "github.com/evanphx/json-patch/v5"
	"github.com/go-openapi/jsonpointer"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

const (
	opAdd     = "add"
	opReplace = "replace"
	opRemove  = "remove"
)

// canonical gives operations whose values are what JSON makes of them.
func canonical(ops []engine.Operation) ([]engine.Operation, error) {
	out := make([]engine.Operation, len(ops))
	for i, op := range ops {
		if op.Op != opAdd && op.Op != opReplace && op.Op != opRemove {
			return nil, fmt.Errorf("operation %q is not one of add, replace and remove", op.Op)
		}
		if !strings.HasPrefix(op.Path, "/") {
			return nil, fmt.Errorf("path %q is no JSON pointer to a field", op.Path)
		}
		text, err := json.Marshal(op.Value)
		if err != nil {
			return nil, fmt.Errorf("write the value for %s: %w", op.Path, err)
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		out[i] = engine.Operation{Op: op.Op, Path: op.Path}
		if err := decoder.Decode(&out[i].Value); err != nil {
			return nil, fmt.Errorf("read the value for %s: %w", op.Path, err)
		}
	}
	return out, nil
}

// patched applies the operations to the object with a library that knows nothing of text.
func patched(object map[string]any, ops []engine.Operation) (map[string]any, error) {
	type step struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"` // null is a value
	}
	steps := make([]step, len(ops))
	for i, op := range ops {
		steps[i] = step(op)
	}
	text, err := json.Marshal(steps)
	if err != nil {
		return nil, fmt.Errorf("write the patch: %w", err)
	}
	patch, err := jsonpatch.DecodePatch(text)
	if err != nil {
		return nil, fmt.Errorf("read the patch: %w", err)
	}
	before, err := json.Marshal(object)
	if err != nil {
		return nil, fmt.Errorf("write the object: %w", err)
	}
	after, err := patch.Apply(before)
	if err != nil {
		return nil, fmt.Errorf("the patch does not fit the object: %w", err)
	}
	return read(after)
}

// read reads JSON as the linter reads it.
func read(text []byte) (map[string]any, error) {
	for item := range source.Items(".json", text, whole(text)) {
		if item.Document != nil {
			return item.Document.Object, nil
		}
	}
	return nil, &Error{Reason: "the patch leaves no object"}
}

// lookUp gives the field of a pointer, wherever it comes from.
func lookUp(object map[string]any, pointer string) (any, bool) {
	p, err := jsonpointer.New(pointer)
	if err != nil {
		return nil, false
	}
	found, _, err := p.Get(object)
	return found, err == nil
}
