package source

import (
	"fmt"
	"strings"
	"testing"
)

// A chart that names another by a path is rendered with it, as behind "helm dependency build".
func TestChartsByAPath(t *testing.T) {
	asks := func(name, wanted, version, repository string) string {
		return chartFile(name) + fmt.Sprintf("dependencies:\n- {name: %s, version: %q, repository: %q}\n", wanted, version, repository)
	}
	const failed = "the Helm chart does not render: chart "
	tree(t, map[string]string{
		".git/HEAD":                    "",
		"base/Chart.yaml":              chartFile("base"),
		"base/templates/a.yaml":        pod("a"),
		"middle/Chart.yaml":            asks("middle", "base", "0.x", "file://../base/"),
		"middle/templates/b.yaml":      pod("b"),
		"top/Chart.yaml":               asks("top", "middle", "*", "file://../middle"),
		"top/templates/c.yaml":         pod("c"),
		"held/Chart.yaml":              chartFile("held"),
		"held/charts/inner/Chart.yaml": asks("inner", "base", "*", "file://../../../base"),
		"old/Chart.yaml":               "apiVersion: v1\nname: old\nversion: 0.1.0\n",
		"old/requirements.yaml":        "dependencies: [{name: base, version: 0.1.0, repository: 'file://../base'}]\n",
		"later/Chart.yaml":             asks("later", "base", ">=2", "file://../base"),
		"other/Chart.yaml":             asks("other", "base", "*", "file://../middle"),
		"nowhere/Chart.yaml":           asks("nowhere", "base", "*", "file://../nothing"),
		"remote/Chart.yaml":            asks("remote", "base", "*", "https://charts.example/base"),
		"circle/Chart.yaml":            asks("circle", "circle", "*", "file://../circle"),
		"linked/Chart.yaml":            asks("linked", "base", "*", "file://../way"),
		"way":                          "->" + t.TempDir(),
		"leaky/Chart.yaml":             asks("leaky", "drain", "*", "file://../drain"),
		"drain/Chart.yaml":             chartFile("drain"),
		"drain/templates/secret.yaml":  "->/etc/hostname",
	})
	for chart, want := range map[string]string{
		"top":     "top/charts/middle/charts/base/templates/a.yaml:1: Pod|top/charts/middle/templates/b.yaml:1: Pod|top/templates/c.yaml:1: Pod",
		"held":    "held/charts/inner/charts/base/templates/a.yaml:1: Pod",
		"old":     "old/charts/base/templates/a.yaml:1: Pod",
		"later":   "later: " + failed + "later needs chart base >=2, and file://../base leads to chart base 0.1.0",
		"other":   "other: " + failed + "other needs chart base *, and file://../middle leads to chart middle 0.1.0",
		"nowhere": "nowhere: " + failed + "nowhere needs chart base, and file://../nothing leads to no chart",
		"remote":  "remote: " + failed + "remote needs charts that its folder charts does not hold: base; run helm dependency build",
		"circle":  "circle: " + failed + "circle asks for itself: circle",
		"linked":  "linked: " + failed + "linked needs chart base, and file://../way leads to no chart",
		"leaky":   "drain/templates/secret.yaml: " + reasonLeadsOut,
	} {
		if got := describe(RenderHelm(HelmChart{Path: chart}, Options{})); got != want {
			t.Errorf("%s:\n got %s\nwant %s", chart, got, want)
		}
	}
}

// The chart of a path lies in the repository, or the working directory, and there are not too many of them.
func TestChartsByAPathAreBounded(t *testing.T) {
	outside := t.TempDir()
	files := map[string]string{".git/HEAD": ""}
	for i := range 10 { // each asks twice for the next: 1024 of the last
		name, next := fmt.Sprintf("c%d", i), fmt.Sprintf("c%d", i+1)
		twin := fmt.Sprintf("c%dtwin", i+1)
		files[name+"/Chart.yaml"] = chartFile(name) + fmt.Sprintf(
			"dependencies:\n- {name: %s, version: '*', repository: 'file://../%[1]s'}\n- {name: %s, version: '*', repository: 'file://../%[2]s'}\n",
			next, twin)
		files[name+"twin/Chart.yaml"] = strings.Replace(files[name+"/Chart.yaml"], "name: "+name, "name: "+name+"twin", 1)
	}
	files["c10/Chart.yaml"], files["c10twin/Chart.yaml"] = chartFile("c10"), chartFile("c10twin")
	files["out/Chart.yaml"] = chartFile("out") + "dependencies: [{name: away, version: '*', repository: 'file://" + outside + "/away'}]\n"
	tree(t, files)
	write(t, map[string]string{outside + "/away/Chart.yaml": chartFile("away"), outside + "/away/templates/a.yaml": pod("a")})
	if got := describe(RenderHelm(HelmChart{Path: "c0"}, Options{})); !strings.Contains(got, "it asks for more than 256 charts by a path") {
		t.Error(got)
	}
	if got := describe(RenderHelm(HelmChart{Path: "out"}, Options{})); !strings.HasSuffix(got, "away: "+errLeavesTree.Error()) {
		t.Error(got)
	}
	if got := describe(RenderHelm(HelmChart{Path: "out"}, Options{FollowLinks: true})); got != "out/charts/away/templates/a.yaml:1: Pod" {
		t.Error(got)
	}
}

// A chart that does not render without one of the values files beside it says so.
func TestValuesBesideAChart(t *testing.T) {
	needs := "apiVersion: v1\nkind: Pod\nmetadata: {name: {{ .Values.app.name }}}\n"
	tree(t, map[string]string{
		"java/Chart.yaml":               chartFile("java"),
		"java/templates/a.yaml":         needs,
		"java/values-java25.yaml":       "app: {name: a}\n",
		"java/values.yaml":              "",
		"tested/Chart.yaml":             chartFile("tested"),
		"tested/templates/a.yaml":       needs,
		"tested/ci/default-values.yaml": "app: {name: a}\n",
		"bare/Chart.yaml":               chartFile("bare"),
		"bare/templates/a.yaml":         needs,
	})
	for chart, want := range map[struct{ path, values string }]string{
		{"java", ""}:                        "; its folder has values for it: --values java/values-java25.yaml",
		{"tested", ""}:                      "; its folder has values for it: --values tested/ci/default-values.yaml",
		{"bare", ""}:                        "evaluating interface {}.name",
		{"java", "java/values-java25.yaml"}: "java/templates/a.yaml:1: Pod",
	} {
		from := HelmChart{Path: chart.path}
		if chart.values != "" {
			from.Values = []string{chart.values}
		}
		if got := describe(RenderHelm(from, Options{})); !strings.HasSuffix(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", chart.path, got, want)
		}
	}
}
