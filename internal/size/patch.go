package size

import (
	"maps"
	"reflect"
	"slices"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Patches are the changes of all workloads and their autoscalers as strategic merge patches, which kustomize and
// kubectl patch take. What another object makes has none.
func (r *Report) Patches() []map[string]any {
	var list []map[string]any
	for i := range r.Workloads {
		w := &r.Workloads[i]
		if w.Made {
			continue
		}
		if w.Object != nil {
			patch, _ := merge(w.Manifest, w.Object).(map[string]any)
			list = append(list, named(w.Resource, patch))
		}
		list = append(list, w.scalerPatches()...)
	}
	return list
}

// named is a patch with what tells its object.
func named(resource engine.Resource, patch map[string]any) map[string]any {
	metadata := map[string]any{"name": resource.Name}
	if resource.Namespace != "" {
		metadata["namespace"] = resource.Namespace
	}
	out := map[string]any{"apiVersion": resource.APIVersion, "kind": resource.Kind, "metadata": metadata}
	maps.Copy(out, map[string]any{"spec": patch["spec"]})
	return out
}

// merge is what makes one value of another: null takes a field away, and entries of lists are told by their name, as
// those of containers and variables are.
func merge(from, to any) any {
	switch to := to.(type) {
	case map[string]any:
		from, ok := from.(map[string]any)
		if !ok {
			return to
		}
		return mergeObjects(from, to)
	case []any:
		from, ok := from.([]any)
		if !ok || slices.ContainsFunc(to, plain) {
			return to
		}
		return mergeLists(from, to)
	}
	return to
}

// plain is an entry without fields, such as a word of a command: its list is replaced as a whole.
func plain(entry any) bool {
	_, object := entry.(map[string]any)
	return !object
}

func mergeObjects(from, to map[string]any) map[string]any {
	out := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(to)) {
		was, ok := from[key]
		if !ok {
			out[key] = to[key]
		} else if !reflect.DeepEqual(was, to[key]) {
			out[key] = merge(was, to[key])
		}
	}
	for key := range from {
		if _, ok := to[key]; !ok {
			out[key] = nil
		}
	}
	return out
}

// mergeLists has the entries that differ. Lists only grow at their end here.
func mergeLists(from, to []any) []any {
	var out []any
	for i, entry := range to {
		if i >= len(from) {
			out = append(out, entry)
			continue
		}
		if reflect.DeepEqual(from[i], entry) {
			continue
		}
		changed := merge(from[i], entry)
		if changed, ok := changed.(map[string]any); ok {
			if entry, ok := entry.(map[string]any); ok && entry["name"] != nil {
				changed["name"] = entry["name"]
			}
		}
		out = append(out, changed)
	}
	return out
}

// scalerPatches give autoscalers their targets: the list of metrics is replaced as a whole.
func (w *Workload) scalerPatches() []map[string]any {
	var list []map[string]any
	for _, name := range slices.Sorted(maps.Keys(w.Scalers)) {
		spec, _ := w.Scalers[name]["spec"].(map[string]any)
		copied, _ := engine.DeepCopy(spec["metrics"]).([]any)
		changed := false
		for _, a := range w.Autoscalers {
			if a.Name == name && a.Wanted != a.Now && int(a.Metric) < len(copied) {
				changed = retarget(copied[a.Metric], a.Wanted) || changed
			}
		}
		if changed {
			resource := engine.Resource{
				APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler", Namespace: w.Resource.Namespace, Name: name,
			}
			list = append(list, named(resource, map[string]any{"spec": map[string]any{"metrics": copied}}))
		}
	}
	return list
}

func retarget(metric any, wanted int64) bool {
	m, _ := metric.(map[string]any)
	for _, key := range []string{"resource", "containerResource"} {
		part, _ := m[key].(map[string]any)
		if target, ok := part["target"].(map[string]any); ok {
			target["averageUtilization"] = wanted
			return true
		}
	}
	return false
}
