package annotate

import (
	"slices"

	"github.com/headroom-dev/headroom/policies/engine"
)

func pointer(prefix []any, keys ...string) string {
	path := slices.Clone(prefix)
	for _, key := range keys {
		path = append(path, key)
	}
	return engine.Pointer(path)
}

// operations write values onto the pod template; one that the workload itself has is put
// right there, since it would speak against the template's.
func operations(w Workload, values []value) []engine.Operation {
	template, own := w.annotations()
	var ops []engine.Operation
	fresh := map[string]any{}
	for _, v := range values {
		switch {
		case template[v.key] != nil:
			ops = append(ops, engine.Operation{
				Op: "replace", Value: v.text,
				Path: pointer(w.Prefix, append(slices.Clone(w.template), "metadata", "annotations", v.key)...),
			})
		case own[v.key] != nil:
			ops = append(ops, engine.Operation{
				Op: "replace", Value: v.text, Path: pointer(w.Prefix, "metadata", "annotations", v.key),
			})
		default:
			fresh[v.key] = v.text
		}
	}
	if len(fresh) == 0 {
		return ops
	}
	metadata := append(slices.Clone(w.template), "metadata")
	annotations := append(slices.Clone(metadata), "annotations")
	switch {
	case lookup(w.Object, metadata...) == nil:
		return append(ops, engine.Operation{
			Op: "add", Path: pointer(w.Prefix, metadata...), Value: map[string]any{"annotations": fresh},
		})
	case template == nil:
		return append(ops, engine.Operation{Op: "add", Path: pointer(w.Prefix, annotations...), Value: fresh})
	}
	for _, v := range values {
		if _, ok := fresh[v.key]; ok {
			ops = append(ops, engine.Operation{
				Op: "add", Path: pointer(w.Prefix, append(slices.Clone(annotations), v.key)...), Value: v.text,
			})
		}
	}
	return ops
}

// patch is a strategic merge patch that writes values onto the pod template.
func patch(w Workload, values []value) map[string]any {
	annotations := map[string]any{}
	for _, v := range values {
		annotations[v.key] = v.text
	}
	metadata := map[string]any{"name": w.Resource.Name}
	if w.Resource.Namespace != "" {
		metadata["namespace"] = w.Resource.Namespace
	}
	out := map[string]any{"apiVersion": w.Resource.APIVersion, "kind": w.Resource.Kind, "metadata": metadata}
	here := out
	for _, key := range append(slices.Clone(w.template), "metadata") {
		next, ok := here[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			here[key] = next
		}
		here = next
	}
	here["annotations"] = annotations
	return out
}
