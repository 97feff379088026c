package preview

import (
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// at follows keys to an object; nil if they lead to no object.
func at(manifest map[string]any, path ...string) map[string]any {
	for _, key := range path {
		manifest, _ = manifest[key].(map[string]any)
	}
	return manifest
}

// text is the string at a path, "" without one.
func text(manifest map[string]any, path ...string) string {
	value, _ := at(manifest, path[:len(path)-1]...)[path[len(path)-1]].(string)
	return value
}

func nameOf(manifest map[string]any) string {
	if name := text(manifest, "metadata", "name"); name != "" {
		return name
	}
	return text(manifest, "metadata", "generateName")
}

// podOf is the Pod that a controller makes of a template, as far as it is judged.
func podOf(manifest map[string]any, path []string, namespace string) map[string]any {
	template := at(manifest, path...)
	metadata := map[string]any{"generateName": nameOf(manifest) + "-"}
	maps.Copy(metadata, at(template, "metadata"))
	delete(metadata, "name")
	metadata["namespace"] = namespace
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}
}

// podOwners are those of a Pod of the object, nearest first: the controllers in between have
// the annotations that they are given.
func (o object) podOwners(kind string) []engine.Owner {
	own := engine.Owner{Kind: kind, Annotations: ours(at(o.review.Manifest, "metadata", "annotations"))}
	var between []engine.Owner
	switch kind {
	case "Deployment":
		between = []engine.Owner{{Kind: "ReplicaSet", Annotations: own.Annotations}}
	case "CronJob":
		annotations := at(o.review.Manifest, "spec", "jobTemplate", "metadata", "annotations")
		between = []engine.Owner{{Kind: "Job", Annotations: ours(annotations)}}
	}
	return append(append(between, own), o.owners...)
}

// ownersOf is the controller that an object names. Of what is not in the cluster, or is of a
// kind that the webhook does not know, it knows the kind alone.
func ownersOf(manifest map[string]any) []engine.Owner {
	if owner := controllerOf(manifest); owner != nil {
		return []engine.Owner{{Kind: text(owner, "kind")}}
	}
	return nil
}

// controllerOf is the reference to the controller of an object; nil without a controller.
func controllerOf(manifest map[string]any) map[string]any {
	references, _ := at(manifest, "metadata")["ownerReferences"].([]any)
	for _, entry := range references {
		if reference, _ := entry.(map[string]any); reference["controller"] == true {
			return reference
		}
	}
	return nil
}

const domain = "headroom.dev"

// ours are the annotations of headroom.dev and the domains below it, less what the webhook
// wrote itself.
func ours(annotations map[string]any) map[string]string {
	kept := map[string]string{}
	for key, value := range annotations {
		prefix, _, _ := strings.Cut(key, "/")
		text, ok := value.(string)
		if ok && (prefix == domain || strings.HasSuffix(prefix, "."+domain)) && key != domain+"/applied" {
			kept[key] = text
		}
	}
	return kept
}

// Excluded are the namespaces that the chart leaves out, whatever their labels say. The
// chart also leaves out the webhook's own namespace, whose name is not known here.
var Excluded = []string{"kube-system", "kube-public", "kube-node-lease"}

// Labels are what the labels of a Namespace say of its mode and of its Pods.
type Labels struct {
	Mode   string // of headroom.dev/mode, "" without the label
	Mutate string // of headroom.dev/mutate, "" without the label
}

// LabelsOf reads the labels of a Namespace; nil has none.
func LabelsOf(namespace map[string]any) Labels {
	labels := at(namespace, "metadata", "labels")
	mode, _ := labels[domain+"/mode"].(string)
	mutate, _ := labels[domain+"/mutate"].(string)
	return Labels{Mode: mode, Mutate: mutate}
}

// Switched says whether switching the mode is about a namespace at all: who has turned
// headroom off for a namespace did so for a reason.
func (l Labels) Switched(namespace string) bool {
	return l.Mode != "off" && !slices.Contains(Excluded, namespace)
}

// Mutates says whether Pods are fixed: as the chart does, only where a label asks for it.
func (l Labels) Mutates() bool { return l.Mutate == "enabled" }
