//go:build integration

package charts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/webhook/metrics"
)

// renderedRules writes the rules as Prometheus reads them.
func renderedRules(t testing.TB, settings ...string) (string, ruleGroups) {
	t.Helper()
	objects := render(t, append(settings, "metrics.prometheusRule.enabled=true")...)
	groups := as[prometheusRule](t, find(t, objects, "PrometheusRule", "")).Spec
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

func TestRulesAreValid(t *testing.T) {
	file, _ := renderedRules(t)
	if out, err := tool(t, "alerts", "check", file); err != nil {
		t.Error(out)
	}
}

// TestAlertsFire runs testdata/alerts.yaml: with T14's threshold, T5's container, and each
// failure of the webhook.
func TestAlertsFire(t *testing.T) {
	file, groups := renderedRules(t)
	content, err := os.ReadFile("testdata/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	tests := filepath.Join(filepath.Dir(file), "tests.yaml")
	if err := os.WriteFile(tests, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := tool(t, "alerts", "test", tests); err != nil {
		t.Error(out)
	}
	for _, alert := range alerts(groups) {
		if !strings.Contains(string(content), "alertname: "+alert.Alert+", severity") {
			t.Errorf("testdata/alerts.yaml never makes %s fire", alert.Alert)
		}
	}
}

func alerts(groups ruleGroups) []rule {
	var all []rule
	for _, group := range groups.Groups {
		for _, rule := range group.Rules {
			if rule.Alert != "" {
				all = append(all, rule)
			}
		}
	}
	return all
}

// TestAlertsFollowTheName: another release's alerts look at that release.
func TestAlertsFollowTheName(t *testing.T) {
	_, groups := renderedRules(t, "fullnameOverride=other")
	text := ""
	for _, alert := range alerts(groups) {
		text += alert.Expr + "\n"
	}
	if strings.Contains(text, "headroom-webhook") || !strings.Contains(text, `job="other-webhook"`) {
		t.Errorf("expressions:\n%s", text)
	}
}

// TestRunbooks: every alert says what is wrong and links to a heading that exists.
func TestRunbooks(t *testing.T) {
	page, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, groups := renderedRules(t)
	for _, alert := range alerts(groups) {
		if alert.Annotations["summary"] == "" || alert.Annotations["description"] == "" ||
			!slices.Contains([]string{"warning", "critical"}, alert.Labels["severity"]) {
			t.Errorf("%s lacks summary, description or severity", alert.Alert)
		}
		want := "https://github.com/headroom-dev/headroom/blob/main/docs/operations.md#" + strings.ToLower(alert.Alert)
		if alert.Annotations["runbook_url"] != want {
			t.Errorf("%s links to %s", alert.Alert, alert.Annotations["runbook_url"])
		}
		if !strings.Contains(string(page), "### "+alert.Alert+"\n") {
			t.Errorf("docs/operations.md has no heading %s", alert.Alert)
		}
	}
}

// others are metrics of other programs: cAdvisor (T14), kube-state-metrics, the API server,
// Prometheus, and the Go client's collector of the process.
var others = []string{
	"container_cpu_cfs_periods_total", "container_cpu_cfs_throttled_periods_total",
	"container_cpu_cfs_throttled_seconds_total",
	"kube_deployment_spec_replicas", "kube_deployment_status_replicas_available",
	"apiserver_admission_webhook_fail_open_count", "apiserver_admission_webhook_rejection_count",
	"apiserver_admission_webhook_admission_duration_seconds_bucket",
	"up", "process_cpu_seconds_total", "process_resident_memory_bytes",
	"headroom:container_cpu_throttled_periods:ratio_rate5m",
}

// TestMetricsExist: alerts and dashboard read what the webhook exports, under that name.
func TestMetricsExist(t *testing.T) {
	exported := map[string]bool{}
	for _, name := range others {
		exported[name] = true
	}
	for _, name := range exportedMetrics(t) {
		exported[name] = true
	}
	rules, _ := renderedRules(t)
	for what, file := range map[string]string{"alerts": rules, "dashboard": dashboardRules(t)} {
		out, err := tool(t, "alerts", "metrics", file)
		if err != nil {
			t.Fatal(out)
		}
		for _, name := range strings.Fields(out) {
			if !exported[name] {
				t.Errorf("the %s read %s, which nothing exports", what, name)
			}
		}
	}
}

// exportedMetrics are the names of the webhook's metrics, each used once so that it shows.
func exportedMetrics(t testing.TB) []string {
	t.Helper()
	m := metrics.New([]string{"HR202"})
	m.Answered(metrics.Validate, metrics.Allowed, metrics.Hit, time.Millisecond)
	m.Found("HR202", "error")
	m.Patched("HR202")
	m.Erred(metrics.ErrorDeadline)
	m.Panicked()
	m.Cached(true)
	m.Started()()
	m.ConfigLoaded(time.Now(), nil)
	m.CertificateExpires(time.Now())
	m.CacheEntries(func() int { return 0 })
	families, err := m.Registry().Gather()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, family := range families {
		name := family.GetName()
		names = append(names, name, name+"_bucket", name+"_sum", name+"_count")
	}
	return names
}

// dashboardRules writes every query of the dashboard as a rule, with Grafana's variables
// filled in, so that Prometheus' parser reads them.
func dashboardRules(t testing.TB) string {
	t.Helper()
	objects := render(t, "metrics.dashboard.enabled=true")
	data := as[corev1.ConfigMap](t, find(t, objects, "ConfigMap", "headroom-dashboard")).Data
	var dashboard struct {
		Panels []struct {
			ID      int    `json:"id"`
			Title   string `json:"title"`
			Targets []struct {
				Expr string `json:"expr"`
			} `json:"targets"`
		} `json:"panels"`
	}
	if err := json.Unmarshal([]byte(data["headroom.json"]), &dashboard); err != nil {
		t.Fatal(err)
	}
	fill := strings.NewReplacer(
		"$__rate_interval", "5m", "$__range", "6h", "$job", "headroom-webhook", "$namespace", ".+")
	var rules []map[string]string
	seen := map[int]bool{}
	for _, panel := range dashboard.Panels {
		if seen[panel.ID] || panel.Title == "" {
			t.Errorf("panel %d %q: its number is taken, or it has no title", panel.ID, panel.Title)
		}
		seen[panel.ID] = true
		for _, target := range panel.Targets {
			rules = append(rules, map[string]string{"record": "panel", "expr": fill.Replace(target.Expr)})
		}
	}
	if len(rules) < 20 {
		t.Errorf("the dashboard has %d queries", len(rules))
	}
	content, err := yaml.Marshal(map[string]any{"groups": []any{map[string]any{"name": "dashboard", "rules": rules}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "dashboard.yaml")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
