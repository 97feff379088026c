package engine

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// everyObject are the objects of every suite.
func everyObject(t *testing.T) []any {
	t.Helper()
	var all []any
	for _, dir := range []string{
		"policies/rego/headroom/rules", "policies/engine/testdata", "tests/manifests", "samples",
		"tests/system/conformance/corpus",
	} {
		all = append(all, manifests(t, os.DirFS(repo.Path(dir)))...)
	}
	return all
}

// generator makes inputs of the objects at random.
type generator struct {
	*rand.Rand
	all []any
}

func (g generator) one() any { return DeepCopy(g.all[g.IntN(len(g.all))]) }

// input is an object, or several, in one of the forms in which they come, and broken in up to three places.
func (g generator) input() (any, []string) {
	object := g.one()
	if g.IntN(3) == 0 {
		object = g.rewrapped(object)
	}
	var broken []string
	for range g.IntN(4) {
		broken = append(broken, g.breakOne(&object))
	}
	switch g.IntN(10) {
	case 0:
		object = map[string]any{"apiVersion": "v1", "kind": "List", "items": []any{g.one(), object, g.one()}}
	case 1:
		object = map[string]any{"kind": "AdmissionReview", "request": map[string]any{"object": object, "namespace": "shop"}}
	case 2:
		object = []any{map[string]any{"contents": object, "path": "a.yaml"}, map[string]any{"contents": g.one(), "path": "b.yaml"}}
	case 3, 4, 5:
		object = map[string]any{
			"apiVersion": "headroom.dev/v1alpha1", "kind": "Review", "object": object, "namespace": "shop",
			"prefix": []any{"items", g.IntN(3)}, "context": g.surroundings(object),
		}
		if g.IntN(3) == 0 { // what stands around it may be broken, too
			broken = append(broken, g.breakOne(&object))
		}
	}
	return object, broken
}

// rewrapped puts the Pod of an object into an object of another kind.
func (g generator) rewrapped(object any) any {
	template := templateOf(object)
	if template == nil {
		return object
	}
	kinds := [][2]string{
		{"apps/v1", "Deployment"},
		{"apps/v1", "StatefulSet"},
		{"apps/v1", "DaemonSet"},
		{"batch/v1", "Job"},
		{"serving.knative.dev/v1", "Service"},
		{"example.com/v1", "Runner"},
	}
	made := map[string]any{"metadata": map[string]any{"name": "app", "annotations": map[string]any{}}}
	switch n := g.IntN(len(kinds) + 2); {
	case n < len(kinds):
		made["apiVersion"], made["kind"] = kinds[n][0], kinds[n][1]
		made["spec"] = map[string]any{"replicas": g.IntN(4), "template": template}
	case n == len(kinds):
		made["apiVersion"], made["kind"] = "batch/v1", "CronJob"
		made["spec"] = map[string]any{"schedule": "* * * * *", "jobTemplate": map[string]any{
			"spec": map[string]any{"template": template},
		}}
	default:
		made["apiVersion"], made["kind"] = "v1", "Pod"
		maps.Copy(made, template)
	}
	return made
}

// templateOf finds the first pod template, or Pod, in an object.
func templateOf(value any) map[string]any {
	switch v := value.(type) {
	case map[string]any:
		if spec, ok := v["spec"].(map[string]any); ok {
			if _, ok := spec["containers"].([]any); ok {
				return map[string]any{"metadata": v["metadata"], "spec": spec}
			}
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if found := templateOf(v[key]); found != nil {
				return found
			}
		}
	case []any:
		for _, entry := range v {
			if found := templateOf(entry); found != nil {
				return found
			}
		}
	}
	return nil
}

// breakOne does what no list of wrong values has, now and then.
func (g generator) breakOne(object *any) string {
	nodes := collect(object)
	at := nodes[g.IntN(len(nodes))]
	switch g.IntN(8) {
	case 0: // a number as a text, or the other way round
		switch v := at.get().(type) {
		case int, float64, json.Number:
			at.set(fmt.Sprint(v))
			return at.path + " as a text"
		case string:
			number := json.Number(strings.TrimSuffix(v, "m"))
			if _, err := number.Float64(); err == nil && v != "" {
				at.set(number)
				return at.path + " as a number"
			}
		}
	case 1:
		deep := at.get()
		for range 1 + g.IntN(300) {
			if g.IntN(2) == 0 {
				deep = []any{deep}
			} else {
				deep = map[string]any{"a": deep}
			}
		}
		at.set(deep)
		return "nested " + at.path
	case 2:
		texts := []string{
			"\xff\xfe", "日本語", "a\u0301", "\U0001f600", "\u2028", "1e1000", "-0", "0.1e-7", "٣", "1Ei", "9223372036854775807",
			"18446744073709551616Ki", "0.000000001", "1.0", "NaN", "Infinity", "1n", "-1Mi", strings.Repeat("-Xmx1g ", 50),
		}
		at.set(texts[g.IntN(len(texts))])
		return at.path + " as an odd text"
	}
	return breakOne(g.Rand, object)
}

// surroundings are neighbours that rules look for, some of each, and what was measured.
func (g generator) surroundings(manifest any) any {
	object := func(kind string, spec any) map[string]any {
		return map[string]any{"kind": kind, "metadata": map[string]any{"name": "app"}, "spec": spec}
	}
	target := targetOf(manifest)
	before := DeepCopy(manifest)
	g.breakOne(&before)
	limits := map[string]any{
		"type": "Container", "default": map[string]any{"cpu": "500m", "memory": "256Mi"},
		"defaultRequest": map[string]any{"cpu": "100m"}, "max": map[string]any{"memory": "1Gi"},
		"min": map[string]any{"cpu": 1}, "maxLimitRequestRatio": map[string]any{"cpu": "2"},
	}
	for _, key := range slices.Sorted(maps.Keys(limits)) {
		if key != "type" && g.IntN(2) == 0 {
			delete(limits, key)
		}
	}
	all := map[string]any{
		"limit_ranges": []any{object("LimitRange", map[string]any{"limits": []any{limits}})},
		"resource_quotas": []any{map[string]any{
			"kind": "ResourceQuota", "spec": map[string]any{"hard": map[string]any{"limits.cpu": "2", "requests.memory": "1Gi"}},
			"status": map[string]any{"used": map[string]any{"limits.cpu": "1500m"}},
		}},
		"namespaces": []any{map[string]any{"metadata": map[string]any{"annotations": map[string]any{
			"headroom.dev/default-class": "batch", "headroom.dev/allow-ignore": "HR101,HR303", "headroom.dev/allowed-classes": "batch",
		}}}},
		"owners": []any{
			map[string]any{"kind": "ReplicaSet", "annotations": map[string]any{}},
			map[string]any{"kind": "Job", "annotations": map[string]any{"headroom.dev/workload-class": "cron"}},
		},
		"config_maps": []any{map[string]any{"metadata": map[string]any{"name": "app"}, "data": map[string]any{
			"JAVA_OPTS": "-Xmx1g -XX:+UseG1GC", "GOGC": "50",
		}}},
		"services": []any{object("Service", map[string]any{"selector": map[string]any{"app": "app"}})},
		"autoscalers": []any{
			object("HorizontalPodAutoscaler", map[string]any{"scaleTargetRef": target, "metrics": []any{map[string]any{
				"type": "Resource", "resource": map[string]any{"name": "cpu", "target": map[string]any{"type": "Utilization", "averageUtilization": 80}},
			}}}),
			object("VerticalPodAutoscaler", map[string]any{"targetRef": target, "startupBoost": map[string]any{
				"cpu": map[string]any{"type": "Factor", "factor": 3},
			}}),
		},
		"before": []any{before},
		"boosts": []any{object("StartupCPUBoost", map[string]any{"resourcePolicy": map[string]any{"containerPolicies": []any{
			map[string]any{"matchContainers": map[string]any{"type": "RegexName", "value": "."}, "percentageIncrease": map[string]any{"value": 50}},
		}}})},
		"routes": []any{object("Ingress", map[string]any{"rules": []any{}})},
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if g.IntN(2) == 0 {
			delete(all, key)
		}
	}
	if g.IntN(2) == 0 {
		review, _ := withMeasurements([]any{manifest})[0].(map[string]any)
		maps.Copy(all, review["context"].(map[string]any))
	}
	return all
}

// targetOf names an object as autoscalers do.
func targetOf(manifest any) map[string]any {
	object, _ := manifest.(map[string]any)
	return map[string]any{"kind": object["kind"], "name": ResourceOf(object).Name}
}

// diagnosed is what the health of a container is judged by.
func (g generator) diagnosed(object any) map[string]any {
	cpu := func() any {
		return map[string]any{"periods": g.IntN(700), "throttled": g.IntN(600), "throttled_ns": g.IntN(1e9)}
	}
	var input any = map[string]any{
		"pod": object, "container": "app", "jvm": g.IntN(2) == 0,
		"read": map[string]any{"cpu": cpu(), "cpu_later": cpu(), "seconds": g.IntN(90), "memory": map[string]any{"working_set": g.IntN(1 << 30)}},
	}
	if g.IntN(2) == 0 {
		g.breakOne(&input)
	}
	made, _ := input.(map[string]any)
	return made
}
