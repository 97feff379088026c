// Package cluster reads a live cluster: workloads page by page, what stands around them, and
// to which workload a Pod goes back. It only lists and gets, and never reads a Secret.
package cluster

import (
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
	workload("apps", "deployments", "Deployment", false),
	workload("apps", "statefulsets", "StatefulSet", false),
	workload("apps", "daemonsets", "DaemonSet", false),
	workload("batch", "cronjobs", "CronJob", false),
	workload("", "replicationcontrollers", "ReplicationController", true),
	workload("apps", "replicasets", "ReplicaSet", true),
	workload("batch", "jobs", "Job", true),
	workload("", "pods", "Pod", true),
}

// What stands around workloads.
var (
	Namespaces     = workload("", "namespaces", "Namespace", false)
	LimitRanges    = workload("", "limitranges", "LimitRange", false)
	ResourceQuotas = workload("", "resourcequotas", "ResourceQuota", false)
	ConfigMaps     = workload("", "configmaps", "ConfigMap", false)
)

func workload(group, resource, kind string, made bool) Kind {
	return Kind{
		GroupVersionResource: schema.GroupVersionResource{Group: group, Version: "v1", Resource: resource},
		Kind:                 kind,
		Made:                 made,
	}
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
