package plane

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// report writes the Pod's status and its endpoints, when they changed; true when they stand.
func (r *runner) report(ctx context.Context, now state) bool {
	r.mutex.Lock()
	same := r.state == now
	restarts := r.restarts
	r.mutex.Unlock()
	if same {
		return true
	}
	// The API server may be what a test has stopped; the next tick tries again.
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	if err := r.writeStatus(ctx, now, restarts); err != nil {
		r.fail(err)
		return false
	}
	if err := r.writeEndpoints(ctx, now); err != nil {
		r.fail(err)
		return false
	}
	r.mutex.Lock()
	r.state = now
	r.mutex.Unlock()
	return true
}

func (r *runner) writeStatus(ctx context.Context, now state, restarts int32) error {
	pods := r.kubelet.client.CoreV1().Pods(r.pod.Namespace)
	pod, err := pods.Get(ctx, r.pod.Name, metav1.GetOptions{})
	if err != nil {
		return fmt.Errorf("read pod: %w", err)
	}
	ready := corev1.ConditionFalse
	if now.ready {
		ready = corev1.ConditionTrue
	}
	container := corev1.ContainerStatus{
		Name: r.pod.Spec.Containers[0].Name, Image: r.pod.Spec.Containers[0].Image, Ready: now.ready,
		RestartCount: restarts, Started: &now.ready,
	}
	if now.phase == corev1.PodRunning {
		container.State.Running = &corev1.ContainerStateRunning{StartedAt: metav1.Now()}
	} else {
		container.State.Terminated = &corev1.ContainerStateTerminated{ExitCode: now.code, FinishedAt: metav1.Now()}
	}
	pod.Status.Phase = now.phase
	pod.Status.PodIP, pod.Status.HostIP = r.kubelet.ip, r.kubelet.ip
	pod.Status.PodIPs = []corev1.PodIP{{IP: r.kubelet.ip}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{container}
	for _, kind := range []corev1.PodConditionType{corev1.PodReady, corev1.ContainersReady} {
		condition := corev1.PodCondition{Type: kind, Status: ready, LastTransitionTime: metav1.Now()}
		at := slices.IndexFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == kind })
		if at < 0 {
			pod.Status.Conditions = append(pod.Status.Conditions, condition)
		} else {
			pod.Status.Conditions[at] = condition
		}
	}
	if _, err := pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("write status: %w", err)
	}
	return nil
}

// writeEndpoints writes one EndpointSlice for each Service that selects the Pod: in this
// cluster all Pods have one address, and differ by their ports.
func (r *runner) writeEndpoints(ctx context.Context, now state) error {
	services, err := r.kubelet.services.List(labels.Everything())
	if err != nil {
		return err
	}
	for _, service := range services {
		selector := labels.SelectorFromSet(service.Spec.Selector)
		if selector.Empty() || !selector.Matches(labels.Set(r.pod.Labels)) {
			continue
		}
		if err := r.writeSlice(ctx, service, now); err != nil {
			return fmt.Errorf("write endpoints of %s: %w", service.Name, err)
		}
	}
	return nil
}

func (r *runner) writeSlice(ctx context.Context, service *corev1.Service, now state) error {
	ready := now.ready || service.Spec.PublishNotReadyAddresses && now.phase == corev1.PodRunning
	slice := &discovery.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{
			Name: service.Name + "-" + r.pod.Name, Namespace: r.pod.Namespace,
			Labels: map[string]string{
				discovery.LabelServiceName: service.Name, discovery.LabelManagedBy: "headroom-plane",
			},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: r.pod.Name, UID: r.pod.UID}},
		},
		AddressType: discovery.AddressTypeIPv4,
		Endpoints: []discovery.Endpoint{{
			Addresses:  []string{r.kubelet.ip},
			Conditions: discovery.EndpointConditions{Ready: &ready, Serving: &ready, Terminating: &now.terminating},
			TargetRef:  &corev1.ObjectReference{Kind: "Pod", Name: r.pod.Name, Namespace: r.pod.Namespace, UID: r.pod.UID},
		}},
	}
	for _, port := range service.Spec.Ports {
		number, err := r.port(port.TargetPort)
		if err != nil {
			return err
		}
		own := int32(number) //nolint:gosec // 16 bits
		slice.Ports = append(slice.Ports, discovery.EndpointPort{Name: &port.Name, Port: &own, Protocol: &port.Protocol})
	}
	client := r.kubelet.client.DiscoveryV1().EndpointSlices(r.pod.Namespace)
	_, err := client.Update(ctx, slice, metav1.UpdateOptions{})
	if apierrors.IsNotFound(err) {
		_, err = client.Create(ctx, slice, metav1.CreateOptions{})
	}
	return err
}

// withdraw removes the Pod's EndpointSlices.
func (r *runner) withdraw(ctx context.Context) {
	client := r.kubelet.client.DiscoveryV1().EndpointSlices(r.pod.Namespace)
	services, _ := r.kubelet.services.List(labels.Everything())
	for _, service := range services {
		_ = client.Delete(ctx, service.Name+"-"+r.pod.Name, metav1.DeleteOptions{})
	}
}
