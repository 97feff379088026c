package watch

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/headroom-dev/headroom/audit/cluster"
)

func keyOf(kind string, o metav1.Object) cluster.Key {
	return cluster.Key{Kind: kind, Namespace: o.GetNamespace(), Name: o.GetName()}
}

// following puts into the queue what an event touches, and nothing else.
func (t *term) following(kind string) toolscache.ResourceEventHandler {
	changed := func(o *object) {
		switch kind {
		case cluster.Namespaces.Kind:
			t.around.forget(o.Name)
			t.inside(o.Name)
		case cluster.LimitRanges.Kind, cluster.ResourceQuotas.Kind:
			t.around.forget(o.Namespace)
			t.inside(o.Namespace)
			return
		}
		if t.synced.Load() {
			t.queue.Add(keyOf(kind, o))
		}
	}
	return toolscache.ResourceEventHandlerFuncs{
		AddFunc: func(now any) { changed(now.(*object)) },
		UpdateFunc: func(before, now any) {
			if before.(*object).digest != now.(*object).digest {
				changed(now.(*object))
			}
		},
		DeleteFunc: func(gone any) {
			if tombstone, ok := gone.(toolscache.DeletedFinalStateUnknown); ok {
				gone = tombstone.Obj
			}
			changed(gone.(*object))
		},
	}
}

// inside puts the workloads of a namespace into the queue.
func (t *term) inside(namespace string) {
	if !t.synced.Load() {
		return
	}
	for kind := range t.kinds {
		found, err := t.informers[kind].GetIndexer().ByIndex(toolscache.NamespaceIndex, namespace)
		if err != nil {
			continue // every informer has the index
		}
		for _, stored := range found {
			t.queue.Add(keyOf(kind, stored.(*object)))
		}
	}
}
