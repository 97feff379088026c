//go:build integration

package suggest_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

const charts = "testdata/charts/"

var helmCases = []struct {
	name     string
	from     source.HelmChart
	followed source.HelmChart // the user's own inputs once he did what the text says; empty for as they were
	kinds    string
}{
	{name: "preset", from: source.HelmChart{Path: charts + "preset"}, kinds: "values"},
	{name: "parent", from: source.HelmChart{Path: charts + "parent"}, kinds: "values"},
	{name: "components", from: source.HelmChart{Path: charts + "components"}, kinds: "values"},
	{name: "range", from: source.HelmChart{Path: charts + "range"}, kinds: "values"},
	{name: "shared", from: source.HelmChart{Path: charts + "shared"}, kinds: "values"},
	{name: "conflict", from: source.HelmChart{Path: charts + "conflict"}, kinds: "values patch"},
	{name: "scalars", from: source.HelmChart{Path: charts + "scalars"}, kinds: "values"},
	{name: "command", from: source.HelmChart{Path: charts + "command"}, kinds: "values"},
	{name: "fixed", from: source.HelmChart{Path: charts + "fixed"}, kinds: "patch"},
	{name: "halves", from: source.HelmChart{Path: charts + "halves"}, kinds: "values patch"},
	{name: "annotated", from: source.HelmChart{Path: charts + "annotated"}, kinds: "values"},
	{name: "blocks", from: source.HelmChart{Path: charts + "blocks"}, kinds: "values"},
	// A key that the template reads, and that the schema refuses.
	{name: "strict", from: source.HelmChart{Path: charts + "strict"}, kinds: "values patch"},
	{name: "envlist", from: source.HelmChart{Path: charts + "envlist"}, kinds: "values"},
	{
		name: "envlist-production", kinds: "values patch",
		from: source.HelmChart{Path: charts + "envlist", Values: []string{charts + "envlist/production.yaml"}},
	},
	{
		name:     "with-production",
		kinds:    "values",
		from:     source.HelmChart{Path: charts + "with", Values: []string{charts + "with/production.yaml"}},
		followed: source.HelmChart{Path: charts + "with", Values: []string{charts + "with/followed.yaml"}},
	},
	{
		name: "with-set", kinds: "values",
		from: source.HelmChart{Path: charts + "with", ReleaseName: "shop", Namespace: "news", Set: []string{
			"resources.requests.memory=1Gi,resources.limits.memory=2Gi,resources.requests.cpu=1",
		}},
		followed: source.HelmChart{Path: charts + "with", ReleaseName: "shop", Namespace: "news", Set: []string{
			"resources.limits.memory=2Gi,resources.requests.cpu=1",
		}},
	},
}

func TestValuesOfCharts(t *testing.T) {
	for _, c := range helmCases {
		t.Run(c.name, func(t *testing.T) {
			before := objectsOf(t, itemsOf(helm(t, c.from)))
			objects, changed := fixesOf(t, objectsOf(t, source.RenderHelm(c.from, source.Options{})))
			if len(objects) == 0 {
				t.Fatal("nothing to fix")
			}
			snippets, err := suggest.Helm(context.Background(), c.from, objects)
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, c.name, snippets)
			var kinds []string
			for _, s := range snippets {
				kinds = append(kinds, s.Kind)
			}
			if strings.Join(kinds, " ") != c.kinds {
				t.Errorf("%v, want %s", kinds, c.kinds)
			}
			from := c.from
			if c.followed.Path != "" {
				from = c.followed
			}
			after := objectsOf(t, itemsOf(pasted(t, from, snippets)))
			settled(t, before, after, changed)
		})
	}
}

// helm is what the real program prints.
func helm(t *testing.T, from source.HelmChart, files ...string) []byte {
	t.Helper()
	name := from.ReleaseName
	if name == "" {
		name = filepath.Base(from.Path)
	}
	arguments := []string{"template", name, from.Path}
	if from.Namespace != "" {
		arguments = append(arguments, "--namespace", from.Namespace)
	}
	for _, file := range append(slices.Clone(from.Values), files...) {
		arguments = append(arguments, "--values", file)
	}
	for _, setting := range from.Set {
		arguments = append(arguments, "--set", setting)
	}
	return tool(t, "helm", arguments...)
}

// pasted does with the snippets what they say, with the real programs.
func pasted(t *testing.T, from source.HelmChart, snippets []suggest.Snippet) []byte {
	t.Helper()
	dir := t.TempDir()
	var files []string
	patches := ""
	for _, s := range snippets {
		switch s.Kind {
		case suggest.KindValues:
			files = append(files, write(t, filepath.Join(dir, "values.yaml"), s.Text))
		case suggest.KindPatch:
			patches = s.Text
		}
	}
	out := helm(t, from, files...)
	if patches == "" {
		return out
	}
	write(t, filepath.Join(dir, "all.yaml"), string(out))
	write(t, filepath.Join(dir, "kustomization.yaml"), "resources: [all.yaml]\n"+patches)
	return tool(t, "kubectl", "kustomize", dir)
}

// The patch of a chart goes with helmCharts too, as Argo CD renders charts.
func TestAPatchOverHelmCharts(t *testing.T) {
	from := source.HelmChart{Path: charts + "fixed"}
	before := objectsOf(t, source.RenderHelm(from, source.Options{}))
	objects, changed := fixesOf(t, before)
	snippets, err := suggest.Helm(context.Background(), from, objects)
	if err != nil || len(snippets) != 1 {
		t.Fatalf("%v, %v", snippets, err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "charts"), os.DirFS(charts)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "kustomization.yaml"), "helmGlobals: {chartHome: charts}\n"+
		"helmCharts: [{name: fixed, releaseName: fixed, namespace: default}]\n"+snippets[0].Text)
	out := tool(t, "kubectl", "kustomize", "--enable-helm", "--helm-command", program.Tool(t, "helm"), dir)
	settled(t, before, objectsOf(t, itemsOf(out)), changed)
}

// Its own chart, made wrong by a values file.
func TestValuesOfHeadroomsChart(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../charts/headroom")); err != nil {
		t.Fatal(err)
	}
	// What a test is built with knows no version of Kubernetes.
	file := filepath.Join(dir, "Chart.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		return strings.HasPrefix(line, "kubeVersion:")
	})
	write(t, file, strings.Join(lines, "\n"))
	values := write(t, filepath.Join(dir, "wrong.yaml"), "resources: {requests: {memory: 128Mi}}\n")
	from := source.HelmChart{Path: dir, Values: []string{values}, ReleaseName: "headroom"}
	before := objectsOf(t, itemsOf(helm(t, from)))
	objects, changed := fixesOf(t, objectsOf(t, source.RenderHelm(from, source.Options{})))
	snippets, err := suggest.Helm(context.Background(), from, objects)
	if err != nil {
		t.Fatal(err)
	}
	if len(snippets) != 1 || snippets[0].Text != "resources:\n  requests:\n    memory: 256Mi\n" {
		t.Fatalf("%+v", snippets)
	}
	settled(t, before, objectsOf(t, itemsOf(pasted(t, from, snippets))), changed)
}

// What a user keeps in values of his own is not printed.
func TestNoValuesOfTheUserArePrinted(t *testing.T) {
	from := source.HelmChart{Path: charts + "envlist", Values: []string{charts + "envlist/production.yaml"}}
	objects, _ := fixesOf(t, objectsOf(t, source.RenderHelm(from, source.Options{})))
	snippets, err := suggest.Helm(context.Background(), from, objects)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range snippets {
		if strings.Contains(s.Text+s.Note+s.Where, "hunter2") {
			t.Errorf("%+v", s)
		}
	}
}

func TestASearchThatIsStopped(t *testing.T) {
	from := source.HelmChart{Path: charts + "components"}
	objects, _ := fixesOf(t, objectsOf(t, source.RenderHelm(from, source.Options{})))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := suggest.Helm(ctx, from, objects); err == nil {
		t.Error("no error")
	}
	if _, err := suggest.Kustomize(ctx, kustomizations+"plain", fixedKustomization(t, "plain")); err == nil {
		t.Error("no error")
	}
}
