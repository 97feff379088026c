package lint

import (
	"context"

	"github.com/headroom-dev/headroom/internal/preview"
	"github.com/headroom-dev/headroom/lint/beside"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// contextWords are in the text of every object that speaks for its neighbours. A file
// with none of them is parsed only once. The policies say what such an object means.
var contextWords = []string{
	"ConfigMap", "LimitRange", "Namespace", "ResourceQuota",
	"Service", "Ingress", "Route", "HorizontalPodAutoscaler", "VerticalPodAutoscaler", "StartupCPUBoost",
	"KubeletConfiguration",
}

// surroundings reads the Namespaces, LimitRanges, Services and the like of the whole input, by
// the namespace that they speak for, and what the Namespaces' labels say.
func surroundings(
	ctx context.Context, e *engine.Engine, files []source.File, o source.Options, workers int,
) (beside.Around, map[string]preview.Labels, error) {
	type entry struct {
		list     string
		manifest map[string]any
	}
	found := make([][]entry, len(files))
	options := rewound(o)
	options.Mentioning = contextWords
	err := source.Each(ctx, files, options, workers, func(index int, item source.Item) error {
		if item.Document == nil {
			return nil
		}
		for manifest := range source.Objects(item.Document) {
			apiVersion, kind := typeOf(manifest)
			known, err := e.Kind(ctx, apiVersion, kind)
			if err != nil {
				return err
			}
			if known.ContextList != "" {
				found[index] = append(found[index], entry{known.ContextList, manifest})
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	labels := map[string]preview.Labels{}
	gathered := beside.Gathered{}
	for _, entries := range found {
		for _, entry := range entries {
			if _, kind := typeOf(entry.manifest); kind == "Namespace" {
				labels[metadata(entry.manifest, "name")] = preview.LabelsOf(entry.manifest)
			}
			gathered.Add(entry.list, entry.manifest)
		}
	}
	around, err := gathered.Contexts()
	return around, labels, err
}

// object is one object of a document, and the way to it.
type object struct {
	manifest map[string]any
	prefix   []any
}

func objectsOf(document *source.Document) []object {
	var all []object
	for manifest, prefix := range source.Objects(document) {
		all = append(all, object{manifest, prefix})
	}
	return all
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
