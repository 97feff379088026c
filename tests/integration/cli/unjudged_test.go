//go:build integration

package cli

import (
	"strings"
	"testing"
)

// A folder of charts is not sound because nobody looked into it.
func TestLintNamesChartsThatItDoesNotRender(t *testing.T) {
	dir := write(t, map[string]string{
		"shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n", "shop/templates/a.yaml": sound,
		"shop/values.yaml": "a: b\n", "b.yaml": sound,
	})
	for arguments, want := range map[string]string{
		"shop": "Not judged: shop, a Helm chart; --helm-chart shop renders it.\n" +
			"nothing to judge: no workloads in 1 file; 1 skipped\n",
		"shop/templates": "Not judged: shop, a Helm chart; --helm-chart shop renders it.\n" +
			"nothing to judge: no workloads in 1 file; 1 skipped\n",
		". -v":                     "  shop  chart\n      a Helm chart; render it with --helm-chart\n",
		"--helm-chart shop b.yaml": "2 workloads, 2 containers in 2 files: nothing to fix\n",
	} {
		got := headroom(t, dir, "", append([]string{"lint"}, strings.Fields(arguments)...)...)
		if got.code != 0 || !strings.Contains(got.stdout, want) {
			t.Errorf("lint %s: exit code %d, does not say %q:\n%s%s", arguments, got.code, want, got.stdout, got.stderr)
		}
	}
}

// What was rendered has other lines than the template that is named: none is better than a wrong one.
func TestRenderedFindingsNameNoLine(t *testing.T) {
	dir := write(t, map[string]string{
		"shop/Chart.yaml":       "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
		"shop/templates/a.yaml": "{{/*\n\n\n*/}}\n" + limited,
		"k/kustomization.yaml":  "resources: [a.yaml]\n", "k/a.yaml": limited,
	})
	for arguments, want := range map[string]string{
		"--helm-chart shop":           "shop/templates/a.yaml  Deployment",
		"--helm-chart shop -o github": "file=shop/templates/a.yaml,line=1,",
		"--kustomize k":               "k  Deployment",
		"k/a.yaml":                    "k/a.yaml:1  Deployment",
	} {
		got := headroom(t, dir, "", append([]string{"lint"}, strings.Fields(arguments)...)...)
		rendered := strings.HasPrefix(arguments, "-")
		if !strings.Contains(got.stdout, want) || rendered == strings.Contains(got.stdout, ", line ") {
			t.Errorf("lint %s: does not say %q, or names a line:\n%s%s", arguments, want, got.stdout, got.stderr)
		}
	}
	got := headroom(t, dir, "", "explain", "--helm-chart", "shop")
	if !strings.HasPrefix(got.stdout, "shop/templates/a.yaml  Deployment") {
		t.Errorf("explain names a line:\n%s%s", got.stdout, got.stderr)
	}
}
