package lint

import (
	"context"
	"slices"

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

// neighbour is an object that speaks for others, and the list of a Context that it belongs to.
type neighbour struct {
	list     string
	manifest map[string]any
	place    string
}

// neighbours reads the Namespaces, LimitRanges, Services and the like of the whole input, by file.
func neighbours(
	ctx context.Context, e *engine.Engine, files []source.File, o source.Options, workers int,
) ([][]neighbour, error) {
	found := make([][]neighbour, len(files))
	o.Mentioning = contextWords
	return found, source.Each(ctx, files, o, workers, func(index int, item source.Item) error {
		if item.Document == nil {
			return nil
		}
		for manifest := range source.Objects(item.Document) {
			known, err := e.KindOf(ctx, manifest)
			if err != nil {
				return err
			}
			if known.ContextList != "" {
				found[index] = append(found[index], neighbour{known.ContextList, manifest, item.Document.Place()})
			}
		}
		return nil
	})
}

// surroundings read the neighbours of the whole input, and are what standing makes of them.
func surroundings(
	ctx context.Context, e *engine.Engine, files []source.File, o source.Options, workers int,
) (beside.Around, map[string]preview.Labels, error) {
	found, err := neighbours(ctx, e, files, o, workers)
	if err != nil {
		return nil, nil, err
	}
	return standing(found)
}

// standing is what stands around objects, by the namespace that it speaks for, and what the Namespaces' labels say.
func standing(found [][]neighbour) (beside.Around, map[string]preview.Labels, error) {
	labels := map[string]preview.Labels{}
	gathered := beside.Gathered{}
	for _, n := range slices.Concat(found...) {
		if r := engine.ResourceOf(n.manifest); r.Kind == "Namespace" {
			labels[r.Name] = preview.LabelsOf(n.manifest)
		}
		gathered.Add(n.list, n.manifest, n.place)
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
