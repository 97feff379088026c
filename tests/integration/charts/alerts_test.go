//go:build integration

package charts

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
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
	if out, err := tool(t, "promtool", "check", "rules", file); err != nil {
		t.Error(out)
	}
}

// testRules runs promtool's tests of rules. It compares every annotation, so the rules keep their
// summary alone; that there are the others is TestRunbooks'.
func testRules(t testing.TB, groups ruleGroups, tests []byte) {
	t.Helper()
	dir := t.TempDir()
	short := ruleGroups{}
	for _, group := range groups.Groups {
		group.Rules = slices.Clone(group.Rules)
		for i, rule := range group.Rules {
			if rule.Alert != "" {
				group.Rules[i].Annotations = map[string]string{"summary": rule.Annotations["summary"]}
			}
		}
		short.Groups = append(short.Groups, group)
	}
	rules, err := yaml.Marshal(short)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"rules.yaml": rules, "tests.yaml": tests} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := tool(t, "promtool", "test", "rules", filepath.Join(dir, "tests.yaml")); err != nil {
		t.Error(out)
	}
}

// TestAlertsFire runs testdata/alerts.yaml: with T14's threshold, T5's container, and each
// failure of the webhook.
func TestAlertsFire(t *testing.T) {
	_, groups := renderedRules(t)
	content, err := os.ReadFile("testdata/alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	testRules(t, groups, content)
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
	for _, name := range slices.Concat(exportedMetrics(t), auditMetrics(t)) {
		exported[name] = true
	}
	rules, _ := renderedRules(t)
	for what, file := range map[string]string{"alerts": rules, "dashboard": dashboardRules(t)} {
		for _, name := range metricsOf(t, file) {
			if !exported[name] {
				t.Errorf("the %s read %s, which nothing exports", what, name)
			}
		}
	}
}

// What stands in an expression and is no metric: strings, selectors, ranges, lists of labels,
// and names that a bracket follows, which are functions.
var (
	noMetric = regexp.MustCompile(`\b[a-z_]+\s+(by|without)\s*\([^)]*\)|"[^"]*"|\{[^}]*\}|\[[^]]*\]|` +
		`\b(by|without|on|ignoring|group_left|group_right)\s*(\([^)]*\))?|\b[a-z_]+\s*\(|\b[0-9][0-9a-z.]*`)
	identifier = regexp.MustCompile(`[a-zA-Z_:][a-zA-Z0-9_:]*`)
	operators  = []string{"and", "or", "unless", "bool", "offset"}
)

// metricsOf are the metrics that a file of rules reads. promtool reads the file, so what stands
// in it can be parsed.
func metricsOf(t testing.TB, file string) []string {
	t.Helper()
	if out, err := tool(t, "promtool", "check", "rules", "--lint=none", file); err != nil {
		t.Fatal(out)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var groups ruleGroups
	if err := yaml.Unmarshal(content, &groups); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, group := range groups.Groups {
		for _, rule := range group.Rules {
			for _, name := range identifier.FindAllString(noMetric.ReplaceAllString(rule.Expr, " "), -1) {
				if !slices.Contains(operators, name) {
					names = append(names, name)
				}
			}
		}
	}
	if len(names) == 0 {
		t.Fatalf("%s reads no metric", file)
	}
	return names
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
	m.ConfigLoaded(time.Now(), nil, false)
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
		"$__rate_interval", "5m", "$__range", "6h", "$job", "headroom-webhook", "$namespace", ".+", "$cluster", "a|b")
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
