package watch

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	apiwatch "k8s.io/apimachinery/pkg/watch"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

func kind(name string) cluster.Kind {
	for _, k := range cluster.Kinds {
		if k.Kind == name {
			return k
		}
	}
	return cluster.Namespaces
}

func pod(name, controller string) *metav1.PartialObjectMetadata {
	m := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, ResourceVersion: "1"}}
	if controller != "" {
		yes := true
		m.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: controller, Name: "x", Controller: &yes}}
	}
	return m
}

// TestAdoption: a Pod that is adopted is taken back, and the changes of Pods that have an
// owner are not passed on.
func TestAdoption(t *testing.T) {
	from := apiwatch.NewFake()
	s := &source{
		kind: kind("Pod"), small: stub,
		leave: func(o metav1.Object) bool { return cluster.Managed(o, func(string) bool { return true }) },
		watch: func(context.Context, metav1.ListOptions) (apiwatch.Interface, error) { return from, nil },
	}
	w, err := s.Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		from.Add(pod("managed", "ReplicaSet"))
		from.Modify(pod("managed", "ReplicaSet"))
		from.Add(pod("naked", ""))
		from.Modify(pod("naked", "ReplicaSet"))
		from.Modify(pod("naked", "ReplicaSet"))
		from.Modify(pod("naked", ""))
		from.Delete(pod("naked", ""))
		from.Delete(pod("managed", "ReplicaSet"))
		from.Action(apiwatch.Bookmark, pod("", ""))
	}()
	for _, want := range []apiwatch.EventType{
		apiwatch.Added, apiwatch.Deleted, apiwatch.Modified, apiwatch.Deleted, apiwatch.Bookmark,
	} {
		got := <-w.ResultChan()
		o, ok := got.Object.(*object)
		if !ok || got.Type != want || want != apiwatch.Bookmark && o.Name != "naked" {
			t.Fatalf("%s of %#v, want %s", got.Type, got.Object, want)
		}
	}
}

// TestFilterEnds: a watch that is stopped with an event on its hands leaves nothing behind.
func TestFilterEnds(t *testing.T) {
	from := apiwatch.NewFakeWithChanSize(2, false)
	from.Add(pod("a", ""))
	from.Add(pod("b", ""))
	f := filter(from, func(e apiwatch.Event) (apiwatch.Event, bool) { return e, true })
	f.Stop()
	f.Stop()
	for range f.ResultChan() { // until it is closed
	}
}

// TestPages: a list is read page by page, and begins anew with each.
func TestPages(t *testing.T) {
	var asked []string
	s := &source{
		kind: kind("Pod"), small: stub, leave: func(o metav1.Object) bool { return o.GetName() == "left" },
		list: func(_ context.Context, o metav1.ListOptions) (runtime.Object, error) {
			asked = append(asked, o.ResourceVersion+"/"+o.Continue)
			list := &metav1.PartialObjectMetadataList{Items: []metav1.PartialObjectMetadata{*pod("a", ""), *pod("left", "")}}
			list.ResourceVersion = "7"
			if o.Continue == "" {
				list.Continue = "more"
			} else {
				list.Items[0].Name = "b"
			}
			return list, nil
		},
	}
	got, err := s.List(t.Context(), metav1.ListOptions{ResourceVersion: "0"})
	if err != nil {
		t.Fatal(err)
	}
	list := got.(*objectList)
	if len(asked) != 2 || asked[0] != "/" || asked[1] != "/more" || len(list.Items) != 2 || list.ResourceVersion != "7" ||
		list.Continue != "" {
		t.Errorf("asked %q, got %+v", asked, list)
	}
}

func manifest(change func(map[string]any)) *unstructured.Unstructured {
	m := map[string]any{
		"metadata": map[string]any{
			"name": "cart", "namespace": "shop", "uid": "1", "resourceVersion": "5", "generation": int64(1),
			"managedFields": []any{map[string]any{"manager": "kubectl"}},
			"annotations":   map[string]any{"deployment.kubernetes.io/revision": "1", "example.com/a": "b"},
		},
		"spec":   map[string]any{"replicas": int64(1), "template": map[string]any{"spec": map[string]any{}}},
		"status": map[string]any{"replicas": int64(1)},
	}
	if change != nil {
		change(m)
	}
	return &unstructured.Unstructured{Object: m}
}

// TestWhatIsAChange: a change of a field that is not judged is ignored.
func TestWhatIsAChange(t *testing.T) {
	small := func(k cluster.Kind, change func(map[string]any)) *object {
		o, err := whole(k)(manifest(change))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	in := func(path ...string) func(map[string]any) {
		return func(m map[string]any) {
			if err := unstructured.SetNestedField(m, "changed", path...); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		kind    cluster.Kind
		change  func(map[string]any)
		differs bool
	}{
		"a scale":                 {kind("Deployment"), in("spec", "replicas"), false},
		"a rollout":               {kind("Deployment"), in("metadata", "annotations", "deployment.kubernetes.io/revision"), false},
		"a write":                 {kind("Deployment"), in("metadata", "resourceVersion"), false},
		"managed fields":          {kind("Deployment"), in("metadata", "managedFields"), false},
		"a template":              {kind("Deployment"), in("spec", "template", "spec", "nodeName"), true},
		"an annotation":           {kind("Deployment"), in("metadata", "annotations", "headroom.dev/a"), true},
		"a successor":             {kind("Deployment"), in("metadata", "uid"), true},
		"others in a Namespace":   {cluster.Namespaces, in("metadata", "annotations", "example.com/b"), false},
		"headroom in a Namespace": {cluster.Namespaces, in("metadata", "annotations", "headroom.dev/a"), true},
	} {
		if got := small(c.kind, c.change).digest != small(c.kind, nil).digest; got != c.differs {
			t.Errorf("%s: a change is %v", name, got)
		}
	}
	dated := small(kind("Deployment"), func(m map[string]any) {
		_ = unstructured.SetNestedField(m, "until=2027-01-31; why", "metadata", "annotations", "ignore.headroom.dev/HR301")
	})
	if !dated.dated || small(kind("Deployment"), nil).dated {
		t.Error("a date has a part in the wrong one")
	}
	var back map[string]any
	if err := dated.packed.Decode(&back); err != nil || back["status"] != nil || back["spec"] == nil {
		t.Errorf("%v %v", back, err)
	}
}
