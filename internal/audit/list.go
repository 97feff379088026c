package audit

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
)

// target is what a worker takes: an object to judge, or to look at for its group.
type target struct {
	namespace *namespace
	kind      cluster.Kind
	// names are the candidates, best first; object is the first of them, if it has been
	// read.
	names  []string
	object *cluster.Object
	// slight: only the metadata of the object are known. They may be enough to skip it.
	slight bool
	// early: the object was seen some time ago and may be gone by now.
	early bool
	group *group
	// owner is what is reported in the object's place, with its replicas.
	owner    *engine.Resource
	replicas int
}

// list reads a kind and hands its objects to the workers.
func (a *auditor) list(ctx context.Context, k cluster.Kind, namespace string) error {
	if !k.Made {
		return a.reader.Each(ctx, k, namespace, func(o *cluster.Object) error {
			if a.exclude[o.Namespace] {
				return nil
			}
			return a.push(ctx, a.targetOf(o))
		})
	}
	wanted := func(m *metav1.PartialObjectMetadata) bool {
		return !a.exclude[m.Namespace] && !cluster.Managed(m, a.known(m.Namespace))
	}
	return a.reader.EachSelected(ctx, k, namespace, wanted, func(s cluster.Selected) error {
		t := a.targetOf(s.Known)
		t.object = s.Object
		switch c := s.Known.Controller; {
		case c == nil || k.Kind == "Job":
			// A Job is judged as itself: those of one owner differ.
		case c.Kind == "Node":
			t.object, t.slight = s.Known, true
		default:
			t.group = a.group(k, s.Known.Namespace, c)
			a.looking.Add(1)
			if err := a.push(ctx, t); err != nil {
				a.looking.Done()
				return err
			}
			return nil
		}
		return a.push(ctx, t)
	})
}

// targetOf is an object as a target.
func (a *auditor) targetOf(o *cluster.Object) target {
	return target{namespace: a.named(o.Namespace), kind: o.Kind, names: []string{o.Name}, object: o}
}

// push waits for a worker: no more is read than can be judged.
func (a *auditor) push(ctx context.Context, t target) error {
	t.namespace.judged = true
	select {
	case a.work <- t:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// judgeNamespaces judges what Namespaces say themselves. A selector is one of workloads.
func (a *auditor) judgeNamespaces(ctx context.Context) {
	if a.options.Selector != "" {
		return
	}
	var names []string
	for name, n := range a.namespaces {
		if n.object != nil && !a.exclude[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		n := a.namespaces[name]
		if a.push(ctx, target{namespace: n, kind: cluster.Namespaces, object: n.object}) != nil {
			return
		}
	}
}

type ownerKey struct{ namespace, apiVersion, kind, name string }

// group are the objects that one controller of a kind that is not listed has made: the Pods
// of an operator's resource, the ReplicaSets of a Rollout. It is judged once, by one of them.
type group struct {
	kind  cluster.Kind
	owner ownerKey

	mu       sync.Mutex
	best     []candidate
	replicas int
}

type candidate struct {
	name    string
	created time.Time
	runs    bool
}

// maxCandidates is how many objects of a group are remembered: the first may be deleted before
// it is judged.
const maxCandidates = 3

func (a *auditor) group(k cluster.Kind, namespace string, c *metav1.OwnerReference) *group {
	key := ownerKey{namespace, c.APIVersion, c.Kind, c.Name}
	g := a.groups[key]
	if g == nil {
		g = &group{kind: k, owner: key}
		a.groups[key] = g
	}
	return g
}

// offer takes in a member. The youngest of those that run stands for the group, as ReplicaSets
// of a Rollout get younger; of Pods the first by name does, so that runs agree.
func (g *group) offer(o *cluster.Object) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.replicas += o.Replicas
	g.best = append(g.best, candidate{o.Name, o.Created, o.Replicas > 0})
	slices.SortFunc(g.best, func(a, b candidate) int {
		switch {
		case a.runs && !b.runs:
			return -1
		case b.runs && !a.runs:
			return 1
		case g.kind.Kind != "Pod" && !a.created.Equal(b.created):
			return b.created.Compare(a.created)
		}
		return strings.Compare(a.name, b.name)
	})
	g.best = g.best[:min(len(g.best), maxCandidates)]
}

// judgeGroups hands out the groups, once all their members have been seen.
func (a *auditor) judgeGroups(ctx context.Context) {
	for _, g := range a.groups {
		if len(g.best) == 0 {
			continue // all have finished, or are gone
		}
		t := target{
			namespace: a.named(g.owner.namespace), kind: g.kind, replicas: g.replicas,
			owner: &engine.Resource{
				APIVersion: g.owner.apiVersion, Kind: g.owner.kind,
				Namespace: g.owner.namespace, Name: g.owner.name,
			},
		}
		for _, c := range g.best {
			t.names = append(t.names, c.name)
		}
		if a.push(ctx, t) != nil {
			return
		}
	}
}
