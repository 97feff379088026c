package lint_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/source"
)

const (
	chartTemplate = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop}
spec:
  template:
    metadata: {annotations: {headroom.dev/workload-class: latency-sensitive}}
    spec:
      containers:
        - name: cart
          image: eclipse-temurin:21
          command: [java, -jar, a.jar]
          {{- with .Values.javaOpts }}
          env: [{name: JAVA_TOOL_OPTIONS, value: {{ . | quote }}}]
          {{- end }}
          resources: {{ toYaml .Values.resources | nindent 12 }}
`
	chartValues = `javaOpts: -Xmx400m
resources:
  requests:
    cpu: 1
    memory: 1Gi
  limits:
    cpu: 1500m
    memory: 1Gi
`
)

func chartFolder(t *testing.T) (*lint.Folder, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"cart/Chart.yaml": "apiVersion: v2\nname: cart\nversion: 0.1.0\n", "cart/values.yaml": chartValues,
		"cart/templates/d.yaml": chartTemplate, "cart/values-small.yaml": "resources: {limits: {cpu: 500m}}\n",
		"flags.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	folder := lint.NewFolder(folderEngine(t, nil), []string{dir}, source.Options{FolderCharts: &source.HelmChart{}})
	if _, err := folder.Look(context.Background()); err != nil {
		t.Fatal(err)
	}
	return folder, filepath.Join(dir, "cart")
}

// lineOf is the line of a rule's finding, 0 without one.
func lineOf(r *report.Report, rule string) int {
	for i := range r.Findings {
		if r.Findings[i].Rule == rule {
			return r.Findings[i].Line
		}
	}
	return 0
}

// What a chart renders to is judged by the values that an editor has, and told at their lines.
func TestFolderTracesValues(t *testing.T) {
	folder, chart := chartFolder(t)
	values := filepath.Join(chart, "values.yaml")
	said := func(name, text string) *report.Report {
		folder.Open(name, []byte(text))
		return judged(t, folder, name)
	}
	r := said(values, chartValues)
	if lineOf(r, "HR202") != 7 {
		t.Errorf("the CPU limit is at line %d", lineOf(r, "HR202"))
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; !strings.HasSuffix(f.File, "cart/templates/d.yaml") {
			t.Errorf("%s is of %s", f.Rule, f.File)
		}
	}
	if again := judged(t, folder, values); len(again.Findings) != len(r.Findings) {
		t.Errorf("judged again: %v, first %v", brief(again.Findings), brief(r.Findings))
	}
	edited := "# one line more\n" + strings.Replace(chartValues, "memory: 1Gi", "memory: 512Mi", 1)
	if r := said(values, edited); lineOf(r, "HR302") != 6 || lineOf(r, "HR202") != 8 {
		t.Errorf("edited: %v", brief(r.Findings))
	}
	if r := said(values, strings.Replace(chartValues, "-Xmx400m", "-Xmx1g", 1)); lineOf(r, "HR304") != 1 {
		t.Errorf("the heap: %v", brief(r.Findings))
	}
	if r := said(values, strings.Replace(chartValues, "    cpu: 1500m\n", "", 1)); lineOf(r, "HR202") != 0 {
		t.Errorf("a limit that was taken out of the text still counts: %v", brief(r.Findings))
	}
	if r := said(filepath.Join(chart, "values-small.yaml"), "resources: {limits: {cpu: 500m}}\n"); lineOf(r, "HR202") != 1 {
		t.Errorf("another file of values: %v", brief(r.Findings))
	}
	if r := said(values, "resources: [\n"); len(r.Problems) != 1 || r.Problems[0].Line == 0 {
		t.Errorf("broken values: %+v", r.Problems)
	}
}

// A change of a template counts once the folder was looked at.
func TestFolderRendersAgain(t *testing.T) {
	folder, chart := chartFolder(t)
	values := filepath.Join(chart, "values.yaml")
	folder.Open(values, []byte(chartValues))
	if lineOf(judged(t, folder, values), "HR202") == 0 {
		t.Fatal("nothing is found")
	}
	template := strings.Replace(chartTemplate, "latency-sensitive", "batch", 1)
	if err := os.WriteFile(filepath.Join(chart, "templates", "d.yaml"), []byte(template), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Look(context.Background()); err != nil {
		t.Fatal(err)
	}
	if r := judged(t, folder, values); lineOf(r, "HR202") != 0 {
		t.Errorf("of the template before: %v", brief(r.Findings))
	}
	if err := os.WriteFile(filepath.Join(chart, "templates", "d.yaml"), []byte(`{{ fail "no such values" }}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Look(context.Background()); err != nil {
		t.Fatal(err)
	}
	if r := judged(t, folder, values); len(r.Problems) != 1 {
		t.Errorf("a chart that does not render: %+v", r.Problems)
	}
	if err := os.WriteFile(filepath.Join(chart, "templates", "d.yaml"), []byte(template), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Look(context.Background()); err != nil {
		t.Fatal(err)
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	folder.Open(values, []byte("# "+chartValues))
	if _, err := folder.Judge(stopped, values); err == nil {
		t.Error("a judgement that was stopped has an answer")
	}
	if r := judged(t, folder, values); len(r.Problems) > 0 {
		t.Errorf("after it was stopped: %+v", r.Problems)
	}
}
