//go:build integration

package cli

import (
	"strings"
	"testing"
)

// A chart that stands in a folder is rendered, whatever of it is named; fix, which cannot write
// into it, names it.
func TestLintRendersChartsInFolders(t *testing.T) {
	dir := write(t, map[string]string{
		"shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n", "shop/templates/a.yaml": sound,
		"shop/values.yaml": "a: b\n", "b.yaml": sound,
	})
	for arguments, want := range map[string]string{
		"shop":                     "No findings in 1 workload, 1 container in 1 file\n",
		"shop/templates":           "No findings in 1 workload, 1 container in 1 file\n",
		".":                        "No findings in 2 workloads, 2 containers in 2 files\n",
		"--helm-chart shop b.yaml": "No findings in 2 workloads, 2 containers in 2 files\n",
		"--helm-chart shop .":      "No findings in 2 workloads, 2 containers in 2 files\n",
	} {
		got := headroom(t, dir, "", append([]string{"lint"}, strings.Fields(arguments)...)...)
		if got.code != 0 || !strings.Contains(got.stdout, want) {
			t.Errorf("lint %s: exit code %d, does not say %q:\n%s%s", arguments, got.code, want, got.stdout, got.stderr)
		}
	}
}

// What carries containers and was not judged is named, and an input in which nothing was judged is
// no sound one.
func TestLintNamesWhatItDoesNotJudge(t *testing.T) {
	const resources = "spec: {resources: {limits: {memory: 1Gi}}}\n"
	dir := write(t, map[string]string{
		"a.yaml": "apiVersion: example.com/v1\nkind: Cache\nmetadata: {name: a}\n" + resources +
			"---\napiVersion: example.com/v1\nkind: Cache\nmetadata: {name: b}\n" + resources,
		"service.yaml": "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n",
		"release.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\n" +
			"spec: {source: {chart: redis, repoURL: 'https://example.com'}}\n",
	})
	for arguments, want := range map[string][2]string{
		"a.yaml": {"Not judged: Cache a and Cache b, which carry pod templates or resources; kinds in headroom.yaml", ""},
		"release.yaml": {
			"Not judged: Application a; argocd app manifests a | headroom lint - judges what it renders.\n",
			"headroom: nothing was judged: no object in 1 file describes containers\n",
		},
		"service.yaml":         {"", "headroom: nothing was judged: no object in 1 file describes containers\n"},
		"service.yaml -o json": {`"workloads": 0`, "headroom: nothing was judged: no object in 1 file describes containers\n"},
	} {
		got := headroom(t, dir, "", append([]string{"lint"}, strings.Fields(arguments)...)...)
		if got.code != 0 || !strings.Contains(got.stdout, want[0]) || got.stderr != want[1] {
			t.Errorf("lint %s: exit code %d, want %q:\n%s%s", arguments, got.code, want, got.stdout, got.stderr)
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
		"--helm-chart shop":           "  shop/templates/a.yaml\n",
		"--helm-chart shop -o github": "file=shop/templates/a.yaml,line=1,",
		"--kustomize k":               "cart/app  k\n",
		"k/a.yaml":                    "  k/a.yaml:13\n",
	} {
		got := headroom(t, dir, "", append([]string{"lint"}, strings.Fields(arguments)...)...)
		rendered := strings.HasPrefix(arguments, "-")
		if !strings.Contains(got.stdout, want) || rendered == strings.Contains(got.stdout, "a.yaml:") {
			t.Errorf("lint %s: does not say %q, or names a line:\n%s%s", arguments, want, got.stdout, got.stderr)
		}
	}
	got := headroom(t, dir, "", "explain", "--helm-chart", "shop")
	if !strings.HasPrefix(got.stdout, "shop/templates/a.yaml  Deployment") {
		t.Errorf("explain names a line:\n%s%s", got.stdout, got.stderr)
	}
}
