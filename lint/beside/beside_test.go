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

// Of LimitRanges without a namespace in several places each speaks for what stands in its own and names none either.
// What is found by its name speaks wherever it stands.
func TestPlaces(t *testing.T) {
	gathered := Gathered{}
	gathered.Add("limit_ranges", map[string]any{"kind": "LimitRange"}, "a")
	gathered.Add("limit_ranges", map[string]any{"metadata": map[string]any{"namespace": "shop"}}, "c")
	gathered.Add("limit_ranges", map[string]any{"kind": "LimitRange"}, "d")
	gathered.Add("boosts", map[string]any{"kind": "StartupCPUBoost"}, "b")
	around, err := gathered.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		namespace, place string
		ranges, boosts   int
	}{{"", "a", 1, 1}, {"", "b", 0, 1}, {"", "c", 0, 1}, {"shop", "a", 1, 0}, {"shop", "c", 1, 0}} {
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

// Where they stand in one place alone, it is taken for the place of the namespace of all.
func TestOnePlace(t *testing.T) {
	gathered := Gathered{}
	gathered.Add("limit_ranges", map[string]any{"kind": "LimitRange"}, "a")
	gathered.Add("limit_ranges", map[string]any{"kind": "LimitRange"}, "a")
	around, err := gathered.Contexts()
	if err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{"a", "b"} {
		if ranges := len(around.Of("", place).Listed("limit_ranges")); ranges != 2 {
			t.Errorf("%s: %d LimitRanges", place, ranges)
		}
	}
	if around.Of("shop", "a") != nil {
		t.Error("it speaks for those that name a namespace")
	}
}
