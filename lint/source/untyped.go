package source

import (
	"fmt"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// builtIn are the kinds of Kubernetes that hold containers, with the apiVersion that they need.
var builtIn = map[string]string{
	"Pod": "v1", "PodTemplate": "v1", "ReplicationController": "v1", "List": "v1",
	"Deployment": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1", "ReplicaSet": "apps/v1",
	"Job": "batch/v1", "CronJob": "batch/v1",
}

// kindWord is how kinds are written.
var kindWord = pattern.Lazy(`^[A-Z][A-Za-z0-9]*$`)

// longestName is the longest that names an object: an apiVersion of a group of 253 bytes, a slash and a version of 63. A
// name has 253 at most. Every finding tells them, so that a megabyte would be told thousands of times.
const longestName = 253 + 1 + 63

// misnamed says that the API server refuses an object for a name of any length.
func misnamed(object map[string]any) (cause, field string) {
	metadata, _ := object["metadata"].(map[string]any)
	for _, named := range []struct {
		in    map[string]any
		field string
		top   string
	}{
		{object, "kind", "kind"},
		{object, "apiVersion", "apiVersion"},
		{metadata, "name", "metadata"},
		{metadata, "namespace", "metadata"},
		{metadata, "generateName", "metadata"},
	} {
		if text, _ := named.in[named.field].(string); len(text) > longestName {
			return fmt.Sprintf("the %s of this object has %d bytes, more than the API server takes: it is not judged; give it a shorter one",
				named.field, len(text)), named.top
		}
	}
	return "", ""
}

// Untyped says what an object lacks that is plainly meant for Kubernetes and has no apiVersion or no kind, and which
// field to look at. It tells of a name that is too long, too. It is "" for other objects. The API server refuses it, and
// without both nothing judges it.
func Untyped(object map[string]any) (cause, field string) {
	version, hasVersion := object["apiVersion"].(string)
	kind, hasKind := object["kind"].(string)
	hasVersion, hasKind = hasVersion && version != "", hasKind && kind != ""
	switch {
	case hasVersion && hasKind:
		return misnamed(object)
	case !hasVersion && !hasKind:
		return "", ""
	case hasVersion:
		if !holdsPod(object) {
			return "", ""
		}
		return "this object has containers and " + lacks(object, "kind") +
			"; the API server refuses it, and it is not judged: add its kind, such as kind: Deployment", "apiVersion"
	}
	wanted, known := builtIn[kind]
	if !kindWord().MatchString(kind) || !holdsPod(object) && !(known && (isNamed(object) || isList(object))) {
		return "", ""
	}
	if !known {
		wanted = "that of its CustomResourceDefinition"
	} else {
		wanted = "apiVersion: " + wanted
	}
	return fmt.Sprintf("this %s %s; the API server refuses it, and it is not judged: add %s",
		kind, lacks(object, "apiVersion"), wanted), "kind"
}

func lacks(object map[string]any, field string) string {
	if value, there := object[field]; there && value != nil && value != "" {
		return "has an " + field + " that is not text"
	}
	return "has no " + field
}

// holdsPod says whether an object has a Pod's spec where the kinds of Kubernetes have one: below spec.
func holdsPod(object map[string]any) bool {
	spec, _ := object["spec"].(map[string]any)
	if job, ok := spec["jobTemplate"].(map[string]any); ok {
		spec, _ = job["spec"].(map[string]any)
	}
	for _, template := range []string{"template", "podTemplate"} {
		if pod, ok := spec[template].(map[string]any); ok {
			if inner, ok := pod["spec"].(map[string]any); ok {
				spec = inner
			}
		}
	}
	containers, _ := spec["containers"].([]any)
	return len(containers) > 0
}

func isNamed(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	_, name := metadata["name"].(string)
	_, generated := metadata["generateName"].(string)
	return name || generated
}

func isList(object map[string]any) bool {
	_, ok := object["items"].([]any)
	return ok && object["kind"] == "List"
}
