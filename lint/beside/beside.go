// Package beside gathers what stands beside workloads and speaks for them: Namespaces,
// LimitRanges, ResourceQuotas, ConfigMaps, Services and what leads to them, KubeletConfigurations, of one input.
package beside

import (
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Gathered has the objects by the namespace that they speak for, and in it by the list of a
// Context that they belong to.
type Gathered map[string]map[string][]map[string]any

// ofAll are the lists of what speaks for all objects of a namespace, whatever their names. Where it names no namespace,
// that is known only of what stands in the same place: two folders are seldom applied to one namespace.
var ofAll = []string{"limit_ranges", "resource_quotas"}

// Placed says whether an object of a list speaks for what stands in its place alone.
func Placed(list string, manifest map[string]any) bool {
	metadata, _ := manifest["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	return namespace == "" && slices.Contains(ofAll, list)
}

// at is the key of what speaks for a place: no namespace begins with a slash.
func at(place string) string { return "/" + place }

// Add takes an object of a kind that has a list (engine.Kind.ContextList), and its place (source.Document.Place).
func (g Gathered) Add(list string, manifest map[string]any, place string) {
	metadata, _ := manifest["metadata"].(map[string]any)
	key := "namespace"
	if manifest["kind"] == "Namespace" {
		key = "name" // it speaks for itself
	}
	namespace, _ := metadata[key].(string)
	if list == "kubelets" {
		namespace = Everywhere // of the nodes, and so of every Pod
	}
	if Placed(list, manifest) {
		namespace = at(place)
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

// Complete adds what of all the Contexts of a part need: what names no namespace, and what stands in a place, go together.
func (g Gathered) Complete(all Gathered) {
	unnamed := func(namespace string) bool { return namespace == "" || strings.HasPrefix(namespace, at("")) }
	if !slices.ContainsFunc(slices.Collect(maps.Keys(g)), unnamed) {
		return
	}
	for namespace, lists := range all {
		if unnamed(namespace) {
			g[namespace] = lists
		}
	}
}

// Of is what stands around the objects of a namespace, "" for those in a place that name none; nil where nothing does.
func (a Around) Of(namespace, place string) *engine.Context {
	if context, ok := a[at(place)]; ok && namespace == "" {
		return context
	}
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
		if strings.HasPrefix(namespace, at("")) {
			maps.Copy(lists, g[""])
		}
		context, err := engine.NewContext("", lists)
		if err != nil {
			return nil, err
		}
		around[namespace] = context
	}
	return around, nil
}
