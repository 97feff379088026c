package watch

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	toolscache "k8s.io/client-go/tools/cache"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/watch/pack"
	"github.com/headroom-dev/headroom/policies/engine"
)

// surroundings know what stands around the workloads of each namespace. They are worked out
// once per change in it.
type surroundings struct {
	namespaces, ranges, quotas, boosts toolscache.SharedIndexInformer

	mu      sync.Mutex
	known   map[string]around
	changes uint64 // grows with every event, so that an old view is not remembered
}

// around is what stands in one namespace.
type around struct {
	context *engine.Context
	digest  pack.Digest
}

// inNamespace gives what stands in a namespace.
func (s *surroundings) inNamespace(namespace string) (around, error) {
	s.mu.Lock()
	found, ok := s.known[namespace]
	before := s.changes
	s.mu.Unlock()
	if ok {
		return found, nil
	}
	found, err := s.survey(namespace)
	if err != nil {
		return around{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.changes == before {
		s.known[namespace] = found
	}
	return found, nil
}

func (s *surroundings) forget(namespace string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes++
	delete(s.known, namespace)
}

func (s *surroundings) survey(name string) (around, error) {
	var namespace *cluster.Object
	var digests []byte
	stored, there, err := s.namespaces.GetStore().GetByKey(name)
	if err != nil {
		return around{}, err
	}
	if there {
		if namespace, err = unpacked(stored.(*object)); err != nil {
			return around{}, err
		}
		digest := stored.(*object).digest
		digests = append(digests, digest[:]...)
	}
	lists := make([][]*cluster.Object, 3)
	for i, informer := range []toolscache.SharedIndexInformer{s.ranges, s.quotas, s.boosts} {
		found, err := inOrder(informer, toolscache.NamespaceIndex, name)
		if err != nil {
			return around{}, err
		}
		for _, o := range found {
			read, err := unpacked(o)
			if err != nil {
				return around{}, err
			}
			lists[i] = append(lists[i], read)
			digests = append(digests, o.digest[:]...)
		}
	}
	context, err := cluster.Around(name, namespace, lists[0], lists[1],
		map[string][]map[string]any{"boosts": cluster.Manifests(lists[2])})
	if err != nil {
		return around{}, fmt.Errorf("read what stands in namespace %s: %w", name, err)
	}
	return around{context, pack.Sum(digests)}, nil
}

// inOrder are the objects of an index, by name.
func inOrder(informer toolscache.SharedIndexInformer, index, value string) ([]*object, error) {
	stored, err := informer.GetIndexer().ByIndex(index, value)
	if err != nil {
		return nil, err
	}
	found := make([]*object, 0, len(stored))
	for _, o := range stored {
		found = append(found, o.(*object))
	}
	slices.SortFunc(found, func(a, b *object) int { return strings.Compare(a.Name, b.Name) })
	return found, nil
}

func unpacked(o *object) (*cluster.Object, error) {
	read := &cluster.Object{}
	if err := o.packed.Decode(&read.Manifest); err != nil {
		return nil, fmt.Errorf("read %s: %w", o.Name, err)
	}
	return read, nil
}
