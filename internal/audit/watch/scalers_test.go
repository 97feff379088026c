package watch

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/watch/queue"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

// filledTerm is a term whose caches are filled by hand.
func filledTerm(t *testing.T) *term {
	t.Helper()
	kinds := map[string]cluster.Kind{}
	informers := map[string]toolscache.SharedIndexInformer{}
	for _, k := range slices.Concat(scaling, []cluster.Kind{
		kind("Deployment"), kind("ReplicaSet"), cluster.Namespaces, cluster.LimitRanges, cluster.ResourceQuotas,
	}) {
		informers[k.Kind] = (&source{kind: k}).informer()
	}
	for _, k := range []cluster.Kind{kind("Deployment"), kind("ReplicaSet"), cluster.Namespaces} {
		kinds[k.Kind] = k
	}
	a := &term{
		kinds: kinds, informers: informers, queue: queue.New[cluster.Key](func(time.Duration) {}),
		around: &surroundings{
			namespaces: informers["Namespace"], ranges: informers["LimitRange"], quotas: informers["ResourceQuota"],
			boosts: informers["StartupCPUBoost"], known: map[string]around{},
		},
	}
	a.synced.Store(true)
	return a
}

func (t *term) keep(test *testing.T, k cluster.Kind, o *object) {
	test.Helper()
	if err := t.informers[k.Kind].GetIndexer().Add(o); err != nil {
		test.Fatal(err)
	}
}

// queued empties the queue.
func (t *term) queued(test *testing.T) []cluster.Key {
	test.Helper()
	ctx, stop := context.WithCancel(test.Context())
	taken := t.queue
	t.queue = queue.New[cluster.Key](func(time.Duration) {})
	found := map[cluster.Key]bool{}
	last := cluster.Key{Name: "last"}
	taken.Add(last)
	taken.Work(ctx, 1, func(_ context.Context, key cluster.Key) error {
		if key == last {
			stop()
			return nil
		}
		found[key] = true
		return nil
	})
	return slices.SortedFunc(maps.Keys(found), func(a, b cluster.Key) int {
		return slices.Compare([]string{a.Kind, a.Name}, []string{b.Kind, b.Name})
	})
}

// TestAutoscalerChanges: what an autoscaler is for is looked at again, and nothing else.
func TestAutoscalerChanges(t *testing.T) {
	a := filledTerm(t)
	deployment, set := kind("Deployment"), kind("ReplicaSet")
	for _, name := range []string{"cart", "other"} {
		a.keep(t, deployment, &object{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}})
		a.keep(t, deployment, &object{ObjectMeta: metav1.ObjectMeta{Namespace: "elsewhere", Name: name}})
	}
	made := &object{ObjectMeta: metav1.ObjectMeta{
		Namespace: "shop", Name: "other",
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "a/v1", Kind: "Rollout", Name: "roll"}},
	}}
	a.keep(t, set, made)
	cart := cluster.Key{Kind: "Deployment", Namespace: "shop", Name: "cart"}
	other := cluster.Key{Kind: "Deployment", Namespace: "shop", Name: "other"}
	roll := subjectOf(set, made)
	for _, k := range []cluster.Kind{cluster.HorizontalPodAutoscalers, cluster.VerticalPodAutoscalers} {
		tell := a.following(k.Kind)
		first, moved := kept(t, k, nil), kept(t, k, named("scales", "other"))
		for name, c := range map[string]struct {
			happens func()
			want    []cluster.Key
		}{
			"created":      {func() { tell.OnAdd(first, false) }, []cluster.Key{cart}},
			"written":      {func() { tell.OnUpdate(first, kept(t, k, nil)) }, nil},
			"moved":        {func() { tell.OnUpdate(first, moved) }, []cluster.Key{cart, other, roll}},
			"deleted":      {func() { tell.OnDelete(moved) }, []cluster.Key{other, roll}},
			"deleted late": {func() { tell.OnDelete(toolscache.DeletedFinalStateUnknown{Obj: first}) }, []cluster.Key{cart}},
			"for nothing":  {func() { tell.OnAdd(kept(t, k, named("scales", "nothing")), false) }, nil},
		} {
			c.happens()
			if got := a.queued(t); !slices.Equal(got, c.want) {
				t.Errorf("%s %s: %v, want %v", k.Kind, name, got, c.want)
			}
		}
	}
	// A boost selects by labels: everything in its namespace.
	a.around.known["shop"] = around{}
	a.following(cluster.StartupCPUBoosts.Kind).OnAdd(kept(t, cluster.StartupCPUBoosts, nil), false)
	shop := cluster.Key{Kind: "Namespace", Name: "shop"}
	if got := a.queued(t); !slices.Equal(got, []cluster.Key{cart, other, shop, roll}) {
		t.Errorf("of a boost: %v", got)
	}
	if len(a.around.known) != 0 {
		t.Error("what stood in the namespace before a boost is remembered")
	}
}

// TestDeletedAutoscaler: a deletion tells what the autoscaler was for, although nothing more is known of what is gone.
func TestDeletedAutoscaler(t *testing.T) {
	s := &source{kind: cluster.VerticalPodAutoscalers}
	s.give(kept(t, cluster.VerticalPodAutoscalers, nil))
	gone := &object{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "scales"}}
	if !s.takeBack(gone) || gone.target != "cart" {
		t.Errorf("it was for %q", gone.target)
	}
	if s.takeBack(gone) {
		t.Error("it is taken back twice")
	}
}

// TestUnderAutoscalers: the policies see the autoscalers of an object, and a boost of its namespace; a verdict rests on
// both, and on no other's.
func TestUnderAutoscalers(t *testing.T) {
	a := filledTerm(t)
	m := member{&object{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "cart"}}, kind("Deployment")}
	digest := func() any {
		t.Helper()
		_, digest, err := a.scalersOf(m)
		if err != nil {
			t.Fatal(err)
		}
		around, err := a.around.inNamespace("shop")
		if err != nil {
			t.Fatal(err)
		}
		a.around.forget("shop")
		return [2]any{digest, around.digest}
	}
	none := digest()
	a.keep(t, cluster.VerticalPodAutoscalers, kept(t, cluster.VerticalPodAutoscalers, named("a", "other")))
	if digest() != none {
		t.Error("another's autoscaler counts")
	}
	seen := []any{none}
	for _, k := range scaling {
		a.keep(t, k, kept(t, k, nil))
		now := digest()
		if slices.Contains(seen, now) {
			t.Errorf("a %s changes nothing", k.Kind)
		}
		seen = append(seen, now)
	}
	scalers, _, err := a.scalersOf(m)
	if err != nil || len(scalers) != 2 {
		t.Fatal(scalers, err)
	}
	around, err := a.around.inNamespace("shop")
	if err != nil {
		t.Fatal(err)
	}
	context, err := under(around.context, scalers)
	if err != nil {
		t.Fatal(err)
	}
	e := defaults.Engine(t)
	var manifest map[string]any
	if err := json.Unmarshal([]byte(`{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "cart", "namespace": "shop"},
		"spec": {"template": {
			"metadata": {"annotations": {"headroom.dev/workload-class": "batch"}},
			"spec": {"containers": [{"name": "app", "image": "a", "resources": {
				"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": "2", "memory": "1Gi"}
			}}]}
		}}
	}`), &manifest); err != nil {
		t.Fatal(err)
	}
	for want, around := range map[int]*engine.Context{0: around.context, 1: context} {
		result, err := e.Evaluate(t.Context(), engine.Review{Manifest: manifest, Around: around})
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, f := range result.Findings {
			if f.Rule == "HR608" {
				got++
			}
		}
		if got != want {
			t.Errorf("%d findings of autoscalers, want %d: %+v", got, want, result.Findings)
		}
	}
}
