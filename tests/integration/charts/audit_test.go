//go:build integration

package charts

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
)

const auditing = "audit.enabled=true"

func audits(objects []object) []object {
	return slices.DeleteFunc(slices.Clone(objects), func(o object) bool { return !o.audits() })
}

// TestAuditIsAskedFor: without the value there is nothing of it.
func TestAuditIsAskedFor(t *testing.T) {
	for _, o := range audits(renderAll(t, strings.Fields(monitoring)...)) {
		t.Errorf("%s is there", o.name())
	}
}

// TestAudit: its objects call each other by their names, it does not mount the webhook's key,
// and what is not its own it shares.
func TestAudit(t *testing.T) {
	each(t, func(t *testing.T, settings []string, objects []object) {
		if !slices.Contains(settings, auditing) {
			return
		}
		own := audits(objects)
		deployment := as[appsv1.Deployment](t, own[slices.IndexFunc(own, kindIs("Deployment"))])
		service := as[corev1.Service](t, own[slices.IndexFunc(own, kindIs("Service"))])
		pod := deployment.Spec.Template
		for key, value := range service.Spec.Selector {
			if pod.Labels[key] != value || deployment.Spec.Selector.MatchLabels[key] != value {
				t.Errorf("selector %s=%s is not the Pods' label %q", key, value, pod.Labels[key])
			}
		}
		webhook := as[corev1.Service](t, find(t, objects, "Service", ""))
		if maps.Equal(webhook.Spec.Selector, service.Spec.Selector) {
			t.Error("the webhook's Service selects the audit's Pods: the API server would call them")
		}
		for _, volume := range pod.Spec.Volumes {
			if volume.ConfigMap == nil {
				of := map[string]string{"metrics-tls": "scrape", "prometheus-token": "token"}
				if of[volume.Name] == "" || volume.Secret.SecretName != of[volume.Name] {
					t.Errorf("volume %s is more than the config", volume.Name)
				}
				continue
			}
			if volume.Name == "prometheus-ca" && volume.ConfigMap.Name == "ca" {
				continue // the user's
			}
			find(t, objects, "ConfigMap", volume.ConfigMap.Name)
		}
		for _, o := range own {
			if o.GetKind() != "ClusterRoleBinding" && o.GetKind() != "RoleBinding" {
				continue
			}
			binding := as[rbacv1.ClusterRoleBinding](t, o)
			find(t, own, binding.RoleRef.Kind, binding.RoleRef.Name)
			if got := binding.Subjects[0]; got.Name != pod.Spec.ServiceAccountName || got.Namespace != namespace {
				t.Errorf("%s binds %s, the Pods are %s", o.name(), got.Name, pod.Spec.ServiceAccountName)
			}
		}
		if got := as[appsv1.Deployment](t, find(t, objects, "Deployment", "")).Spec.Template.Spec; got.ServiceAccountName ==
			pod.Spec.ServiceAccountName {
			t.Error("webhook and audit share a ServiceAccount, and so their rights")
		}
	})
}

func kindIs(kind string) func(object) bool { return func(o object) bool { return o.GetKind() == kind } }

// TestAuditNetwork: in comes who reads the metrics, out goes what asks the API server.
func TestAuditNetwork(t *testing.T) {
	policy := as[networkingv1.NetworkPolicy](t, find(t, render(t, auditing), "NetworkPolicy", "headroom-audit"))
	if len(policy.Spec.PolicyTypes) != 2 || len(policy.Spec.Ingress) != 1 || len(policy.Spec.Ingress[0].From) == 0 ||
		policy.Spec.Ingress[0].Ports[0].Port.String() != "metrics" {
		t.Errorf("%+v", policy.Spec)
	}
	closed := as[networkingv1.NetworkPolicy](t,
		find(t, render(t, auditing, "networkPolicy.metricsFrom=null"), "NetworkPolicy", "headroom-audit"))
	if len(closed.Spec.PolicyTypes) != 2 || len(closed.Spec.Ingress) != 0 {
		t.Errorf("with nobody to read the metrics: %+v", closed.Spec)
	}
}

// TestAuditPrometheus: the flags say who is asked and with which files, and the network lets that through.
func TestAuditPrometheus(t *testing.T) {
	objects := render(t, auditing, "audit.prometheus.url=https://prometheus.example:9090/x", "audit.prometheus.every=30m",
		"audit.prometheus.window=2d", "audit.prometheus.timeout=2m",
		`audit.prometheus.matchers={cluster="a"}`, "audit.prometheus.tokenSecretName=token",
		"audit.prometheus.caConfigMapName=ca", "networkPolicy.prometheusPorts={9091,9093}")
	deployment := as[appsv1.Deployment](t, find(t, objects, "Deployment", "headroom-audit"))
	container := deployment.Spec.Template.Spec.Containers[0]
	for _, argument := range []string{
		"--prometheus=https://prometheus.example:9090/x", "--prometheus-every=30m", `--prometheus-matcher=cluster="a"`,
		"--prometheus-window=2d", "--prometheus-step=5m", "--prometheus-timeout=2m",
		"--prometheus-token-file=/prometheus-token/token", "--prometheus-ca-file=/prometheus-ca/ca.crt",
	} {
		if !slices.Contains(container.Args, argument) {
			t.Errorf("%s is not in %q", argument, container.Args)
		}
		_, file, _ := strings.Cut(argument, "=/")
		mounted := func(m corev1.VolumeMount) bool { return m.ReadOnly && m.MountPath == filepath.Dir("/"+file) }
		if file != "" && !slices.ContainsFunc(container.VolumeMounts, mounted) {
			t.Errorf("nothing is mounted for %s", argument)
		}
	}
	egress := func(objects []object) (ports []string) {
		policy := as[networkingv1.NetworkPolicy](t, find(t, objects, "NetworkPolicy", "headroom-audit"))
		for _, rule := range policy.Spec.Egress {
			for _, port := range rule.Ports {
				ports = append(ports, string(*port.Protocol)+" "+port.Port.String())
			}
		}
		return ports
	}
	server := []string{"TCP 443", "TCP 6443"}
	if got := egress(render(t, auditing)); !slices.Equal(got, server) {
		t.Errorf("without a Prometheus %q", got)
	}
	for url, ports := range map[string][]string{
		"http://prometheus.monitoring:9090":       {"9090"},
		"http://prometheus.monitoring:9091/x?a=b": {"9091", "9090"},
		"http://prometheus.monitoring":            {"80", "9090"},
		"https://prometheus.example/x:8080/":      {"443", "9090"},
		"https://user@[2001:db8::1]:8443":         {"8443", "9090"},
		"https://[2001:db8::1]":                   {"443", "9090"},
	} {
		want := append(slices.Clone(server), "UDP 53", "TCP 53")
		for _, port := range ports {
			want = append(want, "TCP "+port)
		}
		if got := egress(render(t, auditing, "audit.prometheus.url="+url)); !slices.Equal(got, want) {
			t.Errorf("to %s: %q, want %q", url, got, want)
		}
	}
	if got := egress(objects); !slices.Equal(got, append(server, "UDP 53", "TCP 53", "TCP 9091", "TCP 9093")) {
		t.Errorf("with ports that were given: %q", got)
	}
}

// TestAuditComponent: the kustomize component is the chart's audit.
func TestAuditComponent(t *testing.T) {
	files := filesys.MakeFsOnDisk()
	const dir = kustomizeDir + "components/audit/"
	content, err := files.ReadFile(dir + "kustomization.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var component struct {
		Kind      string   `json:"kind"`
		Resources []string `json:"resources"`
	}
	if err := yaml.Unmarshal(content, &component); err != nil || component.Kind != "Component" {
		t.Fatal(component, err)
	}
	var objects []object
	for _, file := range component.Resources {
		content, err := files.ReadFile(dir + file)
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, parse(t, file, string(content))...)
	}
	compareObjects(t, normal(t, audits(render(t, auditing))), normal(t, objects), "")
}

// TestAuditRules: the alerts of the audit parse, fire as testdata says, follow the release's
// name, read metrics that exist, and say what to do.
func TestAuditRules(t *testing.T) {
	write := func(settings ...string) (string, ruleGroups) {
		name := "headroom-audit"
		if len(settings) > 0 {
			name = "other-audit"
		}
		objects := render(t, append(settings, auditing, "metrics.prometheusRule.enabled=true")...)
		groups := as[prometheusRule](t, find(t, objects, "PrometheusRule", name)).Spec
		content, err := yaml.Marshal(groups)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "rules.yaml")
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return file, groups
	}
	file, groups := write()
	cases, err := os.ReadFile("testdata/alerts-audit.yaml")
	if err != nil {
		t.Fatal(err)
	}
	testRules(t, groups, cases)
	page, err := os.ReadFile("../../../docs/continuous-audit.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, alert := range alerts(groups) {
		if !strings.Contains(string(cases), "alertname: "+alert.Alert+", severity") {
			t.Errorf("testdata/alerts-audit.yaml never makes %s fire", alert.Alert)
		}
		want := "https://github.com/headroom-dev/headroom/blob/main/docs/continuous-audit.md#" + strings.ToLower(alert.Alert)
		if alert.Annotations["runbook_url"] != want || !strings.Contains(string(page), "### "+alert.Alert+"\n") {
			t.Errorf("%s links to %s, which must be a heading of docs/continuous-audit.md",
				alert.Alert, alert.Annotations["runbook_url"])
		}
	}
	_, other := write("fullnameOverride=other")
	for _, alert := range alerts(other) {
		if strings.Contains(alert.Expr, "headroom-audit") || !strings.Contains(alert.Expr, `job="other-audit"`) {
			t.Errorf("another release's alert: %s", alert.Expr)
		}
	}
	exported := auditMetrics(t)
	for _, name := range metricsOf(t, file) {
		if !slices.Contains(exported, name) {
			t.Errorf("the alerts read %s, which nothing exports", name)
		}
		if !strings.Contains(string(page), name) {
			t.Errorf("docs/continuous-audit.md does not mention %s", name)
		}
	}
	for _, name := range exported {
		if strings.HasPrefix(name, "headroom_audit") && !strings.Contains(string(page), name) {
			t.Errorf("docs/continuous-audit.md does not mention %s", name)
		}
	}
}

// auditMetrics are the names of the audit's metrics, each used once so that it shows.
func auditMetrics(t testing.TB) []string {
	t.Helper()
	m := metrics.New("")
	tally := metrics.NewTally(map[string]func() (int, time.Duration){
		metrics.Judge: func() (int, time.Duration) { return 0, 0 },
	})
	m.Register(tally)
	tally.Replace(nil, &metrics.Verdict{
		Namespace: "shop", Worst: "error", Findings: map[metrics.Found]int{{Rule: "HR202", Severity: "error"}: 1},
	})
	m.Judged()
	m.Erred(metrics.ErrorRead)
	m.Took(metrics.Judge, time.Second)
	m.Wrote(metrics.Create, nil)
	m.Writes("openreports.io/v1alpha1")
	m.Measured(time.Now(), nil)
	families, err := m.Registry().Gather()
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(families))
	for _, family := range families {
		names = append(names, family.GetName())
	}
	return names
}
