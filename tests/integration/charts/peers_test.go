//go:build integration

package charts

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// deployments are the webhook's and the audit's, by the name of their container.
func deployments(t *testing.T, settings ...string) map[string]appsv1.Deployment {
	t.Helper()
	found := map[string]appsv1.Deployment{}
	for _, o := range render(t, append(settings, "audit.enabled=true")...) {
		if o.GetKind() != "Deployment" {
			continue
		}
		d := as[appsv1.Deployment](t, o)
		found[d.Spec.Template.Spec.Containers[0].Name] = d
	}
	return found
}

// TestHostNetwork moves the webhook to its node, with ports that are free there, and leaves the audit where it was.
func TestHostNetwork(t *testing.T) {
	found := deployments(t, "hostNetwork=true", "ports.webhook=19443", "ports.metrics=18080", "ports.probes=18081")
	pod := found["webhook"].Spec.Template.Spec
	if !pod.HostNetwork || pod.DNSPolicy != corev1.DNSClusterFirstWithHostNet {
		t.Errorf("host network %t, DNS %s", pod.HostNetwork, pod.DNSPolicy)
	}
	container := pod.Containers[0]
	for flag, port := range map[string]int32{"--listen=:19443": 19443, "--metrics-listen=:18080": 18080, "--probe-listen=:18081": 18081} {
		if !slices.Contains(container.Args, flag) ||
			!slices.ContainsFunc(container.Ports, func(p corev1.ContainerPort) bool { return p.ContainerPort == port }) {
			t.Errorf("%s: %v, %v", flag, container.Args, container.Ports)
		}
	}
	if audit := found["audit"].Spec.Template.Spec; audit.HostNetwork {
		t.Error("the audit is on its node's network")
	}
	for _, o := range render(t, "hostNetwork=true", "ports.webhook=19443") {
		if o.GetKind() != "Service" {
			continue
		}
		for _, port := range as[corev1.Service](t, o).Spec.Ports {
			if port.TargetPort.IntVal != 0 {
				t.Errorf("%s leads to the number %s and not to the name of a port", o.GetName(), port.TargetPort.String())
			}
		}
	}
}

// TestExtras puts flags and variables behind the chart's own.
func TestExtras(t *testing.T) {
	found := deployments(t, "extraArgs={--log-level=debug,--x}", "extraEnv[0].name=A", "extraEnv[0].value=one", "audit.extraArgs={--y}",
		"audit.extraEnv[0].name=B", "audit.extraEnv[0].valueFrom.fieldRef.fieldPath=metadata.uid", "revisionHistoryLimit=7")
	for name, want := range map[string]struct{ arg, env string }{"webhook": {"--x", "A"}, "audit": {"--y", "B"}} {
		d := found[name]
		container := d.Spec.Template.Spec.Containers[0]
		if last := container.Args[len(container.Args)-1]; last != want.arg {
			t.Errorf("%s ends with %s", name, last)
		}
		if last := container.Env[len(container.Env)-1]; last.Name != want.env || container.Env[0].Name != "GOMAXPROCS" {
			t.Errorf("%s has %+v", name, container.Env)
		}
		if n := d.Spec.RevisionHistoryLimit; n == nil || *n != 7 {
			t.Errorf("%s keeps %v revisions", name, n)
		}
	}
}

// TestCommonLabels wants them on every object and Pod, and in no selector.
func TestCommonLabels(t *testing.T) {
	for _, o := range render(t, "commonLabels.team=sre", "commonLabels.both=common", "podLabels.both=pod", "audit.enabled=true",
		"metrics.serviceMonitor.enabled=true", "metrics.prometheusRule.enabled=true", "metrics.dashboard.enabled=true") {
		if o.GetLabels()["team"] != "sre" {
			t.Errorf("%s %s has the labels %v", o.GetKind(), o.GetName(), o.GetLabels())
		}
	}
	for name, d := range deployments(t, "commonLabels.team=sre", "commonLabels.both=common", "podLabels.both=pod") {
		labels := d.Spec.Template.Labels
		if labels["team"] != "sre" || labels["both"] != "pod" {
			t.Errorf("Pods of %s have the labels %v", name, labels)
		}
		if _, selects := d.Spec.Selector.MatchLabels["team"]; selects {
			t.Errorf("%s selects by a label that may change", name)
		}
	}
}

func TestPeersSchema(t *testing.T) {
	for _, setting := range []string{
		"ports.webhook=80", "ports.other=9000", "hostNetwork=maybe", "extraArgs[0]=", "extraEnv[0].value=one", "extraEnv[0].name=A,extraEnv[0].value=1",
		`commonLabels.app\.kubernetes\.io/name=x`, "revisionHistoryLimit=-1",
	} {
		if _, err := tryTemplates(t, setting); err == nil {
			t.Errorf("%s is taken", setting)
		}
	}
}
