package source

import (
	"iter"
	"maps"
	"strings"
)

// maxNesting is how many Lists may stand in each other. kubectl takes apart any number of them; each item has the way
// to it, and so the number is bounded.
const maxNesting = 8

// nested says whether more Lists stand in each other than are taken apart.
func nested(object map[string]any, depth int) bool {
	items, ok := object["items"].([]any)
	if !ok {
		return false
	}
	if depth == 0 {
		return true
	}
	for _, item := range items {
		if inner, ok := item.(map[string]any); ok && nested(inner, depth-1) {
			return true
		}
	}
	return false
}

// Objects are the objects of a document, each with the way to it. A List is taken apart, and
// Lists inside of it. Items of a typed list (a PodList from the API) leave their kind to the
// list. Of an AdmissionReview it is the object that is asked about.
func Objects(document *Document) iter.Seq2[map[string]any, []any] {
	return func(yield func(map[string]any, []any) bool) {
		if manifest, ok := requested(document.Object); ok {
			yield(manifest, []any{"request", "object"})
			return
		}
		flatten(document.Object, nil, maxNesting, yield)
	}
}

// requested is the object of an AdmissionReview, in the namespace of its request.
func requested(review map[string]any) (map[string]any, bool) {
	if review["kind"] != "AdmissionReview" {
		return nil, false
	}
	request, _ := review["request"].(map[string]any)
	manifest, ok := request["object"].(map[string]any)
	if !ok {
		return nil, false
	}
	namespace, _ := request["namespace"].(string)
	metadata, ok := manifest["metadata"].(map[string]any)
	if own, _ := metadata["namespace"].(string); ok && own == "" && namespace != "" {
		metadata, manifest = maps.Clone(metadata), maps.Clone(manifest)
		metadata["namespace"], manifest["metadata"] = namespace, metadata
	}
	return manifest, true
}

// flatten is false where no more is wanted.
func flatten(manifest map[string]any, path []any, depth int, yield func(map[string]any, []any) bool) bool {
	items, ok := manifest["items"].([]any)
	if !ok || depth == 0 {
		return yield(manifest, path)
	}
	for i, item := range items {
		inner, ok := item.(map[string]any)
		if !ok {
			continue
		}
		to := append(append([]any{}, path...), "items", i)
		if !flatten(typed(inner, manifest), to, depth-1, yield) {
			return false
		}
	}
	return true
}

// typed gives an item of a typed list the kind that the list has for it.
func typed(item, list map[string]any) map[string]any {
	name, _ := list["kind"].(string)
	kind, ok := strings.CutSuffix(name, "List")
	if _, has := item["kind"]; has || !ok || kind == "" {
		return item
	}
	full := make(map[string]any, len(item)+2)
	maps.Copy(full, item)
	full["kind"], full["apiVersion"] = kind, list["apiVersion"]
	return full
}
