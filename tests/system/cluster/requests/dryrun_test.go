//go:build system

package requests

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// manifest is a Deployment of this Pod.
func manifest(t testing.TB, pod *corev1.Pod, replicas int) string {
	t.Helper()
	template := map[string]any{
		"metadata": map[string]any{"labels": map[string]string{"app": "shop"}, "annotations": pod.Annotations},
		"spec":     pod.Spec,
	}
	return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"shop"},"spec":{"replicas":` + itoa(replicas) +
		`,"selector":{"matchLabels":{"app":"shop"}},"template":` + text(t, template) + `}}`
}

// F20: a dry run says and shows what the real request does, leaves nothing behind, and its
// decision does not bind a later request.
func TestF20DryRun(t *testing.T) {
	c := client(t)
	for _, labels := range [][]string{
		{warn}, {warn, mutate}, {enforce}, {enforce, mutate}, {"headroom.dev/mode=audit", mutate}, {off},
	} {
		t.Run(strings.ReplaceAll(strings.Join(labels, ","), "headroom.dev/", ""), func(t *testing.T) {
			namespace := cluster.Namespace(t, labels...)
			dry := create(t.Context(), c, namespace, wrong("a"), true)
			list, err := c.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
			if err != nil || len(list.Items) > 0 {
				t.Errorf("a dry run leaves %d Pods, %v", len(list.Items), err)
			}
			real := create(t.Context(), c, namespace, wrong("a"), false)
			if !slices.Equal(dry.warnings, real.warnings) {
				t.Errorf("a dry run warns\n%q\nand the real one\n%q", dry.warnings, real.warnings)
			}
			if (dry.err == nil) != (real.err == nil) || dry.err != nil && dry.err.Error() != real.err.Error() {
				t.Fatalf("a dry run says %v, and the real one %v", dry.err, real.err)
			}
			if dry.err != nil {
				return
			}
			if dry.pod.Annotations[applied] != real.pod.Annotations[applied] ||
				text(t, dry.pod.Spec.Containers[0].Resources) != text(t, real.pod.Spec.Containers[0].Resources) {
				t.Errorf("a dry run shows\n%s\nand the real one\n%s", text(t, dry.pod), text(t, real.pod))
			}
		})
	}

	t.Run("the namespace changes after it", func(t *testing.T) {
		namespace := cluster.Namespace(t, enforce)
		if a := create(t.Context(), c, namespace, wrong("a"), true); !refused(a.err) {
			t.Fatal(a.err)
		}
		cluster.Must(t, "label", "namespace", namespace, mutate)
		settle()
		a := create(t.Context(), c, namespace, wrong("a"), false)
		if a.err != nil || limited(a.pod.Spec.Containers[0]) {
			t.Errorf("the dry run's verdict is still in force: %v", a.err)
		}
	})

	t.Run("of a Deployment, an update and a scale", func(t *testing.T) {
		namespace := cluster.Namespace(t, warn)
		good, bad := manifest(t, right("a"), 0), manifest(t, wrong("a"), 0)
		if out := cluster.Apply(namespace, good); out.Code != 0 || len(out.Warnings()) > 0 {
			t.Fatal(out.Stderr)
		}
		before := cluster.Must(t, "get", "deployment", "shop", "-n", namespace, "-o", "yaml")
		dry := cluster.Apply(namespace, bad, "--dry-run=server")
		if dry.Code != 0 || !strings.Contains(dry.Stderr, "[HR202]") {
			t.Errorf("exit code %d: %s", dry.Code, dry.Stderr)
		}
		cluster.Must(t, "scale", "deployment", "shop", "--replicas=3", "--dry-run=server", "-n", namespace)
		if after := cluster.Must(t, "get", "deployment", "shop", "-n", namespace, "-o", "yaml"); after != before {
			t.Errorf("a dry run changes\n%s\ninto\n%s", before, after)
		}
		if real := cluster.Apply(namespace, bad); real.Stderr != dry.Stderr {
			t.Errorf("a dry run says\n%s\nand the real one\n%s", dry.Stderr, real.Stderr)
		}
	})

	// Both configurations promise it, else the API server would refuse every dry run.
	out := cluster.Must(t, "get", "mutatingwebhookconfiguration,validatingwebhookconfiguration", plane.Release,
		"-o", "jsonpath={.items[*].webhooks[*].sideEffects}")
	if strings.TrimSpace(out) != "None None None" {
		t.Errorf("sideEffects: %s", out)
	}
}
