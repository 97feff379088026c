// Package cluster reads a live cluster: workloads page by page, what stands around them, and
// to which workload a Pod goes back. It only lists and gets, and never reads a Secret.
package cluster

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is a kind of object that is read.
type Kind struct {
	schema.GroupVersionResource
	Kind string
	// Made says that most objects of the kind are made by a controller, so that metadata are
	// read first and whole objects only where nothing else speaks for them.
	Made bool
}

// APIVersion is what manifests of the kind say, as "apps/v1".
func (k Kind) APIVersion() string { return k.GroupVersion().String() }

// Kinds are the workloads, owners before what they own.
var Kinds = []Kind{
	kind("apps", "deployments", "Deployment", false),
	kind("apps", "statefulsets", "StatefulSet", false),
	kind("apps", "daemonsets", "DaemonSet", false),
	kind("batch", "cronjobs", "CronJob", false),
	kind("", "replicationcontrollers", "ReplicationController", true),
	kind("apps", "replicasets", "ReplicaSet", true),
	kind("batch", "jobs", "Job", true),
	Pods,
}

// What stands around workloads, and what they make.
var (
	Namespaces     = kind("", "namespaces", "Namespace", false)
	LimitRanges    = kind("", "limitranges", "LimitRange", false)
	ResourceQuotas = kind("", "resourcequotas", "ResourceQuota", false)
	ConfigMaps     = kind("", "configmaps", "ConfigMap", false)
	Pods           = kind("", "pods", "Pod", true)
)

// Signs are what shows what a workload is, by the list of a Context that they belong to.
var Signs = []struct {
	List string
	Kind Kind
}{
	{"services", kind("", "services", "Service", false)},
	{"routes", kind("networking.k8s.io", "ingresses", "Ingress", false)},
	{"autoscalers", autoscalers},
}

// autoscalers are read in the version that has all of their metrics.
var autoscalers = Kind{
	GroupVersionResource: schema.GroupVersionResource{Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers"},
	Kind:                 "HorizontalPodAutoscaler",
}

// Sign is what of such an object says what a workload is.
func Sign(o *Object) map[string]any {
	spec, _ := o.Manifest["spec"].(map[string]any)
	kept := map[string]any{}
	for _, key := range []string{"selector", "ports", "rules", "defaultBackend", "scaleTargetRef", "metrics", "maxReplicas"} {
		if value, ok := spec[key]; ok {
			kept[key] = value
		}
	}
	return map[string]any{"kind": o.Kind.Kind, "metadata": map[string]any{"name": o.Name}, "spec": kept}
}

func kind(group, resource, name string, made bool) Kind {
	return Kind{
		GroupVersionResource: schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource},
		Kind:                 name,
		Made:                 made,
	}
}

// workload says whether the kind is one of Kinds.
func (k Kind) workload() bool {
	return slices.ContainsFunc(Kinds, func(other Kind) bool { return other.Kind == k.Kind })
}

// KindOf finds the kind that a reference means, in whatever version it names it: a Job of
// another group is another thing.
func KindOf(apiVersion, kind string) (Kind, bool) {
	group, _, named := strings.Cut(apiVersion, "/")
	if !named {
		group = ""
	}
	for _, k := range Kinds {
		if k.Group == group && k.Kind == kind {
			return k, true
		}
	}
	return Kind{}, false
}
