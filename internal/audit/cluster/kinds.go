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
	// Made is true if a controller makes most objects of the kind: then metadata are read first, and
	// whole objects only if no owner is judged in their place.
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
	Nodes          = kind("", "nodes", "Node", false)
)

// What changes workloads while they run. Of these, HorizontalPodAutoscalers alone are in every cluster.
var (
	HorizontalPodAutoscalers = kind("autoscaling", "horizontalpodautoscalers", "HorizontalPodAutoscaler", false).in("v2")
	VerticalPodAutoscalers   = kind("autoscaling.k8s.io", "verticalpodautoscalers", "VerticalPodAutoscaler", false)
	StartupCPUBoosts         = kind("autoscaling.x-k8s.io", "startupcpuboosts", "StartupCPUBoost", false).in("v1alpha1")
)

// Signs are objects that show what a workload is, or change it while it runs, by the list of a Context that they
// belong to. Findings rest on those that Scale.
var Signs = []struct {
	List  string
	Kind  Kind
	Scale bool
}{
	{"services", kind("", "services", "Service", false), false},
	{"routes", kind("networking.k8s.io", "ingresses", "Ingress", false), false},
	{"autoscalers", HorizontalPodAutoscalers, true},
	{"autoscalers", VerticalPodAutoscalers, true},
	{"boosts", StartupCPUBoosts, true},
}

// read is what the policies read of the spec of such an object.
var read = []string{
	"selector", "clusterIP", "ports", "rules", "defaultBackend", "scaleTargetRef", "maxReplicas", "metrics", "targetRef",
	"updatePolicy", "resourcePolicy", "startupBoost",
}

// Sign is that part of such an object.
func Sign(o *Object) map[string]any {
	spec, _ := o.Manifest["spec"].(map[string]any)
	kept := map[string]any{}
	for _, key := range read {
		if value, ok := spec[key]; ok {
			kept[key] = value
		}
	}
	sign := map[string]any{"kind": o.Kind.Kind, "metadata": map[string]any{"name": o.Name}, "spec": kept}
	if selector, ok := o.Manifest["selector"]; ok {
		sign["selector"] = selector
	}
	return sign
}

func kind(group, resource, name string, made bool) Kind {
	return Kind{
		GroupVersionResource: schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource},
		Kind:                 name,
		Made:                 made,
	}
}

// in is the kind in another version than v1.
func (k Kind) in(version string) Kind {
	k.Version = version
	return k
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
