// Package beside gathers what stands beside workloads and speaks for them: Namespaces,
// LimitRanges, ResourceQuotas, ConfigMaps, Services and what leads to them, of one input.
package beside

import "github.com/headroom-dev/headroom/policies/engine"

// Gathered has the objects by the namespace that they speak for, and in it by the list of a
// Context that they belong to.
type Gathered map[string]map[string][]map[string]any

// Add takes an object of a kind that has a list (engine.Kind.ContextList).
func (g Gathered) Add(list string, manifest map[string]any) {
	metadata, _ := manifest["metadata"].(map[string]any)
	key := "namespace"
	if manifest["kind"] == "Namespace" {
		key = "name" // it speaks for itself
	}
	namespace, _ := metadata[key].(string)
	if g[namespace] == nil {
		g[namespace] = map[string][]map[string]any{}
	}
	g[namespace][list] = append(g[namespace][list], manifest)
}

// Contexts are for the policies, by namespace.
func (g Gathered) Contexts() (map[string]*engine.Context, error) {
	around := make(map[string]*engine.Context, len(g))
	for namespace, lists := range g {
		context, err := engine.NewContext("", lists)
		if err != nil {
			return nil, err
		}
		around[namespace] = context
	}
	return around, nil
}
