//go:build integration

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

const canaryOutside = "hunter2-outside"

// inflating is a chart whose template shows a file of the chart, and its values.
func inflating(folder string) map[string]string {
	return map[string]string{
		folder + "/Chart.yaml":       chartOf,
		folder + "/values.yaml":      "{}\n",
		folder + "/templates/a.yaml": printing("x{{ .Files.Get \"link.txt\" | trim }}{{ .Values.token }}"),
	}
}

// A chart that kustomize has helm render reads no file outside, however it is named: what helm is given is looked at,
// not what a text says.
func TestChartsOfKustomizationsLeadNowhere(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(program.Tool(t, "helm"))+":"+os.Getenv("PATH"))
	generator := "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: a}\nname: web\nreleaseName: web\n"
	const base = "resources: [r.yaml]\n"
	for name, tc := range map[string]struct {
		kustomization, plugin, link string
	}{
		"helmCharts":            {kustomization: "helmCharts: [{name: web, releaseName: web}]\n"},
		"another case":          {kustomization: "HelmCharts: [{Name: web, ReleaseName: web}]\n"},
		"another case of a key": {kustomization: "helmCharts: [{NAME: web, releaseName: web}]\n"},
		"a generator":           {kustomization: "generators: [g.yaml]\n", plugin: generator},
		"an inline generator": {
			kustomization: "generators:\n- |\n  " + strings.ReplaceAll(generator, "\n", "\n  ") + "\n",
		},
		"the old way":        {kustomization: "helmChartInflationGenerator: [{chartName: web, releaseName: web}]\n"},
		"another home":       {kustomization: "helmGlobals: {ChartHome: charts}\nhelmCharts: [{name: web, releaseName: web}]\n"},
		"a version":          {kustomization: "helmCharts: [{name: web, releaseName: web, version: 1.0.0, repo: 'https://example.invalid'}]\n", link: "k/charts/web-1.0.0/web"},
		"a home outside":     {kustomization: "helmGlobals: {chartHome: ../../outside/charts}\nhelmCharts: [{name: web, releaseName: web}]\n"},
		"a name that climbs": {kustomization: "helmCharts: [{name: ../../../outside/charts/web, releaseName: web}]\n"},
		"values outside":     {kustomization: "helmCharts: [{name: plain, releaseName: web, valuesFile: ../../outside/values.yaml}]\n"},
		"more values":        {kustomization: "helmCharts: [{name: plain, releaseName: web, additionalValuesFiles: [values-link.yaml]}]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{
				"tree/.git/HEAD": "ref: refs/heads/main\n", "tree/k/kustomization.yaml": base + tc.kustomization, "tree/k/r.yaml": sound,
				"tree/fine.yaml": sound, "tree/k/g.yaml": tc.plugin, "outside/secret": canaryOutside, "outside/values.yaml": "token: " + canaryOutside + "\n",
			}
			at := "k/charts/web"
			if tc.link != "" {
				at = tc.link
			}
			for folder, chart := range map[string]map[string]string{
				"tree/" + at: inflating("tree/" + at), "tree/k/charts/plain": inflating("tree/k/charts/plain"),
				"outside/charts/web": inflating("outside/charts/web"),
			} {
				for file, text := range chart {
					files[file] = text
				}
				_ = folder
			}
			dir := write(t, files)
			for link, to := range map[string]string{
				"tree/" + at + "/link.txt": "outside/secret", "outside/charts/web/link.txt": "outside/secret",
				"tree/k/values-link.yaml": "outside/values.yaml",
			} {
				if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			out := headroom(t, filepath.Join(dir, "tree"), "", "lint", "--verbose", "-o", "json", "--kustomize", "k", "--enable-helm", "fine.yaml")
			if strings.Contains(out.stdout+out.stderr, canaryOutside) {
				t.Errorf("a file outside is shown:\n%s%s", out.stdout, out.stderr)
			}
			if out.code != 2 {
				t.Errorf("exit code %d: a chart that leads out is judged as if it did not\n%s", out.code, out.stdout)
			}
		})
	}
}
