package source

import (
	"path/filepath"
	"strings"
	"testing"
)

// A chart that renders to nothing is told, as an empty input is: toYaml writes nothing of a value within itself.
func TestChartsThatRenderToNothing(t *testing.T) {
	const circle = `{{ $d := dict "kind" "Pod" }}{{ $_ := set $d "x" $d }}`
	for name, tc := range map[string]struct {
		templates map[string]string
		nothing   bool
	}{
		"toYaml of a circle": {map[string]string{"a.yaml": circle + "{{ toYaml $d }}"}, true},
		"toJson of a circle": {map[string]string{"a.yaml": circle + "{{ toJson $d }}", "NOTES.txt": "Thank you"}, true},
		"switched off":       {map[string]string{"a.yaml": "# a\n---\n{{ if false }}a: 1{{ end }}", "b.yaml": ""}, true},
		"one is there":       {map[string]string{"a.yaml": "", "b.yaml": "a: 1"}, false},
		"helpers alone":      {map[string]string{"_a.tpl": "{{ define `a` }}{{ end }}"}, false},
	} {
		files := map[string]string{"Chart.yaml": "apiVersion: v2\nname: a\nversion: 1.0.0\n", "values-live.yaml": "a: 1\n"}
		for file, text := range tc.templates {
			files["templates/"+file] = text
		}
		chart := HelmChart{Path: writeChart(t, files)}
		items := RenderHelm(chart, Options{})
		told := len(items) == 1 && items[0].Problem != nil && strings.Contains(items[0].Problem.Cause.Error(), "mustToYaml tells") &&
			strings.Contains(items[0].Problem.Cause.Error(), "values-live.yaml")
		if told != tc.nothing {
			t.Errorf("%s: %+v", name, items)
		}
		for _, item := range RenderHelm(chart, Options{AllowEmpty: true}) {
			if item.Problem != nil {
				t.Errorf("%s, where that is allowed: %v", name, item.Problem)
			}
		}
	}
}

// A chart that stands in a folder among others may be switched off; one that is named may not.
func TestChartsThatRenderToNothingInFolders(t *testing.T) {
	root := writeChart(t, map[string]string{
		"off/Chart.yaml": "apiVersion: v2\nname: off\nversion: 1.0.0\n", "off/templates/a.yaml": "{{ if false }}a: 1{{ end }}",
	})
	for _, named := range []bool{false, true} {
		path := root
		if named {
			path = filepath.Join(root, "off")
		}
		opts := Options{FolderCharts: &HelmChart{}}
		files, problems := Files([]string{path}, opts)
		var skipped, failed int
		for _, file := range files {
			for _, item := range Load(file, opts) {
				switch {
				case item.Problem != nil:
					failed++
				case item.Skipped == NoOutput:
					skipped++
				}
			}
		}
		if len(problems) > 0 || (failed == 1) != named || (skipped == 1) == named {
			t.Errorf("named %v: %v, %d failed, %d skipped", named, problems, failed, skipped)
		}
	}
}

// A release may get the values that switch its chart on in the cluster.
func TestReleasesThatRenderToNothing(t *testing.T) {
	tree(t, map[string]string{
		"charts/off/Chart.yaml": "apiVersion: v2\nname: off\nversion: 1.0.0\n", "charts/off/templates/a.yaml": "{{ if .Values.on }}a: 1{{ end }}",
		".git/config": "", "apps/a.yaml": flux("off", "chart: ./charts/off, sourceRef: {kind: GitRepository}", "valuesFrom: [{kind: Secret, name: s}]"),
	})
	opts := Options{FolderCharts: &HelmChart{}}
	read, _ := Files([]string{"apps"}, opts)
	read, _, err := Releases(t.Context(), read, opts, 1)
	if err != nil || len(read) != 2 {
		t.Fatal(read, err)
	}
	for item := range Stream(read[1], opts) {
		if item.Problem != nil || item.Skipped != NoOutput {
			t.Errorf("%+v", item)
		}
	}
}
