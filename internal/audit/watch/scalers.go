package watch

import (
	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/watch/pack"
	"github.com/headroom-dev/headroom/policies/engine"
)

// byTarget finds autoscalers by the name of what they are for. Whether they mean an object of that name, the policies
// say.
const byTarget = "target"

func targets(stored any) ([]string, error) {
	o := stored.(*object)
	if o.target == "" {
		return nil, nil
	}
	return []string{o.Namespace + "/" + o.target}, nil
}

// scalersOf are the autoscalers for what has the name of a member, and their digest.
func (t *term) scalersOf(m member) (found []*object, digest pack.Digest, err error) {
	var digests []byte
	for _, k := range []cluster.Kind{cluster.HorizontalPodAutoscalers, cluster.VerticalPodAutoscalers} {
		scalers, err := inOrder(t.informers[k.Kind], byTarget, m.Namespace+"/"+m.Name)
		if err != nil {
			return nil, pack.Digest{}, err
		}
		for _, o := range scalers {
			found = append(found, o)
			digests = append(digests, o.digest[:]...)
		}
	}
	if len(found) == 0 {
		return nil, pack.Digest{}, nil
	}
	return found, pack.Sum(digests), nil
}

// under is what stands around a workload that has autoscalers.
func under(around *engine.Context, scalers []*object) (*engine.Context, error) {
	if len(scalers) == 0 {
		return around, nil
	}
	var read []*cluster.Object
	for _, scaler := range scalers {
		o, err := unpacked(scaler)
		if err != nil {
			return nil, err
		}
		read = append(read, o)
	}
	return around.WithAutoscalers(cluster.Manifests(read))
}

// scaled puts into the queue what an autoscaler is for.
func (t *term) scaled(o *object) {
	if !t.synced.Load() || o.target == "" {
		return
	}
	for kind, k := range t.kinds {
		stored, there, err := t.informers[kind].GetStore().GetByKey(o.Namespace + "/" + o.target)
		if err == nil && there {
			t.queue.Add(subjectOf(k, stored.(*object)))
		}
	}
}
