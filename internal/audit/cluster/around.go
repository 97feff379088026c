package cluster

import "github.com/headroom-dev/headroom/policies/engine"

// Around is what stands in a namespace, as the policies read it. The Namespace is nil where
// it could not be read.
func Around(
	name string, namespace *Object, limitRanges, resourceQuotas, configMaps []*Object,
) (*engine.Context, error) {
	lists := map[string][]map[string]any{
		"limit_ranges":    manifests(limitRanges),
		"resource_quotas": manifests(resourceQuotas),
		"config_maps":     manifests(configMaps),
	}
	if namespace != nil {
		lists["namespaces"] = manifests([]*Object{namespace})
	}
	return engine.NewContext(name, lists)
}

func manifests(objects []*Object) []map[string]any {
	list := make([]map[string]any, 0, len(objects))
	for _, o := range objects {
		list = append(list, o.Manifest)
	}
	return list
}
