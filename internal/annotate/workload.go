package annotate

import (
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Workload is an object with a pod template, or a Pod: something can be measured of it.
type Workload struct {
	Resource engine.Resource
	Object   map[string]any
	Prefix   []any    // from the document to the object
	template []string // from the object to what has the metadata of its Pods
}

// templates lead to the pod templates of the kinds that something is measured of.
var templates = map[string][]string{
	"Pod":                   {},
	"Deployment":            {"spec", "template"},
	"StatefulSet":           {"spec", "template"},
	"DaemonSet":             {"spec", "template"},
	"ReplicaSet":            {"spec", "template"},
	"ReplicationController": {"spec", "template"},
	"Job":                   {"spec", "template"},
	"CronJob":               {"spec", "jobTemplate", "spec", "template"},
}

// Workloads takes a List apart; others are one workload or none.
func Workloads(object map[string]any) []Workload {
	return collect(nil, object, nil, 2)
}

func collect(all []Workload, object map[string]any, prefix []any, depth int) []Workload {
	if items, ok := object["items"].([]any); ok && depth > 0 {
		for i, item := range items {
			if item, ok := item.(map[string]any); ok {
				at := append(slices.Clone(prefix), "items", i)
				all = collect(all, item, at, depth-1)
			}
		}
		return all
	}
	w := Workload{Resource: engine.ResourceOf(object), Object: object, Prefix: prefix}
	template, known := templates[w.Resource.Kind]
	if !known || lookup(object, template...) == nil {
		return all
	}
	w.template = template
	if w.Resource.Name == "" { // generateName: every run of it has another
		return all
	}
	return append(all, w)
}

// lookup follows keys; nil where they do not lead to an object.
func lookup(object map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		object, _ = object[key].(map[string]any)
	}
	return object
}

// annotations are those of the pod template and of the workload. A value on the workload
// counts where the template has none.
func (w Workload) annotations() (template, own map[string]any) {
	return lookup(w.Object, append(slices.Clone(w.template), "metadata", "annotations")...),
		lookup(w.Object, "metadata", "annotations")
}

// annotation gives the value of an annotation, if it is a string.
func (w Workload) annotation(key string) (string, bool) {
	template, own := w.annotations()
	if text, ok := template[key].(string); ok {
		return text, true
	}
	text, ok := own[key].(string)
	return text, ok
}

// without is the manifest with none of the annotations that declare what was measured.
func (w Workload) without() map[string]any {
	manifest := stripped(w.Object, w.template)
	return stripped(manifest, nil)
}

// stripped copies only the objects that lead to the annotations.
func stripped(object map[string]any, path []string) map[string]any {
	out := maps.Clone(object)
	here := out
	for _, key := range append(slices.Clone(path), "metadata", "annotations") {
		next, ok := here[key].(map[string]any)
		if !ok {
			return out
		}
		next = maps.Clone(next)
		here[key] = next
		here = next
	}
	maps.DeleteFunc(here, func(key string, _ any) bool {
		group, name, _ := strings.Cut(key, "/")
		for _, q := range quantities {
			if group == q.group || group == "headroom.dev" && name == strings.TrimSuffix(q.group, ".headroom.dev") {
				return true
			}
		}
		return false
	})
	for key, text := range here {
		if words, ok := text.(string); ok && strings.HasPrefix(key, jvmGroup+"/") {
			here[key] = strings.Join(slices.DeleteFunc(strings.Fields(words), told), " ")
		}
	}
	return out
}

// told says that a word of a JVM's annotation is one that the JVM tells of itself.
func told(word string) bool {
	return slices.ContainsFunc(facts, func(f fact) bool { return strings.HasPrefix(word, f.word+"=") })
}
