package watch

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/reports"
)

// bySubject finds the objects that are judged as one.
const bySubject = "subject"

// shares says that an object is one of many that a controller of a kind that is not read has
// made.
func shares(k cluster.Kind, o metav1.Object) bool {
	return k.Made && k.Kind != "Job" && len(o.GetOwnerReferences()) > 0
}

// subjectOf is what an object is judged as. That is the object itself, or the controller that made
// it. The controller counts if its kind is not read and it makes many alike, such as the Pods of an
// operator's resource or the ReplicaSets of a Rollout. Jobs of one owner differ.
func subjectOf(k cluster.Kind, o metav1.Object) cluster.Key {
	if shares(k, o) {
		owners := o.GetOwnerReferences()
		return reports.SubjectKey(owners[0].APIVersion, owners[0].Kind, o.GetNamespace(), owners[0].Name)
	}
	return cluster.Key{Kind: k.Kind, Namespace: o.GetNamespace(), Name: o.GetName()}
}

func indexKey(key cluster.Key) string { return key.Kind + "/" + key.Namespace + "/" + key.Name }

func (s *source) subjects(stored any) ([]string, error) {
	return []string{indexKey(subjectOf(s.kind, stored.(*object)))}, nil
}

// following puts into the queue what an event touches, and nothing else.
func (t *term) following(kind string) toolscache.ResourceEventHandler {
	changed := func(o *object) {
		switch kind {
		case cluster.Namespaces.Kind:
			t.around.forget(o.Name)
			t.inside(o.Name)
		case cluster.LimitRanges.Kind, cluster.ResourceQuotas.Kind, cluster.StartupCPUBoosts.Kind:
			t.around.forget(o.Namespace)
			t.inside(o.Namespace)
			return
		case cluster.HorizontalPodAutoscalers.Kind, cluster.VerticalPodAutoscalers.Kind:
			t.scaled(o)
			return
		}
		if t.synced.Load() {
			t.queue.Add(subjectOf(t.kinds[kind], o))
		}
	}
	return toolscache.ResourceEventHandlerFuncs{
		AddFunc: func(now any) { changed(now.(*object)) },
		UpdateFunc: func(before, now any) {
			was, is := before.(*object), now.(*object)
			if was.digest == is.digest {
				return
			}
			if k := t.kinds[kind]; t.synced.Load() && subjectOf(k, was) != subjectOf(k, is) {
				t.queue.Add(subjectOf(k, was))
			}
			if was.target != is.target {
				t.scaled(was)
			}
			changed(is)
		},
		DeleteFunc: func(gone any) {
			if tombstone, ok := gone.(toolscache.DeletedFinalStateUnknown); ok {
				gone = tombstone.Obj
			}
			t.idle.Delete(gone.(*object).UID)
			changed(gone.(*object))
		},
	}
}

// inside puts a Namespace and the workloads in it into the queue.
func (t *term) inside(namespace string) {
	if !t.synced.Load() {
		return
	}
	t.queue.Add(cluster.Key{Kind: cluster.Namespaces.Kind, Name: namespace})
	for kind := range t.kinds {
		found, err := t.informers[kind].GetIndexer().ByIndex(toolscache.NamespaceIndex, namespace)
		if err != nil {
			continue // every informer has the index
		}
		for _, stored := range found {
			t.queue.Add(subjectOf(t.kinds[kind], stored.(*object)))
		}
	}
}
