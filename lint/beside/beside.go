// Package beside gathers what stands beside workloads and speaks for them: Namespaces,
// LimitRanges, ResourceQuotas, ConfigMaps, Services and what leads to them, KubeletConfigurations, of one input.
package beside

import (
	"maps"

	"github.com/headroom-dev/headroom/policies/engine"
)

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
	if list == "kubelets" {
		namespace = Everywhere // of the nodes, and so of every Pod
	}
	if g[namespace] == nil {
		g[namespace] = map[string][]map[string]any{}
	}
	g[namespace][list] = append(g[namespace][list], manifest)
}

// Around has what stands around the objects of each namespace.
type Around map[string]*engine.Context

// Everywhere is where what speaks for every namespace is found; no namespace has this name.
const Everywhere = "*"

// Of is what stands around the objects of a namespace; nil where nothing does.
func (a Around) Of(namespace string) *engine.Context {
	if context, ok := a[namespace]; ok {
		return context
	}
	return a[Everywhere]
}

// Contexts are for the policies, by namespace.
func (g Gathered) Contexts() (Around, error) {
	around := make(Around, len(g))
	shared := g[Everywhere]
	for namespace, lists := range g {
		lists = maps.Clone(lists)
		maps.Copy(lists, shared)
		context, err := engine.NewContext("", lists)
		if err != nil {
			return nil, err
		}
		around[namespace] = context
	}
	return around, nil
}
