package engine

import (
	"fmt"
	"path"
	"slices"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Lists of a Context that can be long, and of which an object needs a few.
const (
	configMapsList  = "config_maps"
	servicesList    = "services"
	routesList      = "routes"
	autoscalersList = "autoscalers"
)

// keysOf are the keys by which an entry of such a list is found. The policies look again: a key
// that says too much only costs time.
var keysOf = map[string]func(map[string]any) []string{
	configMapsList:  func(o map[string]any) []string { return []string{ResourceOf(o).Name} },
	servicesList:    selected,
	routesList:      func(o map[string]any) []string { return namesIn(o["spec"]) },
	autoscalersList: Scaled,
}

func (c *Context) index(list string, objects []map[string]any, keys func(map[string]any) []string) error {
	for _, object := range objects {
		value, err := plan.FromGo(object)
		if err != nil {
			return fmt.Errorf("read the %s beside the object: %w", list, err)
		}
		if c.found[list] == nil {
			c.found[list] = map[string][]plan.Value{}
		}
		for _, key := range keys(object) {
			c.found[list][key] = append(c.found[list][key], value)
		}
	}
	return nil
}

// AddConfigMaps adds ConfigMaps that stand in one place. Of several of one name an object takes the nearest: what stands
// in its folder or in one around it is applied with it, and another folder's is another installation's.
func (c *Context) AddConfigMaps(place string, configMaps []map[string]any) error {
	return c.index(configMapsList, configMaps, func(o map[string]any) []string {
		name := ResourceOf(o).Name
		return []string{name, placed(name, place)}
	})
}

// placed is the key of the ConfigMaps of a name in a place: no name has a slash.
func placed(name, place string) string { return name + "/" + place }

// nearest is the key of the ConfigMaps of a name that are nearest to a place, and of all of them if none is in it or
// around it.
func (c *Context) nearest(name, place string) string {
	for folder := place; folder != ""; folder = path.Dir(folder) {
		if key := placed(name, folder); c.found[configMapsList][key] != nil {
			return key
		}
		if folder == path.Dir(folder) {
			break
		}
	}
	return name
}

// needed are the entries of the lists that can be long, as far as the object in a place needs them.
func (c *Context) needed(manifest map[string]any, place string) map[string][]plan.Value {
	needed := map[string][]plan.Value{}
	take := func(list string, keys []string) {
		for _, key := range keys {
			needed[list] = append(needed[list], c.found[list][key]...)
		}
	}
	if len(c.found[configMapsList]) > 0 {
		for _, name := range ConfigMapsNamed(manifest) {
			take(configMapsList, []string{c.nearest(name, place)})
		}
	}
	if len(c.found[autoscalersList]) > 0 {
		take(autoscalersList, []string{ResourceOf(manifest).Name})
	}
	if len(c.found[servicesList]) > 0 {
		take(servicesList, labelsIn(manifest))
		var names []string
		for _, service := range needed[servicesList] {
			if name, ok := field(field(service, "metadata"), "name").(string); ok {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		take(routesList, slices.Compact(names))
	}
	return needed
}

// field gives a field of an object; nil if v is no object or lacks the field.
func field(v plan.Value, name string) plan.Value {
	object, ok := v.(*plan.Object)
	if !ok {
		return nil
	}
	return object.Get(name)
}

// selected is one label of the selector of a Service, as key=value: Pods that it selects have it.
func selected(service map[string]any) []string {
	spec, _ := service["spec"].(map[string]any)
	selector, _ := spec["selector"].(map[string]any)
	pairs := pairsOf(selector)
	return pairs[:min(len(pairs), 1)]
}

func pairsOf(labels map[string]any) []string {
	pairs := make([]string, 0, len(labels))
	for key, value := range labels {
		if text, ok := value.(string); ok {
			pairs = append(pairs, key+"="+text)
		}
	}
	slices.Sort(pairs)
	return pairs
}

// Scaled is the name of what a HorizontalPodAutoscaler, or a VerticalPodAutoscaler, is for.
func Scaled(autoscaler map[string]any) []string {
	spec, _ := autoscaler["spec"].(map[string]any)
	for _, key := range []string{"scaleTargetRef", "targetRef"} {
		target, _ := spec[key].(map[string]any)
		if name, ok := target["name"].(string); ok {
			return []string{name}
		}
	}
	return nil
}

// labelsIn are all labels that an object gives, wherever its pod template stands.
func labelsIn(manifest map[string]any) []string {
	var pairs []string
	visit(manifest, func(key string, value any) bool {
		if labels, ok := value.(map[string]any); ok && key == "labels" {
			pairs = append(pairs, pairsOf(labels)...)
		}
		return true
	})
	slices.Sort(pairs)
	return slices.Compact(pairs)
}

// namesIn are all values of fields called name.
func namesIn(value any) []string {
	var names []string
	visit(value, func(key string, value any) bool {
		if name, ok := value.(string); ok && key == "name" {
			names = append(names, name)
		}
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// visit calls with every field of a value, however deep, and below no field of which it is told false.
func visit(value any, with func(key string, value any) bool) {
	switch v := value.(type) {
	case map[string]any:
		for key, entry := range v {
			if with(key, entry) {
				visit(entry, with)
			}
		}
	case []any:
		for _, entry := range v {
			visit(entry, with)
		}
	}
}
