//go:build integration

package fixfiles_test

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/headroom-dev/headroom/policies/engine"
)

// podOf is the Pod that an object is or makes, with the requests that the API server makes of
// limits before it asks webhooks; nil without a Pod.
func podOf(o map[string]any) map[string]any {
	apiVersion, _ := o["apiVersion"].(string)
	kind, _ := o["kind"].(string)
	path := engine.TemplatePath(apiVersion, kind)
	if path == "" {
		return nil
	}
	template := o
	if path != "-" {
		for key := range strings.SplitSeq(path, ".") {
			template = object(template, key)
		}
	}
	metadata := map[string]any{"name": "pod", "namespace": "shop"}
	for _, key := range []string{"labels", "annotations"} {
		if value := object(template, "metadata", key); value != nil {
			metadata[key] = value
		}
	}
	if template["spec"] == nil {
		return nil
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": defaulted(object(template, "spec")),
	}
}

func defaulted(spec map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range spec {
		out[key] = value
	}
	for _, key := range []string{"containers", "initContainers"} {
		containers, ok := spec[key].([]any)
		if !ok {
			continue
		}
		list := make([]any, len(containers))
		for i, c := range containers {
			list[i] = c
			if container, ok := c.(map[string]any); ok {
				list[i] = requested(container)
			}
		}
		out[key] = list
	}
	return out
}

// requested gives a container a request for each limit that has none.
func requested(container map[string]any) map[string]any {
	limits := object(container, "resources", "limits")
	if len(limits) == 0 {
		return container
	}
	out, resources, requests := copied(container), copied(object(container, "resources")),
		copied(object(container, "resources", "requests"))
	for name, value := range limits {
		if _, has := requests[name]; !has {
			requests[name] = value
		}
	}
	out["resources"], resources["requests"] = resources, requests
	return out
}

// amounts is a copy whose amounts of CPU and memory are whole numbers of millicores and bytes:
// 100n and 1m are the same to a node.
func amounts(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, entry := range value {
			out[key] = amounts(entry)
			if quantity, err := resource.ParseQuantity(fmt.Sprint(entry)); err == nil {
				switch key {
				case "cpu":
					out[key] = quantity.MilliValue()
				case "memory":
					out[key] = quantity.Value()
				}
			}
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, entry := range value {
			out[i] = amounts(entry)
		}
		return out
	}
	return value
}

func copied(m map[string]any) map[string]any {
	out := map[string]any{}
	for key, value := range m {
		out[key] = value
	}
	return out
}

// ownersOf are those of the Pod of an object, nearest first.
func ownersOf(o map[string]any) []engine.Owner {
	kind, _ := o["kind"].(string)
	own := engine.Owner{Kind: kind, Annotations: ours(object(o, "metadata", "annotations"))}
	switch kind {
	case "Pod":
		return nil
	case "Deployment":
		return []engine.Owner{{Kind: "ReplicaSet", Annotations: own.Annotations}, own}
	case "CronJob":
		job := engine.Owner{Kind: "Job", Annotations: ours(object(o, "spec", "jobTemplate", "metadata", "annotations"))}
		return []engine.Owner{job, own}
	}
	return []engine.Owner{own}
}

func ours(annotations map[string]any) map[string]string {
	kept := map[string]string{}
	for key, value := range annotations {
		group, _, _ := strings.Cut(key, "/")
		if text, ok := value.(string); ok && (group == "headroom.dev" || strings.HasSuffix(group, ".headroom.dev")) {
			kept[key] = text
		}
	}
	return kept
}
