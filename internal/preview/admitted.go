package preview

import (
	"maps"
	"slices"
	"strings"
)

// admitted is a Pod as webhooks get it. It has the requests that the API server makes of limits,
// and then what LimitRanger puts in and writes down in an annotation (SetDefaults_Pod;
// mergeContainerResources). The Pod that is given stays as it is.
func admitted(pod map[string]any, limitRanges []map[string]any) map[string]any {
	spec := maps.Clone(at(pod, "spec"))
	if spec == nil {
		return pod
	}
	pod = maps.Clone(pod)
	pod["spec"] = spec
	var lists [][]any
	for _, key := range []string{"containers", "initContainers"} {
		if list, ok := spec[key].([]any); ok {
			list = slices.Clone(list)
			for i, entry := range list {
				if container, ok := entry.(map[string]any); ok {
					list[i] = requested(container)
				}
			}
			spec[key] = list
			lists = append(lists, list)
		} else {
			lists = append(lists, nil)
		}
	}
	for _, limits := range limitRanges {
		var words []string
		defaults, requests := rangeDefaults(limits)
		for i, prefix := range []string{"container", "init container"} {
			for _, entry := range lists[i] {
				if container, ok := entry.(map[string]any); ok {
					words = append(words, filled(container, prefix, defaults, requests)...)
				}
			}
		}
		if len(words) > 0 {
			note(pod, "LimitRanger plugin set: "+strings.Join(words, "; "))
		}
	}
	return pod
}

// requested is a copy of a container in which each limit without a request is also the request.
func requested(container map[string]any) map[string]any {
	container = maps.Clone(container)
	resources, ok := container["resources"].(map[string]any)
	if container["resources"] != nil && !ok {
		return container // the API server refuses it
	}
	resources = maps.Clone(resources)
	if resources == nil {
		resources = map[string]any{}
	}
	container["resources"] = resources
	for _, list := range []string{"limits", "requests"} {
		values, ok := resources[list].(map[string]any)
		if resources[list] != nil && !ok {
			return container
		}
		if values = maps.Clone(values); values != nil {
			resources[list] = values
		}
	}
	fill(resources, "requests", at(resources, "limits"))
	return container
}

// fill puts what is missing into a list of resources, and names it, sorted.
func fill(resources map[string]any, list string, values map[string]any) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		present, _ := resources[list].(map[string]any)
		if _, ok := present[name]; ok || values[name] == nil {
			continue
		}
		if present == nil {
			present = map[string]any{}
			resources[list] = present
		}
		present[name] = values[name]
		names = append(names, name)
	}
	return names
}

// rangeDefaults are the limits and requests that a LimitRange gives containers that have none
// (SetDefaults_LimitRangeItem); the last item of containers counts.
func rangeDefaults(limitRange map[string]any) (limits, requests map[string]any) {
	items, _ := at(limitRange, "spec")["limits"].([]any)
	for _, entry := range items {
		item, _ := entry.(map[string]any)
		if item["type"] != "Container" {
			continue
		}
		defaults := map[string]any{}
		for list, from := range map[string][]string{"limits": {"default", "max"}, "requests": {"defaultRequest"}} {
			for _, key := range from {
				fill(defaults, list, at(item, key))
			}
		}
		fill(defaults, "requests", at(defaults, "limits"))
		fill(defaults, "requests", at(item, "min"))
		limits, requests = merged(limits, at(defaults, "limits")), merged(requests, at(defaults, "requests"))
	}
	return limits, requests
}

// merged is both, the later one where both have a value.
func merged(one, other map[string]any) map[string]any {
	all := maps.Clone(one)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, other)
	return all
}

// filled puts defaults into a container and says so, in LimitRanger's words.
func filled(container map[string]any, prefix string, limits, requests map[string]any) []string {
	resources, ok := container["resources"].(map[string]any)
	if !ok {
		return nil
	}
	var words []string
	for _, list := range []struct {
		name   string
		values map[string]any
	}{{"request", requests}, {"limit", limits}} {
		if names := fill(resources, list.name+"s", list.values); len(names) > 0 {
			words = append(words, strings.Join(names, ", ")+" "+list.name+" for "+prefix+" "+text(container, "name"))
		}
	}
	return words
}

// note writes the annotation of LimitRanger.
func note(pod map[string]any, words string) {
	metadata := merged(at(pod, "metadata"), nil)
	annotations := merged(at(pod, "metadata", "annotations"), map[string]any{"kubernetes.io/limit-ranger": words})
	metadata["annotations"] = annotations
	pod["metadata"] = metadata
}
