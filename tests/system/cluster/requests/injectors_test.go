//go:build system

package requests

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// mesh puts a proxy beside the application, as Istio's injector does: eight times the memory that it requests may it take.
func mesh(pod *corev1.Pod) []map[string]any {
	if len(pod.Spec.Containers) > 1 {
		return nil
	}
	return []map[string]any{
		{"op": "add", "path": "/metadata/annotations/sidecar.istio.io~1status", "value": `{"containers":["istio-proxy"]}`},
		{"op": "add", "path": "/spec/containers/-", "value": map[string]any{
			"name": "istio-proxy", "image": "docker.io/istio/proxyv2:1.27.0", "args": []string{"proxy", "sidecar"},
			"resources": map[string]any{
				"requests": map[string]any{"cpu": "10m", "memory": "128Mi"}, "limits": map[string]any{"cpu": "2", "memory": "1Gi"},
			},
		}},
	}
}

// agent puts an init container in front that brings a Java agent, and has the application load it, as the operator of
// OpenTelemetry does.
func agent(pod *corev1.Pod) []map[string]any {
	if len(pod.Spec.InitContainers) > 0 {
		return nil
	}
	const load = "-javaagent:/otel-auto-instrumentation-java/javaagent.jar"
	operations := []map[string]any{
		{"op": "add", "path": "/metadata/annotations/instrumentation.opentelemetry.io~1inject-java", "value": "true"},
		{"op": "add", "path": "/spec/initContainers", "value": []map[string]any{{
			"name": "opentelemetry-auto-instrumentation-java", "image": "ghcr.io/open-telemetry/autoinstrumentation-java:2.20.0",
			"command": []string{"cp", "/javaagent.jar", "/otel-auto-instrumentation-java/javaagent.jar"},
			"resources": map[string]any{
				"requests": map[string]any{"cpu": "50m", "memory": "64Mi"}, "limits": map[string]any{"cpu": "500m", "memory": "256Mi"},
			},
		}}},
	}
	for i, variable := range pod.Spec.Containers[0].Env {
		if variable.Name == "JAVA_TOOL_OPTIONS" {
			return append(operations, map[string]any{
				"op": "replace", "path": "/spec/containers/0/env/" + itoa(i) + "/value", "value": variable.Value + " " + load,
			})
		}
	}
	return append(operations, map[string]any{
		"op": "add", "path": "/spec/containers/0/env", "value": []map[string]any{{"name": "JAVA_TOOL_OPTIONS", "value": load}},
	})
}

// What two injectors put into a Pod stays as they wrote it, whether they come before headroom or after it. What is wrong
// with it is told with the place where its values come from, and the application is fixed.
func TestTwoInjectors(t *testing.T) {
	bare := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}}
	for _, c := range []struct{ name, mesh, agent string }{
		{"both before", "aa-", "ab-"},
		{"both after", "zz-", "zy-"},
		{"the mesh before, the agent after", "aa-", "zz-"},
		{"the agent before, the mesh after", "zz-", "aa-"},
	} {
		t.Run(c.name, func(t *testing.T) {
			namespace := cluster.Namespace(t, warn, mutate)
			competitorNamed(t, c.mesh, namespace, mesh)
			competitorNamed(t, c.agent, namespace, agent)
			a := create(t.Context(), client(t), namespace, java("a"), false)
			if a.err != nil {
				t.Fatal(a.err)
			}
			if len(a.pod.Spec.Containers) != 2 || len(a.pod.Spec.InitContainers) != 1 {
				t.Fatalf("%d containers, %d init containers", len(a.pod.Spec.Containers), len(a.pod.Spec.InitContainers))
			}
			stays(t, a.pod.Spec.Containers[1], mesh(bare)[1]["value"])
			stays(t, a.pod.Spec.InitContainers[0], agent(bare)[1]["value"].([]map[string]any)[0])
			app := a.pod.Spec.Containers[0]
			if limited(app) {
				t.Error("the application has its CPU limit still")
			}
			options := ""
			for _, variable := range app.Env {
				options += variable.Value
			}
			if strings.Count(options, "-XX:ActiveProcessorCount") != 1 || strings.Count(options, "-javaagent") != 1 {
				t.Errorf("JAVA_TOOL_OPTIONS is %q", options)
			}
			told := false
			for _, warning := range a.warnings {
				told = told || strings.Contains(warning, "istio-proxy") && strings.Contains(warning, "want: set in Istio")
			}
			if !told {
				t.Errorf("nothing says where the proxy's memory is set: %q", a.warnings)
			}
			if record := a.pod.Annotations[applied]; strings.Contains(record, "istio-proxy") || strings.Contains(record, "opentelemetry") {
				t.Errorf("a container of an injector was changed: %s", record)
			}
		})
	}
}

// stays says that a container is as its injector wrote it.
func stays(t *testing.T, is corev1.Container, written any) {
	t.Helper()
	var want corev1.Container
	text, err := json.Marshal(written)
	if err != nil || json.Unmarshal(text, &want) != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(is.Command, want.Command) || !reflect.DeepEqual(is.Args, want.Args) || len(is.Env) != 0 {
		t.Errorf("%s starts %v %v with %v", is.Name, is.Command, is.Args, is.Env)
	}
	for name, amount := range want.Resources.Requests {
		if got := is.Resources.Requests[name]; got.Cmp(amount) != 0 {
			t.Errorf("%s: requests.%s is %s, not %s", is.Name, name, got.String(), amount.String())
		}
	}
	for name, amount := range want.Resources.Limits {
		if got := is.Resources.Limits[name]; got.Cmp(amount) != 0 {
			t.Errorf("%s: limits.%s is %s, not %s", is.Name, name, got.String(), amount.String())
		}
	}
}
