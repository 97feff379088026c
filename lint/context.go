package lint

import (
	"context"
	"maps"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/preview"
)

// contextWords are in the text of every object that speaks for its neighbours. A file
// with none of them is parsed only once. The policies say what such an object means.
var contextWords = []string{"ConfigMap", "LimitRange", "Namespace", "ResourceQuota"}

// surroundings reads the Namespaces, LimitRanges, ResourceQuotas and ConfigMaps of the
// whole input, by the namespace that they speak for, and what the Namespaces' labels say.
func surroundings(
	ctx context.Context, e *engine.Engine, files []source.File, o source.Options, workers int,
) (map[string]*engine.Context, map[string]preview.Labels, error) {
	type entry struct {
		namespace, list string
		manifest        map[string]any
	}
	found := make([][]entry, len(files))
	options := rewound(o)
	options.Mentioning = contextWords
	err := source.Each(ctx, files, options, workers, func(index int, item source.Item) error {
		if item.Document == nil {
			return nil
		}
		for _, object := range objectsOf(item.Document) {
			apiVersion, kind := typeOf(object.manifest)
			known, err := e.Kind(ctx, apiVersion, kind)
			if err != nil {
				return err
			}
			if known.ContextList == "" {
				continue
			}
			namespace := metadata(object.manifest, "namespace")
			if kind == "Namespace" {
				namespace = metadata(object.manifest, "name")
			}
			found[index] = append(found[index], entry{namespace, known.ContextList, object.manifest})
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	labels := map[string]preview.Labels{}
	lists := map[string]map[string][]map[string]any{}
	for _, entries := range found {
		for _, entry := range entries {
			if _, kind := typeOf(entry.manifest); kind == "Namespace" {
				labels[entry.namespace] = preview.LabelsOf(entry.manifest)
			}
			if lists[entry.namespace] == nil {
				lists[entry.namespace] = map[string][]map[string]any{}
			}
			lists[entry.namespace][entry.list] = append(lists[entry.namespace][entry.list], entry.manifest)
		}
	}
	around := make(map[string]*engine.Context, len(lists))
	for namespace, byList := range lists {
		if around[namespace], err = engine.NewContext("", byList); err != nil {
			return nil, nil, err
		}
	}
	return around, labels, nil
}

// object is one object of a document, and the way to it.
type object struct {
	manifest map[string]any
	prefix   []any
}

// objectsOf takes a List apart, and a List inside a List. Items of a typed list (a
// PodList from the API) leave their kind to the list. Of an AdmissionReview it is the object that
// is asked about.
func objectsOf(document *source.Document) []object {
	if requested, ok := requestedBy(document.Object); ok {
		return []object{requested}
	}
	return flatten(object{manifest: document.Object}, 2)
}

// requestedBy is the object of an AdmissionReview, in the namespace of its request.
func requestedBy(review map[string]any) (object, bool) {
	if _, kind := typeOf(review); kind != "AdmissionReview" {
		return object{}, false
	}
	request, _ := review["request"].(map[string]any)
	manifest, ok := request["object"].(map[string]any)
	if !ok {
		return object{}, false
	}
	namespace, _ := request["namespace"].(string)
	if m, ok := manifest["metadata"].(map[string]any); ok && namespace != "" && metadata(manifest, "namespace") == "" {
		m, manifest = maps.Clone(m), maps.Clone(manifest)
		m["namespace"], manifest["metadata"] = namespace, m
	}
	return object{manifest: manifest, prefix: []any{"request", "object"}}, true
}

func flatten(o object, depth int) []object {
	items, ok := o.manifest["items"].([]any)
	if !ok || depth == 0 {
		return []object{o}
	}
	var all []object
	for i, item := range items {
		manifest, ok := item.(map[string]any)
		if !ok {
			continue
		}
		prefix := append(append([]any{}, o.prefix...), "items", i)
		all = append(all, flatten(object{manifest: typed(manifest, o.manifest), prefix: prefix}, depth-1)...)
	}
	return all
}

// typed gives an item of a typed list the kind that the list has for it.
func typed(item, list map[string]any) map[string]any {
	kind, _ := list["kind"].(string)
	const suffix = "List"
	if _, has := item["kind"]; has || len(kind) <= len(suffix) || kind[len(kind)-len(suffix):] != suffix {
		return item
	}
	full := make(map[string]any, len(item)+2)
	for key, value := range item {
		full[key] = value
	}
	full["kind"] = kind[:len(kind)-len(suffix)]
	full["apiVersion"] = list["apiVersion"]
	return full
}

func typeOf(manifest map[string]any) (apiVersion, kind string) {
	apiVersion, _ = manifest["apiVersion"].(string)
	kind, _ = manifest["kind"].(string)
	return apiVersion, kind
}

func metadata(manifest map[string]any, key string) string {
	m, _ := manifest["metadata"].(map[string]any)
	value, _ := m[key].(string)
	return value
}
