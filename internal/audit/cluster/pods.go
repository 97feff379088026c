package cluster

import (
	"context"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

// inProtobuf also takes JSON, from API servers without protobuf.
const inProtobuf = "application/vnd.kubernetes.protobuf,application/json"

// EachPod reads the Pods as far as their status, their node and what they ask for go. They come in protobuf, which
// costs less than JSON: there are more Pods than anything else.
func (r *Reader) EachPod(ctx context.Context, namespace string, visit func(*Object) error) error {
	return r.each(ctx, Pods, func(ctx context.Context, o metav1.ListOptions) (page[*Object], error) {
		return r.podPage(ctx, namespace, o)
	}, visit)
}

func (r *Reader) podPage(ctx context.Context, namespace string, o metav1.ListOptions) (page[*Object], error) {
	body, err := r.listRequest(Pods, namespace, o).SetHeader("Accept", inProtobuf).Stream(ctx)
	if err != nil {
		return page[*Object]{}, err
	}
	defer func() { _ = body.Close() }()
	text, err := io.ReadAll(body)
	if err != nil {
		return page[*Object]{}, cut(err)
	}
	var list corev1.PodList
	if _, _, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, &list); err != nil {
		return page[*Object]{}, fmt.Errorf("read Pods: %w", err)
	}
	p := page[*Object]{
		next: list.Continue, version: list.ResourceVersion, items: make([]*Object, 0, len(list.Items)), bytes: int64(len(text)),
	}
	for i := range list.Items {
		p.items = append(p.items, running(&list.Items[i]))
	}
	return p, nil
}

// running is what is kept of a Pod. Its spec has no more than what a node's fill takes.
func running(pod *corev1.Pod) *Object {
	o := &Object{
		Kind: Pods, Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, Created: pod.CreationTimestamp.UTC(),
		Controller: metav1.GetControllerOf(pod), Labels: pod.Labels, Annotations: pod.Annotations, Replicas: 1,
		Finished: pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed,
	}
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.InitContainerStatuses, pod.Status.ContainerStatuses} {
		for i := range statuses {
			s := &statuses[i]
			o.Statuses = append(o.Statuses, ContainerStatus{
				Name: s.Name, ImageID: s.ImageID, State: ended(s.State), LastState: ended(s.LastTerminationState),
			})
		}
	}
	spec := map[string]any{"nodeName": pod.Spec.NodeName}
	if len(pod.Spec.Overhead) > 0 {
		spec["overhead"] = cpuOf(pod.Spec.Overhead)
	}
	if own := pod.Spec.Resources; own != nil {
		spec["resources"] = map[string]any{"requests": cpuOf(own.Requests)}
	}
	spec["initContainers"], spec["containers"] = asking(pod.Spec.InitContainers), asking(pod.Spec.Containers)
	o.Manifest = map[string]any{"spec": spec}
	return o
}

func asking(containers []corev1.Container) []any {
	var all []any
	for i := range containers {
		c := map[string]any{"resources": map[string]any{"requests": cpuOf(containers[i].Resources.Requests)}}
		if policy := containers[i].RestartPolicy; policy != nil {
			c["restartPolicy"] = string(*policy)
		}
		all = append(all, c)
	}
	return all
}

func cpuOf(list corev1.ResourceList) map[string]any {
	cpu, set := list[corev1.ResourceCPU]
	if !set {
		return nil
	}
	return map[string]any{"cpu": cpu.String()}
}

func ended(s corev1.ContainerState) ContainerState {
	t := s.Terminated
	if t == nil {
		return ContainerState{}
	}
	return ContainerState{Terminated: &Termination{
		Reason: t.Reason, ExitCode: int(t.ExitCode), FinishedAt: t.FinishedAt.UTC(),
	}}
}
