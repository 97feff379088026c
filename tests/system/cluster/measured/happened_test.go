//go:build system

package measured

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/history"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

const troubled = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: orders}
spec:
  replicas: 2
  selector: {matchLabels: {app: orders}}
  template:
    metadata: {labels: {app: orders}, annotations: {class.headroom.dev/worker: sidecar}}
    spec:
      containers:
      - name: orders
        image: registry.example/orders:1
        resources: {requests: {cpu: 500m, memory: 512Mi}, limits: {memory: 512Mi}}
      - name: worker
        image: registry.example/worker:1
        livenessProbe: {httpGet: {path: /live, port: 8080}}
        resources: {requests: {cpu: "1", memory: 512Mi}, limits: {cpu: "1", memory: 512Mi}}
`

// TestWhatHappened: kills that the kubelet reported, and throttling and pressure that Prometheus knows, are findings.
func TestWhatHappened(t *testing.T) {
	namespace := live.Namespace(t)
	if out := live.Apply(namespace, troubled); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	pods := live.Pods(t, namespace, "app=orders", 2)
	endedIn(t, &pods[0])

	alone := happened(t, namespace, 1)
	if m := alone["HR603 orders"]; !strings.Contains(m, "OOMKilled once in 7d (the Pods' status).") {
		t.Errorf("without Prometheus: %v", alone)
	}
	if alone["HR602 worker"] != "" || alone["HR605 worker"] != "" {
		t.Errorf("nobody has told of throttling: %v", alone)
	}

	server := history.Start(t, historyOf(pods), history.Options{})
	page, sarif := filepath.Join(t.TempDir(), "report.html"), filepath.Join(t.TempDir(), "report.sarif")
	found := happened(t, namespace, 1, "--prometheus", server.URL, "--prometheus-window", "2d",
		"-o", "html="+page, "-o", "sarif="+sarif)
	for finding, wanted := range map[string]string{
		"HR602 worker": "Throttled in 40 % of its periods, over 5 % for ",
		"HR603 orders": "OOMKilled once in 2d (Prometheus).",
		"HR604 orders": "Threads waited for a CPU 30",
		"HR605 worker": "Ended once with exit code 137 or 143, not as OOMKilled, and its Pods were throttled in 40 % of their periods",
	} {
		if !strings.Contains(found[finding], wanted) {
			t.Errorf("%s: %q, want %q", finding, found[finding], wanted)
		}
		for _, file := range []string{page, sarif} {
			if rule, _, _ := strings.Cut(finding, " "); !strings.Contains(read(t, file), rule) {
				t.Errorf("%s lacks %s", filepath.Base(file), rule)
			}
		}
	}
}

// endedIn reports as the kubelet does that the containers of a Pod were killed.
func endedIn(t *testing.T, pod *corev1.Pod) {
	t.Helper()
	ended := func(reason string, code int32) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			Reason: reason, ExitCode: code, FinishedAt: metav1.NewTime(time.Now().Add(-time.Hour)),
		}}
	}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{
		{Name: "orders", Image: "registry.example/orders:1", RestartCount: 3, LastTerminationState: ended("OOMKilled", 137)},
		{Name: "worker", Image: "registry.example/worker:1", RestartCount: 2, LastTerminationState: ended("Error", 137)},
	}
	if _, err := live.Client.CoreV1().Pods(pod.Namespace).UpdateStatus(t.Context(), pod, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// historyOf is a day in which the containers of these Pods were throttled and waited, and one of the first was OOMKilled.
func historyOf(pods []corev1.Pod) *history.History {
	h := history.New()
	for _, pod := range pods {
		h.Run(history.Container{
			Namespace: pod.Namespace, Pod: pod.Name, Name: "worker", ID: pod.Name + "w", From: h.Ago(24 * time.Hour), To: h.End,
			CPU: history.Constant(0.9), Memory: history.Constant(1 << 28), Throttled: 0.4,
		})
		h.Run(history.Container{
			Namespace: pod.Namespace, Pod: pod.Name, Name: "orders", ID: pod.Name + "o", From: h.Ago(24 * time.Hour), To: h.End,
			CPU: history.Constant(2), Memory: history.Constant(500 << 20), Throttled: -1,
		})
		for _, container := range []string{"orders", "worker"} {
			state := history.State{
				Namespace: pod.Namespace, Pod: pod.Name, UID: string(pod.UID), Name: container, From: h.Ago(24 * time.Hour), To: h.End,
			}
			if container == "orders" && pod.Name == pods[0].Name {
				state.Restarts, state.Reasons = []time.Time{h.Ago(time.Hour)}, []string{"OOMKilled"}
			}
			h.Tell(state)
		}
		h.Add("container_pressure_cpu_waiting_seconds_total", history.Labels{
			"namespace": pod.Namespace, "pod": pod.Name, "container": "orders", "id": "/kubepods/" + pod.Name + "o",
			"name": pod.Name + "o", "image": "registry.example/orders:1",
		}, h.Ago(24*time.Hour), h.End, func(at time.Time) float64 { return 0.3 * at.Sub(h.Ago(24*time.Hour)).Seconds() })
	}
	return h
}

// happened audits the namespace and gives the messages by rule and container.
func happened(t *testing.T, namespace string, wanted int, arguments ...string) map[string]string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program.Headroom(t), append([]string{
		"audit", "-n", namespace, "--kubeconfig", live.Kubeconfig, "--no-progress", "-o", "json",
	}, arguments...)...)
	out, stderr, code := program.Run(t, command)
	if code != wanted {
		t.Fatalf("exit code %d, not %d\n%s%s", code, wanted, out, stderr)
	}
	var printed struct {
		Findings []struct{ Rule, Container, Message string }
	}
	if err := json.Unmarshal([]byte(out), &printed); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := map[string]string{}
	for _, f := range printed.Findings {
		found[f.Rule+" "+f.Container] = f.Message
	}
	return found
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
