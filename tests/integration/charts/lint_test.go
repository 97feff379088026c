//go:build integration

package charts

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	headroom "github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

// TestHelmLint runs helm lint, which the Makefile builds from tools/helm.
func TestHelmLint(t *testing.T) {
	for _, settings := range []string{certManager, selfSigned} {
		if out, err := tool(t, "helm", "lint", "--strict", "--set", settings, chartDir); err != nil {
			t.Error(out)
		}
	}
}

// TestOwnRules: what headroom asks of others it does itself.
func TestOwnRules(t *testing.T) {
	judge := defaults.Engine(t)
	each(t, func(t *testing.T, settings []string, objects []object) {
		if slices.Contains(settings, "resources.limits.cpu=2") {
			return // the user's choice, and a finding
		}
		var manifest []byte
		for _, o := range objects {
			content, err := yaml.Marshal(o.Object)
			if err != nil {
				t.Fatal(err)
			}
			manifest = append(append(manifest, content...), "---\n"...)
		}
		file := filepath.Join(t.TempDir(), "chart.yaml")
		if err := os.WriteFile(file, manifest, 0o600); err != nil {
			t.Fatal(err)
		}
		report, err := headroom.Run(t.Context(), judge, headroom.Options{Paths: []string{file}})
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range report.Problems {
			t.Error(problem)
		}
		for _, finding := range report.Findings {
			t.Errorf("%s: %s", finding.Rule, finding.Message)
		}
		if len(report.Workloads) == 0 {
			t.Error("no workload was judged")
		}
	})
}
