//go:build system

package requests

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// F19: another mutating webhook changes the Pod after headroom, so that the API server asks
// headroom again. It answers with nothing, or with what the other's change needs, and the
// Pod that comes out is right.
func TestF19CompetingMutators(t *testing.T) {
	agent := func(pod *corev1.Pod) []map[string]any {
		for i, c := range pod.Spec.Containers {
			for j, variable := range c.Env {
				path := "/spec/containers/" + itoa(i) + "/env/" + itoa(j) + "/value"
				if variable.Name == "JAVA_TOOL_OPTIONS" && !strings.Contains(variable.Value, "-javaagent") {
					return []map[string]any{{"op": "replace", "path": path, "value": variable.Value + " -javaagent:/otel/agent.jar"}}
				}
			}
		}
		return nil
	}
	variable := func(pod *corev1.Pod) []map[string]any {
		if len(pod.Spec.Containers[0].Env) > 0 {
			return nil
		}
		return []map[string]any{{
			"op": "add", "path": "/spec/containers/0/env",
			"value": []map[string]any{{"name": "REGION", "value": "eu"}},
		}}
	}
	sidecar := func(limit string) func(pod *corev1.Pod) []map[string]any {
		return func(pod *corev1.Pod) []map[string]any {
			if len(pod.Spec.Containers) > 1 {
				return nil
			}
			limits := map[string]any{"memory": "128Mi"}
			if limit != "" {
				limits["cpu"] = limit
			}
			return []map[string]any{
				{"op": "add", "path": "/metadata/annotations/runtime.headroom.dev~1proxy", "value": "native"},
				{"op": "add", "path": "/spec/containers/-", "value": map[string]any{
					"name": "proxy", "image": "registry.example.com/proxy:1.0.0",
					"resources": map[string]any{"requests": map[string]any{"cpu": "100m", "memory": "128Mi"}, "limits": limits},
				}},
			}
		}
	}
	for _, c := range []struct {
		name   string
		pod    *corev1.Pod
		change func(*corev1.Pod) []map[string]any
		// calls say of each call of headroom whether it changed the Pod.
		calls   []bool
		records int
	}{
		{"a variable", wrong("a"), variable, []bool{true, false}, 1},
		{"an agent in the options of the JVM", java("a"), agent, []bool{true, false}, 2},
		{"a sidecar that is right", wrong("a"), sidecar(""), []bool{true, false}, 1},
		{"a sidecar that is wrong", wrong("a"), sidecar("200m"), []bool{true, true}, 2},
		{"a wrong sidecar in a Pod that is right", right("a"), sidecar("200m"), []bool{false, true}, 1},
		{"nothing", wrong("a"), func(*corev1.Pod) []map[string]any { return nil }, []bool{true}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			namespace := cluster.Namespace(t, enforce, mutate)
			competitor(t, namespace, c.change)
			a := create(t.Context(), client(t), namespace, c.pod, false)
			if a.err != nil {
				t.Fatal(a.err)
			}
			for _, container := range a.pod.Spec.Containers {
				if limited(container) {
					t.Errorf("%s has a CPU limit", container.Name)
				}
				names := map[string]bool{}
				for _, variable := range container.Env {
					if names[variable.Name] {
						t.Errorf("%s has %s twice", container.Name, variable.Name)
					}
					names[variable.Name] = true
				}
			}
			if got := calls(t, namespace, "a", "mutate.headroom.dev"); !slices.Equal(got, c.calls) {
				t.Errorf("headroom's calls changed the Pod: %v, want %v", got, c.calls)
			}
			var records []map[string]string
			if err := json.Unmarshal([]byte(a.pod.Annotations[applied]), &records); err != nil || len(records) != c.records {
				t.Errorf("%d changes are recorded, want %d: %s", len(records), c.records, a.pod.Annotations[applied])
			}
			if c.name == "an agent in the options of the JVM" {
				options := ""
				for _, variable := range a.pod.Spec.Containers[0].Env {
					options += variable.Name + "=" + variable.Value
				}
				if strings.Count(options, "-XX:ActiveProcessorCount") != 1 || strings.Count(options, "-javaagent") != 1 {
					t.Error(options)
				}
			}
			t.Logf("%s", a.pod.Annotations[applied])
		})
	}
}

// java is a Pod whose JVM headroom must tell how many processors there are, once it takes
// the limit away that told it. A shell starts it, so that the flag goes into a variable.
func java(name string) *corev1.Pod {
	pod := wrong(name)
	delete(pod.Annotations, "runtime.headroom.dev/app")
	c := &pod.Spec.Containers[0]
	c.Image, c.Command = "eclipse-temurin:21", []string{"sh", "-c", "exec java -XX:MaxRAMPercentage=50 -jar app.jar"}
	c.Resources = corev1.ResourceRequirements{Requests: amounts("1", "2Gi"), Limits: amounts("2", "2Gi")}
	return pod
}

// A webhook that puts back what headroom takes away, each time. There is no endless loop. headroom
// refuses nothing outside enforcement, and says what is wrong with the Pod that came out.
func TestF19AWarIsEnded(t *testing.T) {
	back := func(pod *corev1.Pod) []map[string]any {
		if limited(pod.Spec.Containers[0]) {
			return nil
		}
		return []map[string]any{{"op": "add", "path": "/spec/containers/0/resources/limits/cpu", "value": "2"}}
	}
	namespace := cluster.Namespace(t, warn, mutate)
	competitor(t, namespace, back)
	a := create(t.Context(), client(t), namespace, wrong("a"), false)
	if a.err != nil || !limited(a.pod.Spec.Containers[0]) {
		t.Fatalf("%v", a.err)
	}
	if got := calls(t, namespace, "a", "mutate.headroom.dev"); !slices.Equal(got, []bool{true, true}) {
		t.Errorf("headroom's calls changed the Pod: %v", got)
	}
	// The last word is the validating webhook's, about the Pod as it is.
	judged := func(w string) bool { return strings.Contains(w, "[HR202]") && strings.Contains(w, "want:") }
	if !slices.ContainsFunc(a.warnings, judged) {
		t.Errorf("nothing warns of what came out: %q", a.warnings)
	}
	cluster.Must(t, "label", "--overwrite", "namespace", namespace, enforce)
	settle()
	if a := create(t.Context(), client(t), namespace, wrong("b"), false); !refused(a.err) {
		t.Errorf("in enforce: %v", a.err)
	}
}
