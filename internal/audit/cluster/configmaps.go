package cluster

import (
	"context"
	"errors"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// maxConfigMapBytes bounds the ConfigMaps that are kept, and MaxConfigMaps those that are read of what one workload names.
const (
	maxConfigMapBytes = 16 << 20
	MaxConfigMaps     = 64
)

// Variables reads the ConfigMaps that workloads take variables from, each once, and no other.
// It is safe for concurrent use.
type Variables struct {
	reader *Reader
	// Forbidden is told, once a namespace, that its ConfigMaps may not be read.
	Forbidden func(namespace string)

	mu      sync.Mutex
	bytes   int
	known   map[string]*reading
	refused map[string]bool // by namespace
}

// reading is a ConfigMap, and lets one get answer everyone who waits for it.
type reading struct {
	mu     sync.Mutex
	done   bool
	object *Object // nil for one that is not there
}

// NewVariables gives a reader of ConfigMaps.
func NewVariables(r *Reader, forbidden func(namespace string)) *Variables {
	return &Variables{
		reader: r, Forbidden: forbidden,
		known: map[string]*reading{}, refused: map[string]bool{},
	}
}

// Named gives those of some ConfigMaps that are there. One that may not be read is unknown to
// the policies, as one that is missing.
func (v *Variables) Named(ctx context.Context, namespace string, names []string) ([]*Object, error) {
	var found []*Object
	for _, name := range names[:min(len(names), MaxConfigMaps)] {
		o, err := v.get(ctx, namespace, name)
		if err != nil {
			return found, err
		}
		if o != nil {
			found = append(found, o)
		}
	}
	return found, nil
}

func (v *Variables) get(ctx context.Context, namespace, name string) (*Object, error) {
	key := place(namespace, name)
	one, refused := v.reading(key, namespace)
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.done || refused {
		return one.object, nil
	}
	o, err := v.reader.Get(ctx, ConfigMaps, namespace, name)
	switch {
	case apierrors.IsForbidden(err):
		v.refuse(namespace)
		o = nil
	case apierrors.IsNotFound(err), errors.Is(err, errName):
		o = nil // a workload may name what is not there, or what cannot be a name
	case err != nil:
		return nil, err
	}
	one.object, one.done = o, true
	v.keep(key, one)
	return o, nil
}

func (v *Variables) reading(key, namespace string) (one *reading, refused bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	one = v.known[key]
	if one == nil {
		one = &reading{}
		v.known[key] = one
	}
	return one, v.refused[namespace]
}

func (v *Variables) refuse(namespace string) {
	v.mu.Lock()
	first := !v.refused[namespace]
	v.refused[namespace] = true
	v.mu.Unlock()
	if first && v.Forbidden != nil {
		v.Forbidden(namespace)
	}
}

// keep counts a ConfigMap, and forgets the others where they are too large together.
func (v *Variables) keep(key string, one *reading) {
	size := len(key) + 128
	if o := one.object; o != nil {
		o.Manifest["metadata"] = map[string]any{"name": o.Name}
		data, _ := o.Manifest["data"].(map[string]any)
		for name, value := range data {
			text, _ := value.(string)
			size += len(name) + len(text)
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.bytes+size > maxConfigMapBytes {
		clear(v.known)
		v.bytes = 0
	}
	v.known[key] = one
	v.bytes += size
}
