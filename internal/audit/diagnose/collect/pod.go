package collect

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// defaultContainer is the annotation by which kubectl chooses, too.
const defaultContainer = "kubectl.kubernetes.io/default-container"

// OfPod begins a collection with what a Pod tells of one of its containers; "" is the one that
// kubectl would take. The text is the Pod as JSON.
func OfPod(text []byte, container string) (*Collection, error) {
	var pod corev1.Pod
	if err := json.Unmarshal(text, &pod); err != nil {
		return nil, fmt.Errorf("read the Pod: %w", err)
	}
	if pod.Kind != "Pod" && pod.Kind != "" || pod.Name == "" {
		return nil, fmt.Errorf("read the Pod: it is a %s named %q", pod.Kind, pod.Name)
	}
	var manifest map[string]any
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, fmt.Errorf("read the Pod: %w", err)
	}
	manifest["apiVersion"], manifest["kind"] = "v1", "Pod"
	names := containers(&pod)
	if len(names) == 0 {
		return nil, fmt.Errorf("pod %s has no containers", pod.Name)
	}
	if container == "" {
		container = names[0]
		if chosen := pod.Annotations[defaultContainer]; slices.Contains(names, chosen) {
			container = chosen
		}
	}
	if !slices.Contains(names, container) {
		return nil, fmt.Errorf("pod %s has no container %s; it has %s", pod.Name, container, strings.Join(names, ", "))
	}
	c := &Collection{
		Namespace: pod.Namespace, Pod: pod.Name, Container: container, Node: pod.Spec.NodeName,
		API: apiOf(&pod, container), Manifest: manifest,
	}
	if c.API == nil && pod.Status.Phase == corev1.PodPending {
		c.API = &API{State: Pending, Limit: memoryLimit(&pod, &corev1.ContainerStatus{Name: container})}
		c.Notes = append(c.Notes, waiting(&pod))
	}
	return c, nil
}

// maxReason is how much of the scheduler's reason is told, in bytes.
const maxReason = 400

// waiting says what a Pod waits for of whose containers the API server knows nothing yet.
func waiting(pod *corev1.Pod) string {
	text := fmt.Sprintf("Pod %s is pending: it runs nowhere yet, so that nothing could be read in it.", pod.Name)
	if pod.Spec.NodeName != "" {
		return fmt.Sprintf("Pod %s is pending: node %s has not started its containers yet.", pod.Name, pod.Spec.NodeName)
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Status == corev1.ConditionFalse && condition.Message != "" {
			reason := condition.Message
			if len(reason) > maxReason {
				reason = strings.ToValidUTF8(reason[:maxReason], "") + "…"
			}
			text += " The scheduler says: " + reason
		}
	}
	return text
}

// containers are those that may run: the Pod's, its sidecars and those added for debugging.
func containers(pod *corev1.Pod) []string {
	var names []string
	for i := range pod.Spec.Containers {
		names = append(names, pod.Spec.Containers[i].Name)
	}
	for i := range pod.Spec.InitContainers {
		names = append(names, pod.Spec.InitContainers[i].Name)
	}
	for i := range pod.Spec.EphemeralContainers {
		names = append(names, pod.Spec.EphemeralContainers[i].Name)
	}
	return names
}

// apiOf is the status of a container; nil where the Pod has none of it yet.
func apiOf(pod *corev1.Pod, container string) *API {
	for _, status := range slices.Concat(
		pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses, pod.Status.EphemeralContainerStatuses,
	) {
		if status.Name != container {
			continue
		}
		api := &API{State: stateOf(status.State), Restarts: int64(status.RestartCount)}
		last := status.LastTerminationState.Terminated
		if status.State.Terminated != nil {
			last = status.State.Terminated
		}
		if last != nil {
			api.Reason, api.ExitCode = last.Reason, int64(last.ExitCode)
			if api.Reason == "" {
				api.Reason = "no reason is given"
			}
			if !last.FinishedAt.IsZero() {
				api.Finished = last.FinishedAt.UTC().Format(time.RFC3339)
			}
		}
		api.Limit = memoryLimit(pod, &status)
		return api
	}
	return nil
}

// Running says whether commands can be run in the container.
func (a *API) Running() bool { return a != nil && a.State == "running" }

func stateOf(state corev1.ContainerState) string {
	switch {
	case state.Running != nil:
		return "running"
	case state.Terminated != nil:
		return strings.TrimSpace("terminated " + state.Terminated.Reason)
	case state.Waiting != nil:
		return strings.TrimSpace("waiting " + state.Waiting.Reason)
	}
	return "waiting"
}

// memoryLimit is what holds now, which a resize may have changed, else what the Pod asks for.
func memoryLimit(pod *corev1.Pod, status *corev1.ContainerStatus) int64 {
	if status.Resources != nil {
		if limit := status.Resources.Limits.Memory().Value(); limit > 0 {
			return limit
		}
	}
	for _, c := range slices.Concat(pod.Spec.Containers, pod.Spec.InitContainers) {
		if c.Name == status.Name {
			return c.Resources.Limits.Memory().Value()
		}
	}
	return 0
}
