//go:build integration

package charts

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// TestPodsAreRestricted: what the Pod Security level restricted asks of every container.
func TestPodsAreRestricted(t *testing.T) {
	each(t, func(t *testing.T, _ []string, objects []object) {
		specs := map[string]corev1.PodSpec{}
		for _, o := range objects {
			switch o.GetKind() {
			case "Deployment":
				specs[o.name()] = as[appsv1.Deployment](t, o).Spec.Template.Spec
			case "Pod":
				specs[o.name()] = as[corev1.Pod](t, o).Spec
			}
		}
		for name, spec := range specs {
			pod := spec.SecurityContext
			if pod == nil || pod.RunAsNonRoot == nil || !*pod.RunAsNonRoot || *pod.RunAsUser == 0 ||
				pod.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault {
				t.Errorf("%s: security context %+v", name, pod)
			}
			if spec.HostNetwork || spec.HostPID || spec.HostIPC {
				t.Errorf("%s shares the node", name)
			}
			for _, container := range spec.Containers {
				c := container.SecurityContext
				if c == nil || *c.AllowPrivilegeEscalation || !*c.ReadOnlyRootFilesystem ||
					!slices.Equal(c.Capabilities.Drop, []corev1.Capability{"ALL"}) || len(c.Capabilities.Add) > 0 {
					t.Errorf("%s/%s: security context %+v", name, container.Name, c)
				}
			}
			for _, volume := range spec.Volumes {
				if volume.HostPath != nil {
					t.Errorf("%s mounts the node's %s", name, volume.HostPath.Path)
				}
			}
		}
	})
}

// TestAvailability: two replicas on different nodes, one always there, never fewer while
// they are replaced (W5, W17).
func TestAvailability(t *testing.T) {
	each(t, func(t *testing.T, settings []string, objects []object) {
		deployment := as[appsv1.Deployment](t, find(t, objects, "Deployment", ""))
		rollout := deployment.Spec.Strategy.RollingUpdate
		if *deployment.Spec.Replicas < 2 || rollout.MaxUnavailable.IntValue() != 0 || rollout.MaxSurge.IntValue() != 1 {
			t.Errorf("%d replicas, rollout %+v", *deployment.Spec.Replicas, rollout)
		}
		pod := deployment.Spec.Template.Spec
		var keys []string
		for _, constraint := range pod.TopologySpreadConstraints {
			keys = append(keys, constraint.TopologyKey)
		}
		if want := []string{"kubernetes.io/hostname", "topology.kubernetes.io/zone"}; !slices.Equal(keys, want) {
			t.Errorf("spread over %v", keys)
		}
		container := pod.Containers[0]
		if container.ReadinessProbe.HTTPGet.Path != "/readyz" || container.LivenessProbe.HTTPGet.Path != "/healthz" {
			t.Error("probes are missing")
		}
		preStop := int64(0)
		if container.Lifecycle != nil {
			preStop = container.Lifecycle.PreStop.Sleep.Seconds
		}
		if drain := int64(10); *pod.TerminationGracePeriodSeconds <= preStop+drain {
			t.Errorf("killed after %d s, before preStop (%d s) and drain (%d s) are over",
				*pod.TerminationGracePeriodSeconds, preStop, drain)
		}
		if slices.Contains(settings, "podDisruptionBudget.enabled=false") {
			return
		}
		budget := as[policyv1.PodDisruptionBudget](t, find(t, objects, "PodDisruptionBudget", ""))
		if budget.Spec.MinAvailable.IntValue() != 1 {
			t.Errorf("the budget is %+v", budget.Spec)
		}
		if pod.PriorityClassName != "system-cluster-critical" {
			t.Errorf("priority class %q", pod.PriorityClassName)
		}
		quota := as[corev1.ResourceQuota](t, find(t, objects, "ResourceQuota", ""))
		if got := quota.Spec.ScopeSelector.MatchExpressions[0].Values; !slices.Equal(got, []string{pod.PriorityClassName}) {
			t.Errorf("the quota is for %v", got)
		}
	})
}

// TestOneReplicaCanBeDrained: a budget of one Pod out of one would hold its node for ever.
func TestOneReplicaCanBeDrained(t *testing.T) {
	for _, o := range renderAll(t, "replicas=1") {
		if o.GetKind() == "PodDisruptionBudget" {
			t.Error("the only replica may never be evicted")
		}
	}
}

// TestNetwork: in comes only who calls the webhook or reads its metrics, out goes only what
// asks the API server (S5).
func TestNetwork(t *testing.T) {
	policy := as[networkingv1.NetworkPolicy](t, find(t, render(t), "NetworkPolicy", ""))
	if len(policy.Spec.PolicyTypes) != 2 {
		t.Errorf("types %v", policy.Spec.PolicyTypes)
	}
	var in, out []string
	for _, rule := range policy.Spec.Ingress {
		for _, port := range rule.Ports {
			in = append(in, port.Port.String())
			if port.Port.String() == "metrics" && len(rule.From) == 0 {
				t.Error("everybody may read the metrics")
			}
		}
	}
	for _, rule := range policy.Spec.Egress {
		for _, port := range rule.Ports {
			out = append(out, port.Port.String())
		}
	}
	if got, want := strings.Join(in, " ")+" | "+strings.Join(out, " "), "webhook metrics | 443 6443"; got != want {
		t.Errorf("ports %s, want %s", got, want)
	}
	objects := render(t, "networkPolicy.metricsFrom=null")
	closed := as[networkingv1.NetworkPolicy](t, find(t, objects, "NetworkPolicy", ""))
	if len(closed.Spec.Ingress) != 1 {
		t.Error("with nobody to read the metrics their port is still open")
	}
}

// TestMemory: request = limit, and the collector begins before the kernel ends it (W14).
func TestMemory(t *testing.T) {
	for limit, want := range map[string]string{"256Mi": "140MiB", "1Gi": "563MiB", "100Mi": "55MiB"} {
		objects := render(t, "resources.limits.memory="+limit, "resources.requests.memory="+limit)
		container := as[appsv1.Deployment](t, find(t, objects, "Deployment", "")).Spec.Template.Spec.Containers[0]
		if got := variable(container, "GOMEMLIMIT"); got != want {
			t.Errorf("under %s GOMEMLIMIT is %s, want %s", limit, got, want)
		}
		requests, limits := container.Resources.Requests, container.Resources.Limits
		if requests.Memory().Cmp(resource.MustParse(limit)) != 0 || limits.Memory().Cmp(*requests.Memory()) != 0 {
			t.Errorf("resources are %+v", container.Resources)
		}
		if !limits.Cpu().IsZero() || requests.Cpu().IsZero() {
			t.Errorf("a latency-sensitive container has CPU %s, limit %s", requests.Cpu(), limits.Cpu())
		}
	}
}

func variable(container corev1.Container, name string) string {
	for _, v := range container.Env {
		if v.Name == name {
			return v.Value
		}
	}
	return ""
}
