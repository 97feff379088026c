//go:build integration

package changed

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

// chart has two workloads, of which one takes its limit from the values.
func chart() map[string]string {
	template := func(name string) string {
		return strings.Replace(strings.Replace(sound(name), "metadata: {name: "+name+"}",
			"metadata:\n  name: "+name+"\n  labels: {helm.sh/chart: \"{{ .Chart.Name }}-{{ .Chart.Version }}\"}", 1),
			"              memory: 1Gi\n", "              memory: 1Gi\n              {{- with .Values."+name+".cpu }}\n"+
				"              cpu: {{ . }}\n              {{- end }}\n", 1)
	}
	return map[string]string{
		"charts/shop/Chart.yaml":  "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
		"charts/shop/values.yaml": "a: {}\nb: {cpu: 2}\n", "production.yaml": "c: {}\n",
		"charts/shop/templates/a.yaml": template("a"), "charts/shop/templates/b.yaml": template("b"),
	}
}

// What is not judged is said: a chart of a folder whose templates are touched, and one that renders to nothing now.
func TestChartsThatAreNotJudged(t *testing.T) {
	files := chart()
	files["plain.yaml"] = deployment("plain")
	r := start(t, files)
	if out := r.headroom(".", "lint", ".", "--changed-since", "main"); strings.Contains(out.stdout, "charts/shop") {
		t.Errorf("untouched: %s", out.stdout)
	}
	r.edit("charts/shop/templates/b.yaml", "shop:1", "shop:2")
	if out := r.headroom(".", "lint", ".", "--changed-since", "main"); !strings.Contains(out.stdout, "ot judged: charts/shop, a Helm chart") {
		t.Errorf("a template: %s", out.stdout)
	}
	r.write(map[string]string{"charts/shop/templates/a.yaml": "{{ if false }}{{ end }}", "charts/shop/templates/b.yaml": ""})
	out := r.headroom(".", "lint", "--helm-chart", "charts/shop", "--changed-since", "main")
	if !strings.Contains(out.stdout, "renders to nothing") {
		t.Errorf("switched off: %s", out.stdout)
	}
}

func TestChart(t *testing.T) {
	r := start(t, chart())
	lint := func() report { return r.lint("--helm-chart", "charts/shop", "--values", "production.yaml") }
	want(t, "nothing changed", lint().counted())
	r.edit("charts/shop/Chart.yaml", "1.0.0", "1.0.1")
	want(t, "a version, on the label of every object", lint().counted())
	r.edit("charts/shop/values.yaml", "a: {}", "a: {cpu: 1}")
	got := lint()
	want(t, "the chart's values", got.counted(), "HR202 a new")
	want(t, "states", got.states(), "a touched")
	r.git("checkout", "-q", "--", "charts/shop/values.yaml")
	r.edit("production.yaml", "c: {}", "a: {cpu: 3}")
	want(t, "values of the user", lint().counted(), "HR202 a new")
	r.git("checkout", "-q", "--", "production.yaml")
	r.edit("charts/shop/templates/b.yaml", "shop:1", "shop:2")
	want(t, "a template", lint().counted(), "HR202 b")
	r.write(map[string]string{"charts/shop/templates/b.yaml": "{{ broken"})
	if got := lint(); got.code != 2 {
		t.Errorf("exit code %d", got.code)
	}
	r.commit("broken")
	r.git("branch", "-f", "main")
	r.write(chart())
	got = lint()
	want(t, "fixed", got.counted(), "HR202 b new")
	if len(got.Changed.Notes) != 1 || strings.Contains(got.Changed.Notes[0], os.TempDir()+"/headroom") {
		t.Errorf("notes %q", got.Changed.Notes)
	}
}

// TestChartByAPath changes the chart that another one names by a path.
func TestChartByAPath(t *testing.T) {
	files := chart()
	files["apps/all/Chart.yaml"] = "apiVersion: v2\nname: all\nversion: 1.0.0\n" +
		"dependencies: [{name: shop, version: 1.x, repository: \"file://../../charts/shop\"}]\n"
	r := start(t, files)
	lint := func() report { return r.lint("--helm-chart", "apps/all") }
	want(t, "nothing changed", lint().counted())
	r.edit("charts/shop/values.yaml", "a: {}", "a: {cpu: 1}")
	want(t, "the other chart's values", lint().counted(), "HR202 a new")
}

// TestChartIsNew has nothing to compare with.
func TestChartIsNew(t *testing.T) {
	r := start(t, map[string]string{"readme": ""})
	r.write(chart())
	got := r.lint("--helm-chart", "charts/shop")
	want(t, "findings", got.counted(), "HR202 b new")
	want(t, "states", got.states(), "a added", "b added")
	if len(got.Changed.Notes) != 0 {
		t.Errorf("notes %q", got.Changed.Notes)
	}
}

// TestChartMoved is the same chart in another folder.
func TestChartMoved(t *testing.T) {
	r := start(t, chart())
	r.git("mv", "charts/shop", "charts/store")
	got := r.lint("--helm-chart", "charts/store")
	want(t, "findings", got.counted())
	want(t, "states", got.states())
	if got.Changed.Elsewhere.Errors != 1 {
		t.Errorf("%+v", got.Changed)
	}
}

// TestChartsOfAChart are often not in git: they are taken to have been there.
func TestChartsOfAChart(t *testing.T) {
	files := chart()
	files["charts/shop/Chart.yaml"] += "dependencies: [{name: sub, version: 1.0.0, repository: \"\"}]\n"
	files[".gitignore"] = "charts/*/charts/\n"
	r := start(t, files)
	r.write(map[string]string{
		"charts/shop/charts/sub/Chart.yaml":       "apiVersion: v2\nname: sub\nversion: 1.0.0\n",
		"charts/shop/charts/sub/templates/s.yaml": deployment("s"),
	})
	got := r.lint("--helm-chart", "charts/shop")
	want(t, "findings", got.counted())
	if got.Changed.Elsewhere.Errors != 2 || len(got.Changed.Notes) != 0 {
		t.Errorf("%+v", got.Changed)
	}
}

func TestKustomization(t *testing.T) {
	r := start(t, map[string]string{
		"base/kustomization.yaml": "resources: [a.yaml, b.yaml]\nconfigMapGenerator: [{name: c, files: [x=c.txt]}]\n",
		"base/a.yaml":             sound("a"), "base/b.yaml": deployment("b"), "base/c.txt": "c",
		"overlays/production/kustomization.yaml": "resources: [../../base]\nnamePrefix: p-\n",
	})
	lint := func() report { return r.lint("--kustomize", "overlays/production") }
	want(t, "nothing changed", lint().counted())
	r.write(map[string]string{"base/a.yaml": deployment("a")})
	got := lint()
	want(t, "the base", got.counted(), "HR202 p-a new")
	want(t, "states", got.states(), "p-a touched")
	if len(got.Changed.Notes) != 0 {
		t.Errorf("notes %q", got.Changed.Notes)
	}
	r.git("checkout", "-q", "--", "base")
	r.write(map[string]string{
		"overlays/production/kustomization.yaml": "resources: [../../base]\nnamePrefix: p-\npatches: [{path: patch.yaml}]\n",
		"overlays/production/patch.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: " +
			"{containers: [{name: app, resources: {limits: {cpu: 3}}}]}}}\n",
	})
	want(t, "a patch", lint().counted(), "HR202 p-a new")
	r.git("checkout", "-q", "--", "overlays")
	r.edit("overlays/production/kustomization.yaml", "p-", "q-")
	want(t, "other names", lint().counted(), "HR202 q-b new")
}

func TestSubmodule(t *testing.T) {
	sub := empty(t)
	sub.write(map[string]string{"a.yaml": deployment("a")})
	sub.commit("sub")
	r := start(t, map[string]string{"b.yaml": deployment("b")})
	r.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", sub.dir, "vendored")
	r.commit("vendored")
	r.git("branch", "-f", "main")
	want(t, "unchanged", r.lint(".").counted())
	sub.write(map[string]string{"a.yaml": strings.Replace(deployment("a"), "shop:1", "shop:2", 1)})
	sub.commit("more")
	c := exec.CommandContext(t.Context(), "git", "-C", r.path("vendored"), "pull", "-q")
	c.Env = program.Environment()
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := r.lint(".")
	want(t, "moved on", got.counted(), "HR202 a new")
	if len(got.Changed.Notes) != 1 || !strings.Contains(got.Changed.Notes[0], "submodule moved on, vendored") {
		t.Errorf("notes %q", got.Changed.Notes)
	}
}

func TestLinks(t *testing.T) {
	r := empty(t)
	r.write(map[string]string{"real/a.yaml": deployment("a"), "real/b.yaml": deployment("b"), "real/c.yaml": sound("c")})
	for name, to := range map[string]string{"deploy": "real", "link.yaml": "real/a.yaml", "loop": "."} {
		if err := os.Symlink(to, r.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	r.commit("main")
	r.git("checkout", "-q", "-b", "change")
	want(t, "unchanged", r.lint("deploy", "link.yaml").counted())
	r.edit("real/a.yaml", "shop:1", "shop:2")
	want(t, "behind a folder's link", r.lint("deploy").counted(), "HR202 a")
	want(t, "behind a file's link", r.lint("link.yaml").counted(), "HR202 a")
	r.git("checkout", "-q", "--", ".")
	if err := os.Remove(r.path("link.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real/b.yaml", r.path("link.yaml")); err != nil {
		t.Fatal(err)
	}
	want(t, "another file", r.lint("link.yaml").counted(), "HR202 b new")
	want(t, "a loop", r.lint("loop").counted())
}

// TestIgnored judges what git does not know as a whole.
func TestIgnored(t *testing.T) {
	r := start(t, map[string]string{".gitignore": "rendered/\n", "a.yaml": deployment("a")})
	r.write(map[string]string{"rendered/b.yaml": deployment("b")})
	want(t, "a folder", r.lint(".").counted(), "HR202 b new")
	want(t, "a file", r.lint("rendered/b.yaml").counted(), "HR202 b new")
}
