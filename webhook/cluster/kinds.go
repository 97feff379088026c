package cluster

import (
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// kind is a kind of object that is kept in memory, and how much of it.
type kind struct {
	schema.GroupVersionKind
	// whole is set where the policies read more than metadata.
	whole bool
	// namespaceOf names the Namespace about which an object says something; nil for owners.
	namespaceOf func(metav1.Object) string
	clusterWide bool
}

var (
	kindNamespace = kind{
		GroupVersionKind: v1("", "Namespace"),
		namespaceOf:      metav1.Object.GetName,
		clusterWide:      true,
	}
	kindLimitRange = kind{
		GroupVersionKind: v1("", "LimitRange"),
		namespaceOf:      metav1.Object.GetNamespace,
		whole:            true,
	}
	kindResourceQuota = kind{
		GroupVersionKind: v1("", "ResourceQuota"),
		namespaceOf:      metav1.Object.GetNamespace,
		whole:            true,
	}
)

// ownerKinds are the kinds that a Pod can go back to. Of others only the kind is known.
var ownerKinds = []kind{
	{GroupVersionKind: v1("apps", "ReplicaSet")},
	{GroupVersionKind: v1("apps", "Deployment")},
	{GroupVersionKind: v1("apps", "StatefulSet")},
	{GroupVersionKind: v1("apps", "DaemonSet")},
	{GroupVersionKind: v1("", "ReplicationController")},
	{GroupVersionKind: v1("batch", "Job")},
	{GroupVersionKind: v1("batch", "CronJob")},
}

var watched = append([]kind{kindNamespace, kindLimitRange, kindResourceQuota}, ownerKinds...)

func v1(group, name string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: "v1", Kind: name}
}

// mapper knows the few kinds that are read. Asking the API server instead would tie the
// start of the webhook to it.
func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	for _, k := range watched {
		scope := meta.RESTScopeNamespace
		if k.clusterWide {
			scope = meta.RESTScopeRoot
		}
		m.Add(k.GroupVersionKind, scope)
	}
	return m
}

// object is an empty object of the kind. Whole objects are unstructured: a typed one would
// parse each quantity, and some strings take the parser minutes.
func (k kind) object() client.Object {
	if k.whole {
		o := &unstructured.Unstructured{}
		o.SetGroupVersionKind(k.GroupVersionKind)
		return o
	}
	o := &metav1.PartialObjectMetadata{}
	o.SetGroupVersionKind(k.GroupVersionKind)
	return o
}

// keep throws away what nothing here reads, before an object goes into memory.
func (k kind) keep(object any) (any, error) {
	switch o := object.(type) {
	case *metav1.PartialObjectMetadata:
		return slim(o), nil
	case *unstructured.Unstructured:
		kept := &unstructured.Unstructured{Object: map[string]any{"spec": o.Object["spec"]}}
		kept.SetGroupVersionKind(k.GroupVersionKind)
		kept.SetName(o.GetName())
		kept.SetNamespace(o.GetNamespace())
		kept.SetResourceVersion(o.GetResourceVersion())
		return kept, nil
	default:
		return object, nil
	}
}

func slim(o *metav1.PartialObjectMetadata) *metav1.PartialObjectMetadata {
	kept := &metav1.PartialObjectMetadata{TypeMeta: o.TypeMeta}
	kept.Name, kept.Namespace, kept.UID = o.Name, o.Namespace, o.UID
	kept.ResourceVersion = o.ResourceVersion
	kept.Labels = ownEntries(o.Labels)
	kept.Annotations = ownEntries(o.Annotations)
	if controller := metav1.GetControllerOf(o); controller != nil {
		kept.OwnerReferences = []metav1.OwnerReference{*controller}
	}
	return kept
}

// domain ends the part before the slash of every label and annotation of ours.
const domain = "headroom.dev"

// maxKept bounds what is kept of one object's labels or annotations, in bytes. All of ours
// with a reason for each rule fit twice over. Without a bound, a user who may create a
// thousand Deployments could fill the webhook's memory (W14).
const maxKept = 16 << 10

// bounds are what a Namespace says of its workloads. One without room is kept as one that cannot be
// read, which allows nothing: left out, it would allow everything.
var bounds = []string{domain + "/allow-ignore", domain + "/allowed-classes", domain + "/cpu-allocation", domain + "/default-class"}

// ownEntries are the entries under headroom.dev and the domains below it, by their keys in order
// as long as there is room. What the webhook wrote itself is a record, not input.
func ownEntries(entries map[string]string) map[string]string {
	var keys []string
	for key := range entries {
		prefix, _, _ := strings.Cut(key, "/")
		if (prefix == domain || strings.HasSuffix(prefix, "."+domain)) && key != domain+"/applied" {
			keys = append(keys, key)
		}
	}
	if keys == nil {
		return nil
	}
	slices.Sort(keys)
	kept, room := make(map[string]string, len(keys)), maxKept
	for _, key := range keys {
		if size := len(key) + len(entries[key]); size <= room {
			kept[key] = entries[key]
			room -= size
		} else if slices.Contains(bounds, key) {
			kept[key] = ""
		}
	}
	return kept
}

// same says that an event changed nothing that is read: a quota's status moves with every
// Pod, its spec does not.
func (k kind) same(before, after any) bool {
	switch b := before.(type) {
	case *metav1.PartialObjectMetadata:
		a, ok := after.(*metav1.PartialObjectMetadata)
		return ok && reflect.DeepEqual(b.Labels, a.Labels) && reflect.DeepEqual(b.Annotations, a.Annotations)
	case *unstructured.Unstructured:
		a, ok := after.(*unstructured.Unstructured)
		return ok && reflect.DeepEqual(b.Object["spec"], a.Object["spec"])
	default:
		return false
	}
}
