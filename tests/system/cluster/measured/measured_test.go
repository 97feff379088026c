//go:build system

// Package measured audits a real cluster with measured use: VerticalPodAutoscalers of their real
// CRDs, and a real Prometheus that has scraped the cluster's Pods.
package measured

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/tests/harness/history"
	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

var live *plane.Plane

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{NoWebhook: true}, &live))
}

// autoscalers is the source as this user.
func autoscalers(t *testing.T, user string) measure.Source {
	t.Helper()
	config := rest.CopyConfig(live.Config)
	config.Impersonate.UserName = user
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return measure.VPA(client)
}

const objects = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: cart}
spec:
  replicas: 2
  selector: {matchLabels: {app: cart}}
  template:
    metadata: {labels: {app: cart}, annotations: {headroom.dev/workload-class: latency-sensitive}}
    spec:
      containers:
      - name: cart
        image: registry.example/cart:1
        resources: {requests: {cpu: "1", memory: 512Mi}, limits: {memory: 512Mi}}
      - name: helper
        image: registry.example/helper:1
        resources: {requests: {cpu: 100m, memory: 512Mi}, limits: {memory: 512Mi}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: till}
spec:
  selector: {matchLabels: {app: till}}
  template:
    metadata: {labels: {app: till}, annotations: {headroom.dev/workload-class: latency-sensitive}}
    spec:
      containers:
      - name: till
        image: registry.example/till:1
        command: [java, -Xmx512m, -XX:MaxMetaspaceSize=128m, -jar, till.jar]
        resources: {requests: {cpu: "1", memory: 1Gi}, limits: {memory: 1Gi}}
`

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
---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: new}
spec:
  targetRef: {apiVersion: apps/v1, kind: StatefulSet, name: new}
`

func TestMeasured(t *testing.T) {
	namespace := live.Namespace(t)
	if out := live.Apply(namespace, objects); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	deployment := cluster.Key{Kind: "Deployment", Namespace: namespace, Name: "cart"}

	use, err := autoscalers(t, "").Namespace(t.Context(), namespace, nil)
	if err == nil || !strings.Contains(err.Error(), "is the Vertical Pod Autoscaler installed?") {
		t.Errorf("without CRDs: %v, %v", use, err)
	}

	live.InstallAutoscalers(t)
	if out := live.KubectlAs("admin", autoscaler, "apply", "-n", namespace, "-f", "-"); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	now := time.Now().UTC()
	live.Recommend(t, namespace, "vpa", "cart-vpa", map[string]any{
		"recommendation": map[string]any{"containerRecommendations": []any{
			map[string]any{
				"containerName":  "cart",
				"lowerBound":     map[string]any{"cpu": "200m", "memory": "300Mi"},
				"target":         map[string]any{"cpu": "500m", "memory": "400Mi"},
				"uncappedTarget": map[string]any{"cpu": "323m", "memory": "419430401"},
				"upperBound":     map[string]any{"cpu": "4", "memory": "4Gi"},
			},
			map[string]any{
				"containerName":  "helper",
				"target":         map[string]any{"cpu": "12m", "memory": "131072k"},
				"uncappedTarget": map[string]any{"cpu": "12m", "memory": "131072k"},
			},
		}},
	})
	live.Recommend(t, namespace, "vpacheckpoint", "cart-vpa-cart", map[string]any{
		"totalSamplesCount": 4321,
		"firstSampleStart":  now.Add(-72 * time.Hour).Format(time.RFC3339),
		"lastSampleStart":   now.Add(-2 * time.Minute).Format(time.RFC3339),
		"lastUpdateTime":    now.Format(time.RFC3339),
	})

	t.Run("autoscaler", func(t *testing.T) {
		use, err := autoscalers(t, "").Namespace(t.Context(), namespace, nil)
		if err != nil {
			t.Fatal(err)
		}
		cart := use[deployment]["cart"]
		if cart.CPUAverage != "323m" || cart.MemoryPeak != "401Mi" || cart.CPUPeak != "" {
			t.Errorf("measured %+v", cart)
		}
		if cart.Samples != 4321 || cart.Age < time.Minute || cart.Age > 10*time.Minute ||
			cart.Window < 71*time.Hour || cart.Window > 73*time.Hour {
			t.Errorf("%d samples over %s, the newest %s old", cart.Samples, cart.Window, cart.Age)
		}
		if cart.Periods != -1 || cart.OOMKills != -1 || cart.Restarts != -1 {
			t.Errorf("an autoscaler counts nothing: %+v", cart)
		}
		// Half of the least that a Pod is given: it uses less, but how much is not known.
		helper := use[deployment]["helper"]
		if helper.CPUAverage != "" || helper.MemoryPeak != "" || helper.Samples != -1 || helper.Age != -1 {
			t.Errorf("measured %+v", helper)
		}
		if len(use) != 1 {
			t.Errorf("%d workloads were measured, want 1", len(use))
		}
	})

	t.Run("forbidden", func(t *testing.T) {
		use, err := autoscalers(t, "nobody").Namespace(t.Context(), namespace, nil)
		if err == nil || !strings.Contains(err.Error(), "not allowed to list verticalpodautoscalers.autoscaling.k8s.io") {
			t.Errorf("%v, %v", use, err)
		}
	})

	t.Run("audit", func(t *testing.T) { audit(t, namespace) })
}

// audit runs the command against the cluster and a Prometheus that knows the cluster's Pods, but
// not the memory of one container.
func audit(t *testing.T, namespace string) {
	h := history.New()
	for _, pod := range live.Pods(t, namespace, "app=cart", 2) {
		h.Run(history.Container{
			Namespace: namespace, Pod: pod.Name, Name: "cart", ID: pod.Name, From: h.Ago(24 * time.Hour), To: h.End,
			CPU: history.Constant(0.25), Memory: func(time.Time) float64 { return 0 }, Throttled: 0.25,
		})
		h.Tell(history.State{
			Namespace: namespace, Pod: pod.Name, UID: string(pod.UID), Name: "cart", From: h.Ago(24 * time.Hour), To: h.End,
			Restarts: []time.Time{h.Ago(time.Hour)}, Reasons: []string{"OOMKilled"},
		})
	}
	for _, pod := range live.Pods(t, namespace, "app=till", 1) {
		till(h, namespace, pod.Name)
	}
	server := history.Start(t, h, history.Options{})
	report, headroom := filepath.Join(t.TempDir(), "report.json"), program.Headroom(t)
	command := exec.Command(headroom, "audit", "-n", namespace, "--kubeconfig", live.Kubeconfig, "--no-progress",
		"--prometheus", server.URL, "--prometheus-window", "2d", "--vpa", "--fail-on", "never", "-o", "json="+report)
	command.Env = append(os.Environ(), "HEADROOM_PROMETHEUS_TOKEN=s3cret")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, wanted := range []string{
		`"Prometheus at ` + server.URL + `, last 2d`, `Prometheus and VerticalPodAutoscaler`,
		`"250m"`, `"401Mi"`, `HR203`,
		`Metaspace took 124 MiB of the 128 that -XX:MaxMetaspaceSize allows`, `measured by Prometheus: Micrometer over `, `HR609`,
	} {
		if !strings.Contains(string(text), wanted) {
			t.Errorf("no %s in the report:\n%s", wanted, text)
		}
	}
	if strings.Contains(string(text)+string(out), "s3cret") {
		t.Error("the report tells the token")
	}
}

// till is a JVM that tells of itself by Micrometer, with the labels of a PodMonitor.
func till(h *history.History, namespace, pod string) {
	const mi = 1 << 20
	h.Run(history.Container{
		Namespace: namespace, Pod: pod, Name: "till", ID: pod, From: h.Ago(24 * time.Hour), To: h.End,
		CPU: history.Constant(0.25), Memory: func(time.Time) float64 { return 700 * mi }, Throttled: 0,
	})
	own := history.Labels{"namespace": namespace, "pod": pod, "container": "till", "job": "tills", "instance": "10.0.0.7:8080"}
	for metric, told := range map[string]struct {
		value  float64
		labels history.Labels
	}{
		"jvm_memory_max_bytes":        {512 * mi, history.Labels{"area": "heap", "id": "G1 Old Gen"}},
		"jvm_memory_used_bytes":       {450 * mi, history.Labels{"area": "heap", "id": "G1 Old Gen"}},
		"jvm_gc_live_data_size_bytes": {420 * mi, nil},
		"jvm_memory_committed_bytes":  {124 * mi, history.Labels{"area": "nonheap", "id": "Metaspace"}},
	} {
		h.Add(metric, own.With(told.labels), h.Ago(24*time.Hour), h.End, history.Constant(told.value))
	}
}
