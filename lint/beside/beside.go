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
// and such objects stand in several places, each speaks for its own place alone: which namespace a place is applied to is
// not known. Of one place alone it is taken for that of all.
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

// withOnePlace has what stands in the one place with what names no namespace, too.
func (g Gathered) withOnePlace() Gathered {
	merged, unnamed := maps.Clone(g), map[string][]map[string]any{}
	maps.Copy(unnamed, g[""])
	for namespace, lists := range g {
		if strings.HasPrefix(namespace, at("")) {
			maps.Copy(unnamed, lists)
		}
	}
	merged[""] = unnamed
	return merged
}

// Unnamed says whether a key of Gathered or Around is of what names no namespace. Their Contexts depend on each other.
func Unnamed(key string) bool { return key == "" || strings.HasPrefix(key, at("")) }

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

// Places counts the places of what speaks for its place alone.
func (g Gathered) Places() int {
	count := 0
	for namespace := range g {
		if strings.HasPrefix(namespace, at("")) {
			count++
		}
	}
	return count
}

// Contexts are for the policies, by namespace.
func (g Gathered) Contexts() (Around, error) {
	around := make(Around, len(g))
	shared := g[Everywhere]
	if g.Places() == 1 {
		g = g.withOnePlace()
	}
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
