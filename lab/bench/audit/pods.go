//go:build linux

package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// managed is what a writer of a dozen fields leaves behind, twice: the user, and a controller.
var managed = metav1.NewFieldsV1(
	`{"f:metadata":{"f:annotations":{` + fields("a", 6) + `},"f:labels":{` + fields("l", 6) +
		`}},"f:spec":{` + fields("s", 12) + `,"f:containers":{"k:{\"name\":\"app\"}":{` + fields("c", 24) + `}}}}`)

func fields(prefix string, count int) string {
	list := make([]string, count)
	for i := range list {
		list[i] = fmt.Sprintf(`"f:%s-field-%02d":{}`, prefix, i)
	}
	return strings.Join(list, ",")
}

// pod is one replica as it runs.
func (w workload) pod(i int, owner metav1.OwnerReference) *corev1.Pod {
	template := w.template()
	p := &corev1.Pod{
		ObjectMeta: meta(w.namespace, fmt.Sprintf("%s-%05x", owner.Name, 0xa1b2c+i), "Pod", &owner), Spec: template.Spec,
	}
	p.Labels, p.Annotations = template.Labels, template.Annotations
	p.GenerateName = owner.Name + "-"
	p.Spec.NodeName = fmt.Sprintf("node-%03d", (w.n+i)%500)
	p.Status = corev1.PodStatus{
		Phase: corev1.PodRunning, PodIP: fmt.Sprintf("10.%d.%d.%d", w.n>>8&255, w.n&255, i), StartTime: &created,
		QOSClass: corev1.PodQOSBurstable,
	}
	for _, kind := range []corev1.PodConditionType{
		corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady,
	} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
			Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: created,
		})
	}
	for _, c := range p.Spec.Containers {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, Ready: true, State: corev1.ContainerState{
				Running: &corev1.ContainerStateRunning{StartedAt: created},
			},
			ImageID:     c.Image + "@sha256:" + strings.Repeat("0123456789abcdef", 4),
			ContainerID: "containerd://" + strings.Repeat("fedcba9876543210", 4),
		})
	}
	return p
}
