package beside

import "testing"

// What speaks for the nodes stands around every namespace, also around one with nothing else of its own.
func TestAround(t *testing.T) {
	gathered := Gathered{}
	gathered.Add("namespaces", map[string]any{"kind": "Namespace", "metadata": map[string]any{"name": "shop"}}, "")
	around, err := gathered.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	if around.Of("shop", "") == nil || around.Of("other", "") != nil {
		t.Fatalf("a Namespace speaks for its own objects alone: %v", around)
	}
	gathered.Add("kubelets", map[string]any{"kind": "KubeletConfiguration"}, "")
	if around, err = gathered.Contexts(); err != nil {
		t.Fatal(err)
	}
	for _, namespace := range []string{"shop", "other", ""} {
		if len(around.Of(namespace, "").Listed("kubelets")) != 1 {
			t.Errorf("%q: no KubeletConfiguration", namespace)
		}
	}
	if len(around.Of("shop", "").Listed("namespaces")) != 1 || len(around.Of("other", "").Listed("namespaces")) != 0 {
		t.Error("the Namespace is lost, or stands beside another's objects")
	}
}

// A LimitRange without a namespace speaks for what stands in its own folder, below it, or right above it, and names none
// either. What is found by its name speaks wherever it stands.
func TestPlaces(t *testing.T) {
	gathered := Gathered{}
	for i, place := range []string{"a", "b/one/limits", "c/one", "c/two", "c/two/deep"} {
		for range i + 1 { // so many stand there
			gathered.Add("limit_ranges", map[string]any{"kind": "LimitRange"}, place)
		}
	}
	gathered.Add("limit_ranges", map[string]any{"metadata": map[string]any{"namespace": "shop"}}, "b")
	gathered.Add("boosts", map[string]any{"kind": "StartupCPUBoost"}, "b")
	around, err := gathered.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		namespace, place string
		ranges, boosts   int
	}{
		{"", "a", 1, 1},
		{"", "a/app/deep", 1, 1},
		{"", "b/one", 2, 1},
		{"", "b/one/app", 0, 1}, // beside it
		{"", "b", 0, 1},
		{"", "c", 0, 1}, // two are in it
		{"", "c/one", 3, 1},
		{"", "c/two/deep/er", 5, 1}, // the nearest
		{"", "c/two/app", 4, 1},
		{"", ".", 1, 1},
		{"", "/c/one", 0, 1},
		{"shop", "a", 1, 0},
	} {
		context := around.Of(c.namespace, c.place)
		if ranges := len(context.Listed("limit_ranges")); ranges != c.ranges {
			t.Errorf("%+v: %d LimitRanges", c, ranges)
		}
		if boosts := len(context.Listed("boosts")); boosts != c.boosts {
			t.Errorf("%+v: %d StartupCPUBoosts", c, boosts)
		}
	}
	if around.Of("other", "a") != nil {
		t.Error("a LimitRange without a namespace speaks for those that name one")
	}
}
