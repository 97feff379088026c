package preview

import "slices"

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
