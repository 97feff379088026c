package watch

import (
	"context"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/metadata"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

// scaling are the kinds that change workloads while they run. A cluster may lack them.
var scaling = []cluster.Kind{
	cluster.HorizontalPodAutoscalers, cluster.VerticalPodAutoscalers, cluster.StartupCPUBoosts,
}

// inform prepares an informer of each kind that is judged, or that verdicts depend on.
func (t *term) inform(slim metadata.Interface) {
	excluded := map[string]bool{}
	for _, name := range t.options.Exclude {
		excluded[name] = true
	}
	for _, k := range cluster.Kinds {
		t.kinds[k.Kind] = k
	}
	beside := []cluster.Kind{cluster.Namespaces, cluster.LimitRanges, cluster.ResourceQuotas}
	for _, k := range slices.Concat(beside, scaling, cluster.Kinds) {
		leave := func(object metav1.Object) bool { return excluded[object.GetNamespace()] }
		switch {
		case k == cluster.Namespaces:
			leave = func(object metav1.Object) bool { return excluded[object.GetName()] }
		case t.judges(k.Kind):
			leave = func(object metav1.Object) bool {
				return excluded[object.GetNamespace()] || cluster.Managed(object, t.judges) || mirrors(object)
			}
		}
		s := newSource(k, t.client, slim, leave)
		if slices.Contains(scaling, k) {
			t.mayLack(s)
		}
		t.informers[k.Kind] = s.informer()
	}
	t.kinds[cluster.Namespaces.Kind] = cluster.Namespaces
}

// mayLack makes a source one of a kind that scales workloads.
func (t *term) mayLack(s *source) {
	o := &optional{
		list: s.list, watch: s.watch, every: again,
		served: func(ctx context.Context) bool { return t.reader.Served(ctx, s.kind) },
		tell: func(forbidden bool) {
			log := t.options.Log.WithValues("resource", s.kind.GroupResource().String())
			if !forbidden {
				log.Info("allowed now: what autoscalers and startup boosts of the kind do to workloads is judged")
				return
			}
			log.Info("forbidden, so that what autoscalers and startup boosts of the kind do to workloads is unknown (HR607, "+
				"HR608), and the rest is judged; a ClusterRole with this rule would allow it", "rule",
				fmt.Sprintf("{apiGroups: [%q], resources: [%s], verbs: [list, watch]}", s.kind.Group, s.kind.Resource))
		},
	}
	s.small, s.list, s.watch = sign(s.kind), o.List, o.Watch
}

// mirrors says that a Pod mirrors a manifest of its node, which decides and not the API
// server: the policies skip it.
func mirrors(object metav1.Object) bool {
	controller := metav1.GetControllerOfNoCopy(object)
	return controller != nil && controller.Kind == "Node"
}

// judges says whether objects of a kind are judged.
func (t *term) judges(kind string) bool {
	_, ok := t.kinds[kind]
	return ok
}

// unfilled is how long caches may stay empty before the log says which. The audit does not wait longer for caches of
// autoscalers: a kind whose objects the API server cannot read must not stop it.
const unfilled = 30 * time.Second

// waitForCaches says whether the caches are filled; else the context has ended.
func (t *term) waitForCaches(ctx context.Context) bool {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); ; {
		needed, others := t.missing()
		if len(needed)+len(others) == 0 {
			return true
		}
		if time.Since(began) > unfilled {
			if len(needed) == 0 {
				t.options.Log.Info("what these kinds do to workloads is unknown (HR607, HR608) until they can be listed, and the "+
					"rest is judged", "kinds", others)
				return true
			}
			t.options.Log.Info("nothing is judged: some kinds could not be listed yet", "kinds", needed)
			began = time.Now()
		}
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
}

// missing are the kinds that have not been listed yet: those that are needed, and what scales workloads.
func (t *term) missing() (needed, others []string) {
	for kind, informer := range t.informers {
		switch {
		case informer.HasSynced():
		case slices.ContainsFunc(scaling, func(k cluster.Kind) bool { return k.Kind == kind }):
			others = append(others, kind)
		default:
			needed = append(needed, kind)
		}
	}
	return needed, others
}
