//go:build system

package size

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/history"
)

func (w *workload) kindOf() string {
	if w.kind == "" {
		return "Deployment"
	}
	return w.kind
}

func (w *workload) compared() string {
	if w.containerName == "" {
		return "app"
	}
	return w.containerName
}

// manifest is the workload, and a VerticalPodAutoscaler that only recommends.
func (w *workload) manifest() string {
	annotations := "headroom.dev/workload-class: " + w.class
	if w.annotations != "" {
		annotations += ", " + w.annotations
	}
	pod := fmt.Sprintf(`template:
    metadata: {labels: {app: %s}, annotations: {%s}}
    spec:
      %scontainers:
      %s- name: %s
        image: registry.example/%s:1
        %s
`, w.name, annotations, map[bool]string{true: "restartPolicy: Never\n      "}[w.kindOf() == "CronJob"],
		w.beside, w.compared(), w.name, w.container)
	spec := fmt.Sprintf("  selector: {matchLabels: {app: %s}}\n  %s", w.name, pod)
	api := "apps/v1"
	if w.kindOf() == "CronJob" {
		api = "batch/v1"
		spec = "  schedule: 0 */2 * * *\n  suspend: true\n  jobTemplate:\n    spec:\n" + indented("  "+pod, 4)
	}
	return fmt.Sprintf(`apiVersion: %s
kind: %s
metadata: {name: %s, labels: {app: %s}}
spec:
%s---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: %s}
spec:
  targetRef: {apiVersion: %s, kind: %s, name: %s}
  updatePolicy: {updateMode: "Off"}
---
`, api, w.kindOf(), w.name, w.name, spec, w.name, api, w.kindOf(), w.name)
}

func indented(text string, by int) string {
	lines := strings.SplitAfter(text, "\n")
	for i := range lines {
		if lines[i] != "" {
			lines[i] = strings.Repeat(" ", by) + lines[i]
		}
	}
	return strings.Join(lines, "")
}

// run is a Pod of a workload, and when it ran.
type run struct {
	pod      string
	from, to time.Time
}

// runs are the Pods of a week: one of a Deployment, and every run of a CronJob.
func (w *workload) runs(t *testing.T, h *history.History, namespace string) []run {
	t.Helper()
	if w.kindOf() != "CronJob" {
		pods := live.Pods(t, namespace, "app="+w.name, 1)
		return []run{{pods[0].Name, h.Ago(week), h.End}}
	}
	var list []run
	for at := h.Ago(week); at.Before(h.End.Add(-time.Hour)); at = at.Add(2 * time.Hour) {
		list = append(list, run{fmt.Sprintf("%s-%d-abcde", w.name, at.Unix()/60), at, at.Add(10 * time.Minute)})
	}
	return list
}

// tell writes the history of a workload.
func (w *workload) tell(t *testing.T, h *history.History, namespace string) {
	t.Helper()
	for _, r := range w.runs(t, h, namespace) {
		since := func(f func(time.Duration) float64) func(time.Time) float64 {
			return func(at time.Time) float64 { return f(at.Sub(r.from)) }
		}
		h.Run(history.Container{
			Namespace: namespace, Pod: r.pod, Name: w.compared(), ID: r.pod + w.compared(), From: r.from, To: r.to,
			CPU: since(w.cpu), Memory: since(w.memory), Throttled: w.throttled,
		})
		state := history.State{Namespace: namespace, Pod: r.pod, UID: r.pod, Name: w.compared(), From: r.from, To: r.to}
		for i := range w.kills {
			state.Restarts = append(state.Restarts, r.from.Add(time.Duration(i+1)*24*time.Hour+30*time.Minute))
			state.Reasons = append(state.Reasons, "OOMKilled")
		}
		h.Tell(state)
		h.Add("kube_pod_labels", history.Labels{
			"namespace": namespace, "pod": r.pod, "label_app": w.name, "job": "kube-state-metrics",
		}, r.from, r.to, history.Constant(1))
		if w.kindOf() == "CronJob" {
			job := strings.TrimSuffix(r.pod, "-abcde")
			h.Owner("kube_pod_owner", history.Labels{
				"namespace": namespace, "pod": r.pod, "owner_kind": "Job", "owner_name": job,
			}, r.from, r.to)
			h.Owner("kube_job_owner", history.Labels{
				"namespace": namespace, "job_name": job, "owner_kind": "CronJob", "owner_name": w.name,
			}, r.from, r.to)
		}
	}
}

// start says of the Pods that they run, which no kubelet does here; the recommender passes over those that wait.
func start(t *testing.T, namespace string) {
	t.Helper()
	pods, err := live.Client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range pods.Items {
		restarted(t, &pods.Items[i], 0)
	}
}

// restarted writes that a Pod runs, and how often its containers were killed for memory before.
func restarted(t *testing.T, pod *corev1.Pod, kills int32) {
	t.Helper()
	pod.Status.Phase = corev1.PodRunning
	pod.Status.ContainerStatuses = nil
	for _, c := range pod.Spec.Containers {
		status := corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, RestartCount: kills,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}},
		}
		if kills > 0 {
			status.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
				ExitCode: 137, Reason: "OOMKilled", FinishedAt: metav1.Now(),
			}
		}
		pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, status)
	}
	updated, err := live.Client.CoreV1().Pods(pod.Namespace).UpdateStatus(t.Context(), pod, metav1.UpdateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	*pod = *updated
}
