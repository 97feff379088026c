package source

import (
	"archive/tar"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const shop = "testdata/charts/shop"

func TestRenderHelm(t *testing.T) {
	items := RenderHelm(HelmChart{Path: shop + "/", ReleaseName: "blue", Namespace: "prod"}, Options{})
	want := shop + "/charts/cache/templates/statefulset.yaml:1: StatefulSet|" +
		shop + "/charts/cache/templates/statefulset.yaml:6: Service|" +
		shop + "/templates/deployment.yaml:2: Deployment|" + shop + "/templates/tests/hook.yaml:1: Job"
	if got := describe(items); got != want {
		t.Fatalf("got %s\nwant %s", got, want)
	}
	deployment := items[2].Document
	metadata := deployment.Object["metadata"].(map[string]any)
	if metadata["name"] != "blue-shop" || metadata["namespace"] != "prod" {
		t.Errorf("metadata is %v", metadata)
	}
	if line := deployment.LineOfPointer("/spec/template/spec/containers/0/resources/limits/cpu"); line != 14 {
		t.Errorf("the limit stands on line %d of the output, want 14", line)
	}
}

// TestRenderedOnce loads a chart, removes it and loads it again.
func TestRenderedOnce(t *testing.T) {
	tree(t, map[string]string{"good/Chart.yaml": chartFile("good"), "good/templates/a.yaml": pod("a")})
	files, _ := Files(nil, Options{HelmCharts: []HelmChart{{Path: "good"}}})
	for range 2 {
		if got := describe(Load(files[0], Options{})); got != "good/templates/a.yaml:1: Pod" {
			t.Error(got)
		}
		if err := os.RemoveAll("good"); err != nil {
			t.Fatal(err)
		}
	}
	if got := describe(Load(files[0], Options{MaxFileBytes: 10})); got !=
		"good/templates/a.yaml: 45 bytes, larger than the limit of 10" {
		t.Error(got)
	}
}

func TestHelmValues(t *testing.T) {
	cpu := func(chart HelmChart) string {
		chart.Path = shop
		for _, item := range RenderHelm(chart, Options{}) {
			if strings.HasSuffix(item.File, "deployment.yaml") && item.Document != nil {
				return dig(item.Document.Object, "spec", "template", "spec", "containers", 0, "resources",
					"limits", "cpu").(string)
			}
			if strings.Contains(item.File, "/cache/") && len(chart.Values) > 0 {
				t.Errorf("a disabled dependency is rendered: %v", item)
			}
		}
		return "nothing"
	}
	large := []string{shop + "/values-large.yaml"}
	for _, test := range []struct {
		chart HelmChart
		want  string
	}{
		{HelmChart{}, "500m"},
		{HelmChart{Values: large}, "4"},
		{HelmChart{Set: []string{"cpu=2", "cpu=3"}}, "3"},
		{HelmChart{Values: large, Set: []string{"cpu=8"}}, "8"},
	} {
		if got := cpu(test.chart); got != test.want {
			t.Errorf("%+v: cpu is %q, want %q", test.chart, got, test.want)
		}
	}
}

func dig(value any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			value = value.(map[string]any)[step]
		case int:
			value = value.([]any)[step]
		}
	}
	return value
}

func TestRenderHelmArchive(t *testing.T) {
	name := filepath.Join(t.TempDir(), "shop-0.1.0.tgz")
	archive, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	zipped := gzip.NewWriter(archive)
	tarred := tar.NewWriter(zipped)
	err = fs.WalkDir(os.DirFS(shop), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(shop, path))
		if err == nil {
			err = tarred.WriteHeader(&tar.Header{Name: "shop/" + path, Size: int64(len(data)), Mode: 0o644})
		}
		if err == nil {
			_, err = tarred.Write(data)
		}
		return err
	})
	if err != nil || tarred.Close() != nil || zipped.Close() != nil || archive.Close() != nil {
		t.Fatal(err)
	}
	got := describe(RenderHelm(HelmChart{Path: name}, Options{}))
	if !strings.Contains(got, "shop-0.1.0.tgz/templates/deployment.yaml:2: Deployment") {
		t.Error(got)
	}
}

func TestHelmProblems(t *testing.T) {
	tree(t, map[string]string{
		"noyaml/Chart.yaml": "name: [\n", "broken/Chart.yaml": chartFile("broken"),
		"broken/values.yaml": "a: 1\nb: [\n",
		"missing/Chart.yaml": chartFile("missing") +
			"dependencies: [{name: gone, version: 1.0.0}, {name: lost, version: 1.0.0}]\n",
		"library/Chart.yaml": chartFile("library") + "type: library\n",
		"future/Chart.yaml":  chartFile("future") + "kubeVersion: '>=9.0.0'\n",
		"syntax/Chart.yaml":  chartFile("syntax"), "syntax/templates/a.yaml": "a: 1\nb: {{ .Values.x\n",
		"fails/Chart.yaml": chartFile("other"), "fails/templates/a.yaml": "a: 1\n\nb: {{ required \"x is needed\" " +
			".Values.x }}\n",
		"nil/Chart.yaml": chartFile("nil"), "nil/templates/a.yaml": "b: {{ .Values.x.y }}\n",
		"tpl/Chart.yaml": chartFile("tpl"), "tpl/templates/a.yaml": "b: {{ tpl .Values.a . }}\n",
		"tpl/values.yaml":   "a: hunter2 {{\n",
		"output/Chart.yaml": chartFile("output"), "output/templates/a.yaml": "a: 1\n---\na: [\n---\n" + pod("a"),
		"good/Chart.yaml": chartFile("good"), "good/templates/a.yaml": pod("a"),
		"bad-values.yaml": "a: 1\nb: [\n", "list-values.yaml": "- a\n",
	})
	const failed = "the Helm chart does not render: "
	for _, test := range []struct {
		chart HelmChart
		want  string
	}{
		{HelmChart{Path: "nowhere"}, "nowhere: " + failed + "no such chart"},
		{HelmChart{Path: "noyaml"}, "noyaml/Chart.yaml:1: broken YAML: did not find expected node content; is a bracket, [ or {, not closed, here or above?"},
		{HelmChart{Path: "broken"}, "broken/values.yaml:2: broken YAML: did not find expected node content; is a bracket, [ or {, not closed, here or above?"},
		{HelmChart{Path: "missing"}, "missing: " + failed +
			"chart missing needs charts that its folder charts does not hold: gone, lost; run helm dependency build"},
		{HelmChart{Path: "library"}, "library: " + failed + "a library chart renders nothing by itself"},
		{HelmChart{Path: "future"}, "future: " + failed +
			"the chart wants Kubernetes >=9.0.0, and it is rendered for v1.20.0"},
		{HelmChart{Path: "syntax"}, "syntax/templates/a.yaml:3: " + failed +
			"unclosed action started at syntax/templates/a.yaml:2"},
		{HelmChart{Path: "fails"}, "fails/templates/a.yaml:3: " + failed + "x is needed"},
		{HelmChart{Path: "nil"}, `nil/templates/a.yaml:1: ` + failed +
			`executing "nil/templates/a.yaml" at <.Values.x.y>: nil pointer evaluating interface {}.y`},
		{HelmChart{Path: "tpl"}, "tpl/templates/a.yaml:1: " + failed +
			`executing "tpl/templates/a.yaml" at <tpl .Values.a .>: error calling tpl: cannot parse template a ` +
			`value: template: gotpl:1: unclosed action`},
		{HelmChart{Path: "output"}, "output/templates/a.yaml:1: skipped: not a Kubernetes object: no apiVersion " +
			"and no kind|output/templates/a.yaml:3: broken YAML: did not find expected node " +
			"content; is a bracket, [ or {, not closed, here or above?|output/templates/a.yaml:5: Pod"},
		{
			HelmChart{Path: "good", Values: []string{"bad-values.yaml"}},
			"bad-values.yaml:2: broken YAML: did not find expected node content; is a bracket, [ or {, not closed, here or above?",
		},
		{
			HelmChart{Path: "good", Values: []string{"list-values.yaml"}},
			"list-values.yaml: values must be a map at the top",
		},
		{HelmChart{Path: "good", Values: []string{"gone.yaml"}}, "gone.yaml: no such file or folder"},
		{HelmChart{Path: "good", Set: []string{"a=b", "password=abc,hunter2"}}, "good: " + failed +
			`--set number 2 cannot be read as key=value; write \, for a comma in a value`},
		{HelmChart{Path: "good"}, "good/templates/a.yaml:1: Pod"},
	} {
		got := describe(RenderHelm(test.chart, Options{}))
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.chart.Path, got, test.want)
		}
		if strings.Contains(got, "hunter2") {
			t.Errorf("%s: a value is quoted", test.chart.Path)
		}
	}
}

// Templates that include each other fail with an error that names each step: 190 KB.
func TestLongErrorsOfCharts(t *testing.T) {
	tree(t, map[string]string{
		"loop/Chart.yaml": chartFile("loop"), "loop/templates/a.yaml": `{{ include "x" . }}`,
		"loop/templates/_x.tpl": `{{ define "x" }}{{ include "y" . }}{{ end }}{{ define "y" }}{{ include "x" . }}{{ end }}`,
	})
	got := describe(RenderHelm(HelmChart{Path: "loop"}, Options{}))
	if len(got) > longestError+200 || !strings.HasPrefix(got, "loop/templates/a.yaml:1: ") || !strings.Contains(got, "nested reference name") {
		t.Errorf("%d bytes: %.2000s", len(got), got)
	}
	if got := shortened(strings.Repeat("é", longestError)); !utf8.ValidString(got) {
		t.Errorf("no UTF-8: %q", got)
	}
}

func chartFile(name string) string { return "apiVersion: v2\nname: " + name + "\nversion: 0.1.0\n" }
