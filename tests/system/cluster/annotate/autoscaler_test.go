//go:build system

package annotate

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

const autoscaler = `
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: cart-vpa}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: cart}
  updatePolicy: {updateMode: "Off"}
---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscalerCheckpoint
metadata: {name: cart-vpa-cart}
spec: {vpaObjectName: cart-vpa, containerName: cart}
`

// recommended is a namespace whose Deployment has a VerticalPodAutoscaler that knows the container
// cart.
func recommended(t *testing.T) string {
	t.Helper()
	namespace := live.Namespace(t)
	if out := live.Apply(namespace, manifest); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	live.InstallAutoscalers(t)
	if out := live.KubectlAs("admin", autoscaler, "apply", "-n", namespace, "-f", "-"); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	amounts := map[string]any{"cpu": "323m", "memory": "419430401"}
	live.Recommend(t, namespace, "vpa", "cart-vpa", map[string]any{
		"recommendation": map[string]any{"containerRecommendations": []any{
			map[string]any{"containerName": "cart", "target": amounts, "uncappedTarget": amounts},
		}},
	})
	now := time.Now().UTC()
	live.Recommend(t, namespace, "vpacheckpoint", "cart-vpa-cart", map[string]any{
		"totalSamplesCount": 4321,
		"firstSampleStart":  now.Add(-72 * time.Hour).Format(time.RFC3339),
		"lastSampleStart":   now.Add(-2 * time.Minute).Format(time.RFC3339),
	})
	return namespace
}

// TestAutoscaler: what a VerticalPodAutoscaler recommends is written into a file, and printed as a
// patch for a chart, which `kubectl patch` takes.
func TestAutoscaler(t *testing.T) {
	namespace, headroom := recommended(t), program.Headroom(t)
	const values = "cpu-average.headroom.dev/cart: 323m, memory-peak.headroom.dev/cart: 401Mi"
	from := []string{"--kubeconfig", live.Kubeconfig, "-n", namespace, "--vpa"}

	t.Run("file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "cart.yaml")
		if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
			t.Fatal(err)
		}
		stderr, code := run(t, headroom, append([]string{"annotate", file, "--write"}, from...)...)
		const labels = "    metadata: {labels: {app: cart}"
		want := strings.Replace(manifest, labels, labels+", annotations: {"+values+"}", 1)
		if text, _ := os.ReadFile(file); undated(text) != want || code != 0 {
			t.Errorf("exit code %d, %s\ngot\n%s\nwant\n%s", code, stderr, text, want)
		}
	})

	t.Run("chart", func(t *testing.T) {
		chart := filepath.Join(t.TempDir(), "shop")
		for name, text := range map[string]string{
			"Chart.yaml":          "{apiVersion: v2, name: shop, version: 1.0.0}\n",
			"templates/cart.yaml": strings.ReplaceAll(manifest, "{name: cart}", "{name: '{{ .Release.Name }}'}"),
		} {
			file := filepath.Join(chart, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var patch, stderr bytes.Buffer
		command := exec.Command(headroom, append([]string{"annotate", "--helm-chart", chart, "--release-name", "cart"}, from...)...)
		command.Stdout, command.Stderr = &patch, &stderr
		if err := command.Run(); err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		file := filepath.Join(t.TempDir(), "patch.yaml")
		if err := os.WriteFile(file, patch.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		live.Must(t, "patch", "deployment", "cart", "-n", namespace, "--patch-file", file)
		got := live.Must(t, "get", "deployment", "cart", "-n", namespace, "-o", "jsonpath={.spec.template.metadata.annotations}")
		const want = `{"cpu-average.headroom.dev/cart":"323m","memory-peak.headroom.dev/cart":"401Mi"}`
		if undated([]byte(got)) != want {
			t.Errorf("got %s, want %s, by\n%s%s", got, want, patch.String(), stderr.String())
		}
	})
}
