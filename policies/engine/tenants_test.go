package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/search"
)

// What a Namespace says bounds what its workloads say. These tests make objects that are over such a bound,
// as arithmetic of the test's own tells, and write whatever a workload's author can write on them.

// A bound is what a Namespace says, and what is over it.
type bound struct {
	says map[string]any
	// over says what breaks a bound: a sum over the allocation, a container without a limit (of
	// those that run, or of any), or any object at all.
	over []string
}

const (
	tooMuch    = "its CPU limits come to more than the allocation"
	noLimit    = "a container has no CPU limit"
	noInit     = "an init container has no CPU limit"
	everything = "nothing passes"
)

func annotated(pairs ...string) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m["headroom.dev/"+pairs[i]] = pairs[i+1]
	}
	return m
}

var tenantBounds = []bound{
	{annotated("default-class", "multi-tenant", "allowed-classes", "multi-tenant", "cpu-allocation", "1"), []string{tooMuch, noLimit, noInit}},
	{annotated("allowed-classes", " multi-tenant ,", "cpu-allocation", "1000m"), []string{tooMuch, noLimit, noInit}},
	{annotated("allowed-classes", "multi-tenant, batch, cron", "cpu-allocation", "1e0"), []string{tooMuch, noLimit, noInit}},
	{annotated("cpu-allocation", "1"), []string{tooMuch, noLimit, noInit}},
	{annotated("default-class", "batch", "cpu-allocation", "1"), []string{tooMuch, noLimit, noInit}},
	{annotated("allowed-classes", "multi-tenant"), []string{noLimit, noInit}},
	{annotated("allowed-classes", "batch,cron"), []string{noLimit}},
	{annotated("default-class", "latency-sensitive", "allowed-classes", "batch"), []string{noLimit}},
	{annotated("default-class", "multi-tenant", "cpu-allocation", "one"), []string{everything}},
	{annotated("cpu-allocation", "0"), []string{everything}},
	{annotated("cpu-allocation", ""), []string{everything}},
	{annotated("allowed-classes", ""), []string{everything}},
	{annotated("allowed-classes", "Multi-Tenant", "cpu-allocation", "1"), []string{everything}},
}

// allowIgnore are lists that give no bound away.
var allowIgnore = []string{"", ",", "*", "HR407", "HR301, HR202, jvm-processors", "hr104", "HR1040"}

// a is one of some.
func a[T any](random *rand.Rand, some []T) T { return some[random.IntN(len(some))] }

type shape struct{ kind, apiVersion string }

var shapes = []shape{
	{"Pod", "v1"},
	{"ReplicationController", "v1"},
	{"Deployment", "apps/v1"},
	{"ReplicaSet", "apps/v1"},
	{"StatefulSet", "apps/v1"},
	{"DaemonSet", "apps/v1"},
	{"Job", "batch/v1"},
	{"CronJob", "batch/v1"},
	{"Rollout", "argoproj.io/v1alpha1"},
	{"Service", "serving.knative.dev/v1"},
}

// one makes an object that is over a bound.
func one(random *rand.Rand, over string) (object, metadata, template map[string]any, names []string) {
	container := func(name, image string, limit any) map[string]any {
		names = append(names, name)
		resources := map[string]any{"requests": map[string]any{"cpu": "100m", "memory": "64Mi"}, "limits": map[string]any{"memory": "64Mi"}}
		if limit != nil {
			resources["limits"].(map[string]any)["cpu"] = limit
		}
		return map[string]any{"name": name, "image": image, "resources": resources}
	}
	images := []string{"example.com/app:1", "envoyproxy/envoy:v1", "fluent/fluent-bit", "eclipse-temurin:21"}
	within := []any{"100m", "0.2", "250m", "1e-1", json.Number("0.25")}
	large := []any{"32", "2", "1001m", "3.2e1", "32e0", " 4 ", json.Number("2"), "1e3", strings.Repeat("0", 40) + "32", "2Ki"}
	limit := func() any { return a(random, within) }
	list := []map[string]any{container(a(random, []string{"app", "envoy", "main"}), a(random, images), limit())}
	for range random.IntN(3) {
		list = append(list, container(fmt.Sprintf("%s-%d", a(random, []string{"istio-proxy", "side"}), len(list)), a(random, images), limit()))
	}
	init, native := container("init", a(random, images), limit()), container("native", a(random, images), limit())
	native["restartPolicy"] = "Always"
	var first []any
	if random.IntN(2) == 0 {
		first = append(first, native)
	}
	if random.IntN(2) == 0 || over == noInit {
		first = append(first, init)
	}
	set := func(c map[string]any, value any) {
		c["resources"].(map[string]any)["limits"].(map[string]any)["cpu"] = value
	}
	victim := list[random.IntN(len(list))]
	switch over {
	case tooMuch:
		if len(first) > 0 && random.IntN(3) == 0 {
			victim = first[random.IntN(len(first))].(map[string]any)
		}
		set(victim, a(random, large))
	case noLimit:
		if random.IntN(2) == 0 {
			set(victim, "0")
		} else {
			delete(victim["resources"].(map[string]any)["limits"].(map[string]any), "cpu")
		}
	case noInit:
		delete(init["resources"].(map[string]any)["limits"].(map[string]any), "cpu")
	}
	containers := make([]any, len(list))
	for i := range list {
		containers[i] = list[i]
	}
	random.Shuffle(len(containers), func(i, j int) { containers[i], containers[j] = containers[j], containers[i] })
	spec := map[string]any{"containers": containers}
	if len(first) > 0 {
		spec["initContainers"] = first
	}
	if random.IntN(8) == 0 {
		spec["nodeSelector"] = map[string]any{"kubernetes.io/hostname": "windows", "os": "windows"}
	}
	if over == tooMuch && random.IntN(6) == 0 {
		spec["resources"] = map[string]any{"limits": map[string]any{"cpu": "3", "memory": "1Gi"}}
	}
	s := a(random, shapes)
	metadata = map[string]any{"name": "web", "namespace": "blue"}
	object = map[string]any{"apiVersion": s.apiVersion, "kind": s.kind, "metadata": metadata}
	if s.kind == "Pod" {
		object["spec"] = spec
		return object, metadata, metadata, names
	}
	template = map[string]any{}
	inner := map[string]any{"template": map[string]any{"metadata": template, "spec": spec}}
	if s.kind == "CronJob" {
		inner = map[string]any{"schedule": "* * * * *", "jobTemplate": map[string]any{"metadata": map[string]any{}, "spec": inner}}
	}
	object["spec"] = inner
	return object, metadata, template, names
}

// authored is what a workload's author may write: keys that the policies know, in their place and out of it.
func authored(random *rand.Rand, rules []Rule, containers []string) map[string]any {
	values := []any{
		"multi-tenant", "batch", "cron", "sidecar", "latency-sensitive", "Multi-Tenant", "init", "unclassified", "unknown", "", " ", "*",
		"32", "1", "0", "-1", "1e3", "32000m", "lots", "999999999999999999999", "known to us", "until=9999-12-31; known", "until=2020-01-01; x",
		"true", "windows", "static", "native", "jvm", "go version=1.24", "version=17 threads=9", "enforce", "off", "app", "envoy", "HR104,HR207",
		"LimitRanger plugin set: cpu limit for container app; cpu limit for container main", "[]",
	}
	keys := append([]string{
		"kubernetes.io/limit-ranger", "kubernetes.io/os", "app", "job-name", "headroom.dev/mutate", "batch.kubernetes.io/cronjob-scheduled-timestamp",
		"HEADROOM.DEV/cpu-allocation", "headroom.dev/Cpu-Allocation", "cpu-allocation.headroom.dev/app",
	}, annotationKeys...)
	m := map[string]any{}
	for range 1 + random.IntN(6) {
		key := a(random, keys)
		switch random.IntN(4) {
		case 0:
			rule := a(random, rules)
			key = "ignore.headroom.dev/" + a(random, []string{rule.ID, rule.Slug, "HR104", "HR207", "HR102", "HR204", "tenant-cpu-limit"})
		case 1:
			key = "class.headroom.dev/" + a(random, containers)
		}
		m[key] = a(random, values)
		if strings.Contains(key, "class") && random.IntN(10) > 0 {
			m[key] = a(random, values[:5])
		}
	}
	// What fits is more telling than what is random.
	switch random.IntN(5) {
	case 0:
		for _, name := range containers {
			m["class.headroom.dev/"+name] = a(random, []any{"sidecar", "multi-tenant", "batch"})
		}
	case 1:
		for _, rule := range rules {
			m["ignore.headroom.dev/"+rule.ID] = "known to us"
		}
	case 2:
		m["headroom.dev/workload-class"] = a(random, values[:5])
	}
	return m
}

// bounding are the rules that a bound rests on: what else is wrong with an object is no defence.
var bounding = []string{"HR001", "HR102", "HR104", "HR204", "HR205", "HR206", "HR207"}

func refusing(result Result) []string {
	var list []string
	for _, f := range result.Findings {
		if f.Refuses(false) && slices.Contains(bounding, f.Rule) {
			list = append(list, f.Rule)
		}
	}
	return list
}

// TestNoAnnotationLiftsABound: no annotation and no label of a workload makes an object pass that its
// Namespace's bounds refuse.
func TestNoAnnotationLiftsABound(t *testing.T) {
	rules, err := Rules()
	if err != nil {
		t.Fatal(err)
	}
	e := newEngine(t)
	random := rand.New(rand.NewPCG(search.Seed(t, 15), 1))
	seen := map[string]int{}
	for round := range search.Rounds(15000) {
		b := a(random, tenantBounds)
		over := a(random, b.over)
		object, metadata, template, names := one(random, over)
		metadata["annotations"], template["annotations"] = authored(random, rules, names), authored(random, rules, names)
		metadata["labels"], template["labels"] = authored(random, rules, names), authored(random, rules, names)
		var owners []map[string]any
		if random.IntN(2) == 0 {
			owner := a(random, []string{"CronJob", "Job", "Deployment", "ReplicaSet", "ScaledJob", "Workflow", ""})
			metadata["ownerReferences"] = []any{map[string]any{
				"apiVersion": "batch/v1", "kind": owner, "name": a(random, []string{"a", "a-29000000"}), "controller": true,
			}}
			if random.IntN(2) == 0 {
				owners = append(owners, map[string]any{"kind": owner, "annotations": authored(random, rules, names)})
			}
		}
		says := maps.Clone(b.says)
		if random.IntN(2) == 0 {
			says["headroom.dev/allow-ignore"] = a(random, allowIgnore)
		}
		around, err := NewContext("blue", map[string][]map[string]any{
			"namespaces": {{"metadata": map[string]any{"name": "blue", "annotations": says}}}, "owners": owners,
		})
		if err != nil {
			t.Fatal(err)
		}
		result, err := e.Evaluate(context.Background(), Review{Manifest: object, Around: around})
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		refused := refusing(result)
		for _, rule := range slices.Compact(slices.Sorted(slices.Values(refused))) {
			seen[rule]++
		}
		if len(refused) == 0 {
			text, _ := json.MarshalIndent(object, "", " ")
			t.Fatalf("round %d: %s, and it passes under %v\nowners %v\n%s", round, over, says, owners, text)
		}
	}
	t.Logf("refused by %v", seen)
}

// What keeps to a bound passes it, with a class of its own and a few words beside it.
func TestWhatKeepsToABoundPasses(t *testing.T) {
	e := newEngine(t)
	for _, b := range tenantBounds[:6] {
		for _, s := range shapes {
			annotations := map[string]any{"headroom.dev/workload-class": "multi-tenant", "headroom.dev/cpu-allocation": "500m"}
			spec := map[string]any{"containers": []any{map[string]any{"name": "app", "image": "a", "resources": map[string]any{
				"requests": map[string]any{"cpu": "100m", "memory": "64Mi"}, "limits": map[string]any{"cpu": "500m", "memory": "64Mi"},
			}}}}
			object := map[string]any{"apiVersion": s.apiVersion, "kind": s.kind, "metadata": map[string]any{"annotations": annotations}}
			inner := map[string]any{"template": map[string]any{"metadata": map[string]any{"annotations": annotations}, "spec": spec}}
			switch s.kind {
			case "Pod":
				object["spec"] = spec
			case "CronJob":
				object["spec"] = map[string]any{"jobTemplate": map[string]any{"spec": inner}}
			default:
				object["spec"] = inner
			}
			around, err := NewContext("blue", map[string][]map[string]any{
				"namespaces": {{"metadata": map[string]any{"name": "blue", "annotations": b.says}}},
			})
			if err != nil {
				t.Fatal(err)
			}
			result, err := e.Evaluate(context.Background(), Review{Manifest: object, Around: around})
			if err != nil || len(refusing(result)) > 0 {
				t.Errorf("%s under %v: %v, %v", s.kind, b.says, result.Findings, err)
			}
		}
	}
}
