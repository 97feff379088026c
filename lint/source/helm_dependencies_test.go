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
	asked := func(name string) string {
		return "the Helm chart does not render: chart " + name +
			" needs charts that its folder charts does not hold: base; run helm dependency build"
	}
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
		"later":   "later: " + asked("later"),
		"other":   "other: " + asked("other"),
		"nowhere": "nowhere: " + asked("nowhere"),
		"remote":  "remote: " + asked("remote"),
		"circle":  "circle: the Helm chart does not render: chart circle asks for itself: circle",
		"linked":  "linked: " + asked("linked"),
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
