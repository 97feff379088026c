package watch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/watch/pack"
	"github.com/headroom-dev/headroom/policies/engine"
)

// object is what is kept in memory of an object of the cluster: its name, and packed, what
// the policies judge of it. Of kinds that controllers make by the thousand (Kind.Made) only
// the digest is kept, and the whole is read when it has to be judged.
type object struct {
	metav1.ObjectMeta
	packed pack.Packed
	// digest changes when what is judged does, and not with a status or a scale.
	digest pack.Digest
	// dated says that a date may stand in it, so that the day has a part in the verdict.
	dated bool
	// target is the name of what an autoscaler is for.
	target string
}

// GetObjectKind implements runtime.Object.
func (*object) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// DeepCopyObject implements runtime.Object. It gives o itself, because objects are never changed.
func (o *object) DeepCopyObject() runtime.Object { return o }

// objectList is a page of a list.
type objectList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []runtime.Object
}

// DeepCopyObject implements runtime.Object.
func (l *objectList) DeepCopyObject() runtime.Object { return l }

// counted are annotations in which controllers count changes.
var counted = []string{"deployment.kubernetes.io/revision", "deprecated.daemonset.template.generation"}

// judged is the part of an object that is judged, and its digest.
func judged(o *cluster.Object) ([]byte, pack.Digest, error) {
	if metadata, ok := o.Manifest["metadata"].(map[string]any); ok {
		prune(metadata, "annotations", func(key string) bool {
			return slices.Contains(counted, key) || o.Kind == cluster.Namespaces && !readByPolicies(key)
		})
		prune(metadata, "labels", func(key string) bool { return o.Kind == cluster.Namespaces && !readByPolicies(key) })
	}
	// An autoscaler changes it all day; no verdict depends on it.
	if spec, ok := o.Manifest["spec"].(map[string]any); ok {
		delete(spec, "replicas")
	}
	text, err := json.Marshal(o.Manifest)
	if err != nil {
		return nil, pack.Digest{}, fmt.Errorf("encode %s: %w", o.Kind.Kind, err)
	}
	return text, pack.Sum(fmt.Appendf(text[:len(text):len(text)], "%t %s", o.Finished, o.UID)), nil
}

// readByPolicies are keys that the policies read. Others write into a Namespace, too, and each change of
// a Namespace is one to everything in it.
func readByPolicies(key string) bool { return strings.Contains(key, "headroom.dev") }

// prune drops some keys of a map of metadata, and the map with its last key.
func prune(metadata map[string]any, field string, drop func(key string) bool) {
	entries, ok := metadata[field].(map[string]any)
	if !ok {
		return
	}
	for key := range entries {
		if drop(key) {
			delete(entries, key)
		}
	}
	if len(entries) == 0 {
		delete(metadata, field)
	}
}

// whole keeps an object of a kind that is judged from memory.
func whole(k cluster.Kind) func(any) (*object, error) {
	return func(from any) (*object, error) {
		u := from.(*unstructured.Unstructured)
		read, err := cluster.FromManifest(k, u.Object)
		if err != nil {
			return nil, err
		}
		text, digest, err := judged(read)
		if err != nil {
			return nil, err
		}
		return &object{
			ObjectMeta: naming(u), packed: pack.Bytes(text), digest: digest, dated: bytes.Contains(text, []byte(until)),
		}, nil
	}
}

// sign keeps of an object that changes workloads what the policies read: no status, which an autoscaler's controller
// writes all day.
func sign(k cluster.Kind) func(any) (*object, error) {
	return func(from any) (*object, error) {
		u := from.(*unstructured.Unstructured)
		read := cluster.Sign(&cluster.Object{Kind: k, Name: u.GetName(), Manifest: u.Object})
		packed, digest, err := pack.Encode(read)
		if err != nil {
			return nil, err
		}
		o := &object{ObjectMeta: naming(u), packed: packed, digest: digest}
		if names := engine.Scaled(read); len(names) > 0 {
			o.target = names[0]
		}
		return o, nil
	}
}

// until begins the date of an exemption, in an annotation.
const until = "until="

// stub keeps no more than what tells that something has changed, and who controls it.
func stub(from any) (*object, error) {
	m := from.(*metav1.PartialObjectMetadata)
	o := &object{
		ObjectMeta: naming(m), digest: pack.Sum([]byte(string(m.UID) + " " + m.ResourceVersion)), dated: true,
	}
	o.CreationTimestamp = m.CreationTimestamp
	if controller := metav1.GetControllerOf(m); controller != nil {
		o.OwnerReferences = []metav1.OwnerReference{*controller}
	}
	return o, nil
}

func naming(o metav1.Object) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: o.GetName(), Namespace: o.GetNamespace(), UID: o.GetUID(), ResourceVersion: o.GetResourceVersion(),
	}
}
