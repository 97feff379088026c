package cluster

import (
	"maps"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Around is what stands in a namespace, as the policies read it: signs are lists of what Sign
// keeps. The Namespace is nil where it could not be read.
func Around(
	name string, namespace *Object, limitRanges, resourceQuotas []*Object, signs map[string][]map[string]any,
) (*engine.Context, error) {
	lists := map[string][]map[string]any{
		"limit_ranges":    Manifests(limitRanges),
		"resource_quotas": Manifests(resourceQuotas),
	}
	maps.Copy(lists, signs)
	if namespace != nil {
		lists["namespaces"] = Manifests([]*Object{namespace})
	}
	return engine.NewContext(name, lists)
}

// Manifests are the objects as JSON shapes them.
func Manifests(objects []*Object) []map[string]any {
	list := make([]map[string]any, 0, len(objects))
	for _, o := range objects {
		list = append(list, o.Manifest)
	}
	return list
}
