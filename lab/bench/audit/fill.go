//go:build linux

package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const namespaces = 100

// fill writes so many workloads with so many Pods in all. Seven in ten are Deployments, each
// with the ReplicaSet in force and one that is scaled down. Each has a ConfigMap: of one in ten, a JVM, it has the options.
func fill(ctx context.Context, etcd string, workloads, pods int) error {
	s, err := newStore(etcd)
	if err != nil {
		return err
	}
	defer s.close()
	for i := range namespaces {
		if err := s.namespace(ctx, i); err != nil {
			return err
		}
	}
	running := 0
	for n := range workloads {
		if workloadOf(n).replicated() {
			running++
		}
	}
	for n := range workloads {
		w := workloadOf(n)
		if w.replicated() {
			// As many for each as are left.
			w.replicas = pods / running
			pods, running = pods-w.replicas, running-1
		}
		if err := s.workload(ctx, w); err != nil {
			return err
		}
	}
	return s.flush(ctx)
}

// namespace writes one, a quarter with a LimitRange, a fifth with a ResourceQuota.
func (s *store) namespace(ctx context.Context, i int) error {
	name := namespaceName(i)
	labels := map[string]string{"kubernetes.io/metadata.name": name}
	switch i % 10 {
	case 0:
		labels["headroom.dev/mode"] = "enforce"
	case 1:
		labels["headroom.dev/mode"] = "off"
	case 2, 3:
		labels["headroom.dev/mutate"] = "enabled"
	}
	namespace := &corev1.Namespace{
		ObjectMeta: meta("", name, "Namespace", nil),
		Spec:       corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{"kubernetes"}},
		Status:     corev1.NamespaceStatus{Phase: corev1.NamespaceActive},
	}
	namespace.Labels = labels
	if err := s.put(ctx, "namespaces", namespace); err != nil {
		return err
	}
	if i%4 == 0 {
		limits := &corev1.LimitRange{ObjectMeta: meta(name, "defaults", "LimitRange", nil)}
		limits.Spec.Limits = []corev1.LimitRangeItem{{
			Type: corev1.LimitTypeContainer, DefaultRequest: amounts("100m", "128Mi"), Default: amounts("", "256Mi"),
		}}
		if err := s.put(ctx, "limitranges", limits); err != nil {
			return err
		}
	}
	if i%5 != 0 {
		return nil
	}
	quota := &corev1.ResourceQuota{ObjectMeta: meta(name, "compute", "ResourceQuota", nil)}
	quota.Spec.Hard = corev1.ResourceList{"requests.cpu": quantity("4000"), "requests.memory": quantity("8Ti")}
	return s.put(ctx, "resourcequotas", quota)
}

// workload writes a workload and what its controllers would have made of it.
func (s *store) workload(ctx context.Context, w workload) error {
	settings := &corev1.ConfigMap{ObjectMeta: meta(w.namespace, w.name, "ConfigMap", nil), Data: w.settings()}
	if err := s.put(ctx, "configmaps", settings); err != nil {
		return err
	}
	m := meta(w.namespace, w.name, w.kind, nil)
	selector := &metav1.LabelSelector{MatchLabels: w.labels()}
	replicas := int32(w.replicas) //nolint:gosec // a few
	var err error
	switch w.kind {
	case "Deployment":
		d := &appsv1.Deployment{ObjectMeta: m, Spec: appsv1.DeploymentSpec{
			Replicas: &replicas, Selector: selector, Template: w.template(),
		}}
		d.Status.Replicas, d.Status.ReadyReplicas = replicas, replicas
		if err = s.put(ctx, "deployments", d); err != nil {
			return err
		}
		return s.replicaSets(ctx, w, controller("apps/v1", m, w.kind))
	case "StatefulSet":
		set := &appsv1.StatefulSet{ObjectMeta: m, Spec: appsv1.StatefulSetSpec{
			Replicas: &replicas, Selector: selector, Template: w.template(), ServiceName: w.name,
		}}
		set.Status.Replicas = replicas
		err = s.put(ctx, "statefulsets", set)
	case "DaemonSet":
		set := &appsv1.DaemonSet{ObjectMeta: m, Spec: appsv1.DaemonSetSpec{Selector: selector, Template: w.template()}}
		set.Status.DesiredNumberScheduled, set.Status.CurrentNumberScheduled = replicas, replicas
		err = s.put(ctx, "daemonsets", set)
	case "CronJob":
		job := batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: w.template()}}
		cron := &batchv1.CronJob{ObjectMeta: m, Spec: batchv1.CronJobSpec{Schedule: "17 3 * * *", JobTemplate: job}}
		return s.put(ctx, "cronjobs", cron)
	case "Job":
		job := &batchv1.Job{ObjectMeta: m, Spec: batchv1.JobSpec{Selector: selector, Template: w.template()}}
		return s.put(ctx, "jobs", job)
	}
	if err != nil {
		return err
	}
	return s.pods(ctx, w, controller("apps/v1", m, w.kind))
}

func (s *store) replicaSets(ctx context.Context, w workload, owner metav1.OwnerReference) error {
	for i, replicas := range []int{0, w.replicas} {
		m := meta(w.namespace, fmt.Sprintf("%s-%x", w.name, 0x5d8c7f00+i), "ReplicaSet", &owner)
		count := int32(replicas) //nolint:gosec // a few
		set := &appsv1.ReplicaSet{ObjectMeta: m, Spec: appsv1.ReplicaSetSpec{
			Replicas: &count, Selector: &metav1.LabelSelector{MatchLabels: w.labels()}, Template: w.template(),
		}}
		set.Status.Replicas = count
		if err := s.put(ctx, "replicasets", set); err != nil {
			return err
		}
		if replicas > 0 {
			own := controller("apps/v1", m, "ReplicaSet")
			if err := s.pods(ctx, w, own); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *store) pods(ctx context.Context, w workload, owner metav1.OwnerReference) error {
	for i := range w.replicas {
		if err := s.put(ctx, "pods", w.pod(i, owner)); err != nil {
			return err
		}
	}
	return nil
}
