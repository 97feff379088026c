//go:build integration

package charts

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
	corev1 "k8s.io/api/core/v1"

	"github.com/headroom-dev/headroom/internal/audit/watch/metrics"
	"github.com/headroom-dev/headroom/tests/harness/history"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// watched writes into a history what the audit of one cluster exports.
func watched(t *testing.T, h *history.History, cluster string) {
	t.Helper()
	m := metrics.New(cluster)
	tally := metrics.NewTally(map[string]func() (int, time.Duration){
		metrics.Judge: func() (int, time.Duration) { return 0, 0 },
	})
	m.Register(tally)
	m.Synced(h.End)
	tally.Replace(nil, &metrics.Verdict{Namespace: "shop", Worst: metrics.None})
	tally.Replace(nil, &metrics.Verdict{
		Namespace: "shop", Worst: "error", Findings: map[metrics.Found]int{
			{Rule: "HR202", Severity: "error"}: 1, {Rule: "HR609", Severity: "warning"}: 1,
		},
	})
	families, err := m.Registry().Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, metric := range family.GetMetric() {
			labels := history.Labels{}
			for _, l := range metric.GetLabel() {
				labels[l.GetName()] = l.GetValue()
			}
			if gauge := metric.GetGauge(); gauge != nil {
				h.Add(family.GetName(), labels, h.Ago(10*time.Minute), h.End, history.Constant(gauge.GetValue()))
			}
		}
	}
}

// TestDashboardIsGrafanas: the dashboard and its panels are what Grafana's published schema has, and a mistake would show.
func TestDashboardIsGrafanas(t *testing.T) {
	text := as[corev1.ConfigMap](t, find(t, render(t, "metrics.dashboard.enabled=true"), "ConfigMap", "headroom-dashboard")).Data["headroom.json"]
	for _, tc := range []struct{ name, text, want string }{
		{"as it is", text, ""},
		{"an unknown option", strings.Replace(text, `"showLegend"`, `"showLegends"`, 1), "legend"},
		{"another type", strings.Replace(text, `"showLegend": true`, `"showLegend": "yes"`, 1), "legend"},
		{"an unknown key", strings.Replace(text, `"schemaVersion"`, `"schemaVersions"`, 1), "schemaVersion"},
	} {
		check := exec.CommandContext(t.Context(), repo.Tool("dashboard"))
		check.Stdin = strings.NewReader(tc.text)
		out, err := check.CombinedOutput()
		if (err == nil) != (tc.want == "") || !strings.Contains(string(out), tc.want) {
			t.Errorf("%s: %v\n%s", tc.name, err, out)
		}
	}
}

// TestDashboardOfClusters: a Prometheus that has the metrics of two clusters, and of one without a name, answers every
// query of the audit's panels with each of them.
func TestDashboardOfClusters(t *testing.T) {
	h := history.New()
	for _, cluster := range []string{"a", "b", ""} {
		watched(t, h, cluster)
	}
	server := history.Start(t, h, history.Options{})
	client, err := api.NewClient(api.Config{Address: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	objects := render(t, "metrics.dashboard.enabled=true")
	text := as[corev1.ConfigMap](t, find(t, objects, "ConfigMap", "headroom-dashboard")).Data["headroom.json"]
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Name, AllValue string }
		}
	}
	if err := json.Unmarshal([]byte(text), &dashboard); err != nil {
		t.Fatal(err)
	}
	everyone := ""
	for _, variable := range dashboard.Templating.List {
		if variable.Name == "cluster" {
			everyone = variable.AllValue
		}
	}
	asked := 0
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			if !strings.Contains(target.Expr, "$cluster") {
				continue
			}
			asked++
			// Grafana writes All as it is told to, and several as alternatives.
			for value, want := range map[string][]string{everyone: {"", "a", "b"}, "(a|b)": {"a", "b"}, "b": {"b"}} {
				answer, _, _, err := v1.NewAPI(client).Query(t.Context(), strings.ReplaceAll(target.Expr, "$cluster", value), h.End)
				if err != nil {
					t.Errorf("%s: %v", panel.Title, err)
					continue
				}
				var got []string
				for _, sample := range answer.(model.Vector) {
					got = append(got, string(sample.Metric["cluster"]))
				}
				slices.Sort(got)
				if got = slices.Compact(got); !slices.Equal(got, want) {
					t.Errorf("%s of %q: clusters %q, want %q", panel.Title, value, got, want)
				}
			}
		}
	}
	const panels = 8
	if asked != panels {
		t.Errorf("%d queries choose the cluster", asked)
	}
}
