package watch

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

func autoscaler(k cluster.Kind, change func(map[string]any)) unstructured.Unstructured {
	reference := "targetRef"
	if k == cluster.HorizontalPodAutoscalers {
		reference = "scaleTargetRef"
	}
	m := map[string]any{
		"apiVersion": k.APIVersion(), "kind": k.Kind,
		"metadata": map[string]any{"name": "scales", "namespace": "shop", "resourceVersion": "7"},
		"spec":     map[string]any{reference: map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "cart"}},
		"status":   map[string]any{"conditions": []any{}},
	}
	if change != nil {
		change(m)
	}
	return unstructured.Unstructured{Object: m}
}

func kept(t *testing.T, k cluster.Kind, change func(map[string]any)) *object {
	t.Helper()
	u := autoscaler(k, change)
	o, err := sign(k)(&u)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func named(name, target string) func(map[string]any) {
	return func(m map[string]any) {
		m["metadata"].(map[string]any)["name"] = name
		spec := m["spec"].(map[string]any)
		for _, reference := range []string{"scaleTargetRef", "targetRef"} {
			if to, ok := spec[reference].(map[string]any); ok {
				to["name"] = target
			}
		}
	}
}

// TestAutoscalerKept: of an autoscaler the policies' part is kept, and what its controller writes is no change.
func TestAutoscalerKept(t *testing.T) {
	const policies = "containerPolicies"
	set := func(value any, path ...string) func(map[string]any) {
		return func(m map[string]any) {
			if err := unstructured.SetNestedField(m, value, path...); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		kind    cluster.Kind
		change  func(map[string]any)
		differs bool
	}{
		"a recommendation":    {cluster.VerticalPodAutoscalers, set("1Gi", "status", "recommendation"), false},
		"current metrics":     {cluster.HorizontalPodAutoscalers, set("80", "status", "currentMetrics"), false},
		"a write":             {cluster.HorizontalPodAutoscalers, set("8", "metadata", "resourceVersion"), false},
		"managed fields":      {cluster.HorizontalPodAutoscalers, set("a", "metadata", "managedFields"), false},
		"minReplicas":         {cluster.HorizontalPodAutoscalers, set(int64(2), "spec", "minReplicas"), false},
		"another target":      {cluster.HorizontalPodAutoscalers, named("scales", "other"), true},
		"a metric":            {cluster.HorizontalPodAutoscalers, set([]any{}, "spec", "metrics"), true},
		"an update mode":      {cluster.VerticalPodAutoscalers, set("Off", "spec", "updatePolicy", "updateMode"), true},
		"a policy":            {cluster.VerticalPodAutoscalers, set([]any{}, "spec", "resourcePolicy", policies), true},
		"a boost":             {cluster.VerticalPodAutoscalers, set("Factor", "spec", "startupBoost", "cpu", "type"), true},
		"whom a boost is for": {cluster.StartupCPUBoosts, set("a", "selector", "matchLabels", "app"), true},
	} {
		if got := kept(t, c.kind, c.change).digest != kept(t, c.kind, nil).digest; got != c.differs {
			t.Errorf("%s: a change is %v", name, got)
		}
	}
	o := kept(t, cluster.VerticalPodAutoscalers, nil)
	read, err := unpacked(o)
	if err != nil || read.Manifest["status"] != nil || read.Manifest["spec"] == nil || o.target != "cart" {
		t.Errorf("%v of %q: %v", read, o.target, err)
	}
	for name, change := range map[string]func(map[string]any){
		"no spec":     func(m map[string]any) { delete(m, "spec") },
		"no target":   func(m map[string]any) { m["spec"] = map[string]any{} },
		"a list":      func(m map[string]any) { m["spec"] = []any{"targetRef"} },
		"a text":      func(m map[string]any) { m["spec"] = map[string]any{"targetRef": "cart"} },
		"a number":    func(m map[string]any) { m["spec"] = map[string]any{"targetRef": map[string]any{"name": int64(1)}} },
		"no metadata": func(m map[string]any) { delete(m, "metadata"); delete(m, "spec") },
	} {
		if o := kept(t, cluster.VerticalPodAutoscalers, change); o.target != "" {
			t.Errorf("%s: it is for %q", name, o.target)
		}
	}
}
