package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Object is what an audit keeps of an object: no managed fields, no status.
type Object struct {
	Kind            Kind
	Namespace, Name string
	UID             types.UID
	Created         time.Time
	Controller      *metav1.OwnerReference
	Labels          map[string]string
	Annotations     map[string]string
	// Manifest is the object as the policies read it.
	Manifest map[string]any
	// Replicas run, or are asked for.
	Replicas int
	// Finished: a Job or a Pod that will not run again.
	Finished bool
	// Statuses are those of a Pod's containers.
	Statuses []ContainerStatus
	// Allocatable is what a Node has for Pods.
	Allocatable map[string]any
}

// lastApplied is a copy of the manifest that kubectl keeps in an annotation.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// wire is what is read of an object. Managed fields are left out by not being here: they are
// up to half of it.
type wire struct {
	Metadata struct {
		Name              string                  `json:"name"`
		Namespace         string                  `json:"namespace"`
		UID               types.UID               `json:"uid"`
		CreationTimestamp time.Time               `json:"creationTimestamp"`
		Labels            map[string]string       `json:"labels"`
		Annotations       map[string]string       `json:"annotations"`
		OwnerReferences   []metav1.OwnerReference `json:"ownerReferences"`
	} `json:"metadata"`
	Spec map[string]any `json:"spec"`
	Data map[string]any `json:"data"` // of a ConfigMap
	// Selector is that of a StartupCPUBoost, which has it beside its spec.
	Selector map[string]any  `json:"selector"`
	Status   json.RawMessage `json:"status"`
}

func (w *wire) object(k Kind) (*Object, error) {
	o := &Object{
		Kind: k, Namespace: w.Metadata.Namespace, Name: w.Metadata.Name, UID: w.Metadata.UID,
		Created: w.Metadata.CreationTimestamp, Labels: w.Metadata.Labels, Annotations: w.Metadata.Annotations,
	}
	for i := range w.Metadata.OwnerReferences {
		if owner := &w.Metadata.OwnerReferences[i]; owner.Controller != nil && *owner.Controller {
			o.Controller = owner
		}
	}
	delete(o.Annotations, lastApplied)
	var s status
	if k.Kind != "Namespace" && len(w.Status) > 0 {
		if err := json.Unmarshal(w.Status, &s); err != nil {
			return nil, fmt.Errorf("read the status of %s %s/%s: %w", k.Kind, o.Namespace, o.Name, err)
		}
	}
	o.Replicas, o.Finished = replicas(k.Kind, w.Spec, &s), s.finished(k.Kind)
	o.Allocatable = s.Allocatable
	o.Statuses = slices.Concat(s.InitContainers, s.Containers)
	o.Manifest = o.manifest()
	if w.Spec != nil {
		o.Manifest["spec"] = w.Spec
	}
	if w.Data != nil {
		o.Manifest["data"] = w.Data
	}
	if w.Selector != nil {
		o.Manifest["selector"] = w.Selector
	}
	return o, nil
}

// manifest has the type and the metadata.
func (o *Object) manifest() map[string]any {
	metadata := map[string]any{"name": o.Name}
	if o.Namespace != "" {
		metadata["namespace"] = o.Namespace
	}
	for name, entries := range map[string]map[string]string{"labels": o.Labels, "annotations": o.Annotations} {
		if len(entries) > 0 {
			metadata[name] = generic(entries)
		}
	}
	if c := o.Controller; c != nil {
		metadata["ownerReferences"] = []any{map[string]any{
			"apiVersion": c.APIVersion, "kind": c.Kind, "name": c.Name, "controller": true,
		}}
	}
	return map[string]any{"apiVersion": o.Kind.APIVersion(), "kind": o.Kind.Kind, "metadata": metadata}
}

// FromMetadata is an object of which no more is known.
func FromMetadata(k Kind, m *metav1.PartialObjectMetadata) *Object {
	o := &Object{
		Kind: k, Namespace: m.Namespace, Name: m.Name, UID: m.UID, Created: m.CreationTimestamp.Time,
		Controller: metav1.GetControllerOf(m), Labels: m.Labels, Annotations: m.Annotations,
	}
	delete(o.Annotations, lastApplied)
	o.Replicas = replicas(k.Kind, nil, &status{})
	o.Manifest = o.manifest()
	return o
}

// FromManifest is an object as a client of the API server has it. What the manifest holds is
// shared with it.
func FromManifest(k Kind, manifest map[string]any) (*Object, error) {
	text, err := json.Marshal(map[string]any{"metadata": manifest["metadata"], "status": manifest["status"]})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", k.Kind, err)
	}
	var w wire
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, fmt.Errorf("read %s: %w", k.Kind, err)
	}
	w.Spec, _ = manifest["spec"].(map[string]any)
	w.Data, _ = manifest["data"].(map[string]any)
	return w.object(k)
}

func readObject(from io.Reader, k Kind) (*Object, error) {
	var w wire
	if err := json.NewDecoder(from).Decode(&w); err != nil {
		return nil, fmt.Errorf("read %s: %w", k.Kind, cut(err))
	}
	return w.object(k)
}

// errCut is an answer that ends too early: the API server went away while it wrote.
var errCut = errors.New("the answer of the API server was cut off")

// cut tells an answer that broke off from one that makes no sense.
func cut(err error) error {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	var endless *http.MaxBytesError
	if err == nil || errors.As(err, &syntax) || errors.As(err, &mismatch) || errors.As(err, &endless) {
		return err
	}
	return fmt.Errorf("%w: %w", errCut, err)
}

func generic(entries map[string]string) map[string]any {
	m := make(map[string]any, len(entries))
	for key, value := range entries {
		m[key] = value
	}
	return m
}

// Around is what stands in a namespace, as the policies read it: signs are lists of what Sign
// keeps. The Namespace is nil where it could not be read.
func Around(
	name string, namespace *Object, limitRanges, resourceQuotas []*Object, signs map[string][]map[string]any,
) (*engine.Context, error) {
	lists := map[string][]map[string]any{
		"limit_ranges":    Manifests(limitRanges),
		"resource_quotas": Manifests(resourceQuotas),
	}
	maps.Copy(lists, signs)
	if namespace != nil {
		lists["namespaces"] = Manifests([]*Object{namespace})
	}
	return engine.NewContext(name, lists)
}

// Manifests are the objects as JSON shapes them.
func Manifests(objects []*Object) []map[string]any {
	list := make([]map[string]any, 0, len(objects))
	for _, o := range objects {
		list = append(list, o.Manifest)
	}
	return list
}
