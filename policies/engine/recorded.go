package engine

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-openapi/jsonpointer"
)

// appliedKey is the annotation that says what headroom changed. It is written and extended,
// and never read as input to a verdict.
const appliedKey = "headroom.dev/applied"

// maxAnnotations is what the API server takes of all annotations of an object together.
const maxAnnotations = 256 << 10

// maxEarlier bounds the record that is extended: only headroom writes it, and never so much.
const maxEarlier = 64 << 10

// Recorded is the patch with what writes it down in the annotation headroom.dev/applied. A
// second invocation for the same Pod extends what the first wrote.
func (f Fixed) Recorded(manifest map[string]any) ([]Operation, error) {
	if len(f.Patch) == 0 {
		return nil, nil
	}
	metadata, _ := manifest["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	entries := earlier(annotations)
	for _, a := range f.Applied {
		if !slices.Contains(entries, a) {
			entries = append(entries, a)
		}
	}
	record, err := json.Marshal(entries)
	if err != nil {
		return nil, fmt.Errorf("write down what was changed: %w", err)
	}
	if !fits(annotations, len(record)) {
		return f.Patch, nil
	}
	op := Operation{Op: "add", Path: "/metadata/annotations/" + jsonpointer.Escape(appliedKey), Value: string(record)}
	switch {
	case metadata == nil:
		op.Path = "/metadata"
		op.Value = map[string]any{"annotations": map[string]any{appliedKey: string(record)}}
	case annotations == nil:
		op.Path = "/metadata/annotations"
		op.Value = map[string]any{appliedKey: string(record)}
	}
	return append(slices.Clone(f.Patch), op), nil
}

// earlier are the entries that are there already. What is no list of objects is not ours.
func earlier(annotations map[string]any) []Applied {
	text, _ := annotations[appliedKey].(string)
	if len(text) > maxEarlier {
		return nil
	}
	var entries []Applied
	if json.Unmarshal([]byte(text), &entries) != nil {
		return nil
	}
	return slices.DeleteFunc(entries, func(entry Applied) bool { return entry.Rule == "" })
}

// fits says whether a record of that size leaves the annotations within their bound: a Pod
// must not be refused for what only informs.
func fits(annotations map[string]any, record int) bool {
	size := len(appliedKey) + record
	for key, value := range annotations {
		if text, ok := value.(string); ok && key != appliedKey {
			size += len(key) + len(text)
		}
	}
	return size <= maxAnnotations
}
