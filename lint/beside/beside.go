// Package beside gathers what stands beside workloads and speaks for them: Namespaces,
// LimitRanges, ResourceQuotas, ConfigMaps, Services and what leads to them, KubeletConfigurations, of one input.
package beside

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Gathered has the objects by the namespace that they speak for, and in it by the list of a
// Context that they belong to.
type Gathered map[string]map[string][]map[string]any

// ofAll are the lists of what speaks for all objects of a namespace, whatever their names. One that names no namespace
// speaks for what is near: which namespace the folders of a tree are applied to is not known.
var ofAll = []string{"limit_ranges", "resource_quotas"}

// Placed says whether an object of a list speaks for what is near its place alone.
func Placed(list string, manifest map[string]any) bool {
	return engine.ResourceOf(manifest).Namespace == "" && slices.Contains(ofAll, list)
}

// placeKey is the key of what speaks for a place: no namespace begins with a slash. inside is that of what stands in a folder
// of the place.
func placeKey(place string) string { return "/at " + place }
func inside(place string) string   { return "/in " + place }

// Add takes an object of a kind that has a list (engine.Kind.ContextList), and its place (source.Document.Place).
func (g Gathered) Add(list string, manifest map[string]any, place string) {
	r := engine.ResourceOf(manifest)
	namespace := r.Namespace
	if r.Kind == "Namespace" {
		namespace = r.Name // it speaks for itself
	}
	if list == "kubelets" {
		namespace = Everywhere // of the nodes, and so of every Pod
	}
	if Placed(list, manifest) {
		namespace = placeKey(place)
	}
	if list == "config_maps" {
		list = configMapsAt + place
	}
	if g[namespace] == nil {
		g[namespace] = map[string][]map[string]any{}
	}
	g[namespace][list] = append(g[namespace][list], manifest)
}

// Around has what stands around the objects of each namespace.
type Around map[string]*engine.Context

// configMapsAt begins the names of the lists of ConfigMaps, which have the place behind it.
const configMapsAt = "config_maps at "

// Everywhere is where what speaks for every namespace is found; no namespace has this name.
const Everywhere = "*"

// Unnamed is what names no namespace, and what speaks for a place. The Contexts of these depend on each other.
func (g Gathered) Unnamed() Gathered {
	part := Gathered{}
	for key, lists := range g {
		if Unnamed(key) {
			part[key] = lists
		}
	}
	return part
}

// Unnamed says whether a key of Gathered or Around is of what names no namespace.
func Unnamed(key string) bool { return key == "" || strings.HasPrefix(key, "/") }

// Of is what stands around the objects of a namespace, "" for those in a place that name none; nil where nothing does.
func (a Around) Of(namespace, place string) *engine.Context {
	if namespace == "" {
		if context := a.near(place); context != nil {
			return context
		}
	}
	if context, ok := a[namespace]; ok {
		return context
	}
	return a[Everywhere]
}

// near is what speaks for a place: it stands there, in a folder around it, or in one folder of it.
func (a Around) near(place string) *engine.Context {
	for folder := place; ; folder = path.Dir(folder) {
		if context := a[placeKey(folder)]; context != nil {
			return context
		}
		if folder == path.Dir(folder) {
			return a[inside(place)]
		}
	}
}

// Contexts are for the policies, by namespace.
func (g Gathered) Contexts() (Around, error) {
	around := make(Around, len(g))
	shared := g[Everywhere]
	for namespace, lists := range g {
		lists = maps.Clone(lists)
		maps.Copy(lists, shared)
		place, placed := strings.CutPrefix(namespace, placeKey(""))
		if placed {
			maps.Copy(lists, g[""])
		}
		context, err := contextOf(lists)
		if err != nil {
			return nil, err
		}
		around[namespace] = context
		if _, several := around[inside(path.Dir(place))]; placed && several {
			around[inside(path.Dir(place))] = nil
		} else if placed {
			around[inside(path.Dir(place))] = context
		}
	}
	return around, nil
}

func contextOf(lists map[string][]map[string]any) (*engine.Context, error) {
	placed := map[string][]map[string]any{}
	for name, list := range lists {
		if place, at := strings.CutPrefix(name, configMapsAt); at {
			placed[place] = list
			delete(lists, name)
		}
	}
	context, err := engine.NewContext("", lists)
	for place, configMaps := range placed {
		if err == nil {
			err = context.AddConfigMaps(place, configMaps)
		}
	}
	return context, err
}
