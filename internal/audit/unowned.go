package audit

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

// maxUnowned bounds what is kept of Pods, in bytes.
const maxUnowned = 16 << 20

// unowned are the Pods that no workload speaks for, as they were when all Pods were read.
type unowned struct {
	pods             []*cluster.Object
	seen, bare, kept int
	// again: they have to be listed again.
	again bool
}

// add takes in a Pod.
func (u *unowned) add(pod *cluster.Object) {
	u.seen++
	c := pod.Controller
	o := &cluster.Object{
		Kind: pod.Kind, Namespace: pod.Namespace, Name: pod.Name, Created: pod.Created, Controller: c,
		Replicas: pod.Replicas, Finished: pod.Finished,
	}
	if u.again || c != nil && cluster.Managed(metaOf(o), func(string) bool { return true }) {
		return
	}
	const slim = 512 // bytes without labels and annotations
	u.kept += slim
	switch {
	case c == nil && !pod.Finished:
		u.bare++
	case c != nil && c.Kind == "Node":
		// A mirror Pod is skipped by its metadata.
		m := metaOf(o)
		m.Labels, m.Annotations = pod.Labels, pod.Annotations
		o = cluster.FromMetadata(cluster.Pods, &metav1.PartialObjectMetadata{ObjectMeta: *m})
		for _, entries := range []map[string]string{pod.Labels, pod.Annotations} {
			for key, value := range entries {
				u.kept += 2 * (len(key) + len(value))
			}
		}
	}
	u.pods = append(u.pods, o)
	if u.kept > maxUnowned {
		u.pods, u.again = nil, true
	}
}

func metaOf(o *cluster.Object) *metav1.ObjectMeta {
	m := &metav1.ObjectMeta{
		Namespace: o.Namespace, Name: o.Name, UID: o.UID, CreationTimestamp: metav1.Time{Time: o.Created},
	}
	if o.Controller != nil {
		m.OwnerReferences = []metav1.OwnerReference{*o.Controller}
	}
	return m
}

// spoken says whether the Pods that were read are enough. They are if they were read to the end, if every kind that
// makes Pods was listed, and if few of them have to be read one by one.
func (a *auditor) spoken() bool {
	if a.unowned.again || a.options.Selector != "" || a.unowned.bare*cluster.FewOf > a.unowned.seen {
		return false
	}
	namespaces := a.options.Namespaces
	if a.options.All {
		namespaces = []string{""}
	}
	for _, namespace := range namespaces {
		for _, k := range cluster.Kinds {
			if k != cluster.Pods && !a.lists(k.Kind, namespace) {
				return false
			}
		}
	}
	return true
}

// judgeUnowned hands out the Pods that no workload speaks for.
func (a *auditor) judgeUnowned(ctx context.Context) error {
	for _, o := range a.unowned.pods {
		t := a.targetOf(o)
		t.early = true
		switch c := o.Controller; {
		case c != nil && c.Kind == "Node":
			t.slight = true
		case o.Finished: // and is counted
		case c == nil:
			t.object = nil
		default:
			t.group = a.group(o.Kind, o.Namespace, c)
			a.looking.Add(1)
		}
		if err := a.push(ctx, t); err != nil {
			if t.group != nil {
				a.looking.Done()
			}
			return err
		}
	}
	return nil
}
