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
		"--helm-chart shop b.yaml": "2 workloads, 2 containers in 2 files: nothing to put right\n",
	} {
		got := headroom(t, dir, "", append([]string{"lint"}, strings.Fields(arguments)...)...)
		if got.code != 0 || !strings.Contains(got.stdout, want) {
			t.Errorf("lint %s: exit code %d, does not say %q:\n%s%s", arguments, got.code, want, got.stdout, got.stderr)
		}
	}
}
