package beside

import "testing"

// What speaks for the nodes stands around every namespace, also around one with nothing else of its own.
func TestAround(t *testing.T) {
	gathered := Gathered{}
	gathered.Add("namespaces", map[string]any{"kind": "Namespace", "metadata": map[string]any{"name": "shop"}})
	around, err := gathered.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	if around.Of("shop") == nil || around.Of("other") != nil {
		t.Fatalf("a Namespace speaks for its own objects alone: %v", around)
	}
	gathered.Add("kubelets", map[string]any{"kind": "KubeletConfiguration"})
	if around, err = gathered.Contexts(); err != nil {
		t.Fatal(err)
	}
	for _, namespace := range []string{"shop", "other", ""} {
		if len(around.Of(namespace).Listed("kubelets")) != 1 {
			t.Errorf("%q: no KubeletConfiguration", namespace)
		}
	}
	if len(around.Of("shop").Listed("namespaces")) != 1 || len(around.Of("other").Listed("namespaces")) != 0 {
		t.Error("the Namespace is lost, or stands beside another's objects")
	}
}
