//go:build integration

package cli

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/program"
)

const plugin = `apiVersion: builtin
kind: PatchTransformer
metadata: {name: a}
path: `

// Whatever a kustomization opens, under any name: no server is asked, no git runs, and helm fetches no chart.
func TestNothingIsFetched(t *testing.T) {
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = w.Write([]byte(sound)) // the client may be gone
	}))
	defer server.Close()
	escaped := `"` + strings.Replace(server.URL, "//", `\x2f/`, 1) + `/a.yaml"`
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	for _, name := range []string{"git", "helm"} {
		script := "#!/bin/sh\necho " + name + " \"$@\" >> " + log + "\n[ $1 != version ] || echo v3.19.0\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	chart := "[{name: web, version: 1.0.0, repo: '" + server.URL + "', releaseName: web}]\n"
	base := "resources: [r.yaml]\n"
	for name, files := range map[string]map[string]string{
		"a brace": {"k/kustomization.yaml": "resources: ['" + server.URL + "/brace{}']\n"},
		"a folder named as a repository": {
			"k/kustomization.yaml": "resources: [github.com/a/b]\n", "k/github.com/a/b/kustomization.yaml": "resources: []\n",
		},
		"an escape in a plugin": {"k/kustomization.yaml": base + "transformers: [t.yaml]\n", "k/t.yaml": plugin + escaped + "\n"},
		"a list of plugins": {"k/kustomization.yaml": base + "transformers: [t.yaml]\n", "k/t.yaml": "apiVersion: v1\nkind: List\nitems:\n- " +
			strings.ReplaceAll(strings.TrimSpace(plugin), "\n", "\n  ") + " " + escaped + "\n"},
		"a plugin that is patched": {
			"k/kustomization.yaml": base + "transformers: [gen/]\n",
			"k/gen/kustomization.yaml": "resources: [t.yaml]\npatches:\n- target: {kind: PatchTransformer}\n  patch: |-\n" +
				"    [{op: replace, path: /path, value: " + escaped + "}]\n",
			"k/gen/t.yaml": plugin + "t.yaml\n",
		},
		"helmCharts":  {"k/kustomization.yaml": base + "helmCharts: " + chart},
		"helmcharts":  {"k/kustomization.yaml": base + "helmcharts: " + chart},
		"the old way": {"k/kustomization.yaml": base + "helmChartInflationGenerator: [{chartName: web, chartRepoUrl: '" + server.URL + "', releaseName: web}]\n"},
		"a generator": {
			"k/kustomization.yaml": base + "generators: [g.yaml]\n",
			"k/g.yaml": "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: a}\nname: web\nversion: 1.0.0\nrepo: '" +
				server.URL + "'\nreleaseName: web\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			files["k/r.yaml"], files["fine.yaml"] = sound, sound
			_ = os.Remove(log) // of the one before
			out := headroom(t, write(t, files), "", "lint", "--kustomize", "k", "--enable-helm", "fine.yaml")
			said, _ := os.ReadFile(log) // most run nothing
			if n := asked.Swap(0); n > 0 || strings.Contains(string(said), "git") || strings.Contains(string(said), "pull") {
				t.Errorf("asked %d times, ran\n%s", n, said)
			}
			if out.code != 2 || !strings.Contains(out.stdout, "1 workload") {
				t.Errorf("exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
			}
		})
	}
}

// helm renders a chart that is there, without the variables of a runner, and ends with the time of a kustomization.
func TestKustomizeWithHelm(t *testing.T) {
	files := map[string]string{
		"k/kustomization.yaml":          "helmCharts: [{name: web, releaseName: web}]\n",
		"k/charts/web/Chart.yaml":       chartOf,
		"k/charts/web/templates/a.yaml": printing("x{{ .Release.Name }}"),
		"k/charts/web/values.yaml":      "{}\n",
	}
	t.Setenv("PATH", filepath.Dir(program.Tool(t, "helm"))+":"+os.Getenv("PATH"))
	dir := write(t, files)
	if out := headroom(t, dir, "", "lint", "--verbose", "--kustomize", "k", "--enable-helm"); !strings.Contains(out.stdout, "Pod xweb") {
		t.Errorf("exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
	}
}

func TestHelmEndsWithItsKustomization(t *testing.T) {
	bin := t.TempDir()
	left := filepath.Join(bin, "left")
	script := "#!/bin/sh\n[ $1 != version ] || { echo v3.19.0; exit; }\nwhile :; do echo >> " + left + "; /bin/sleep 1; done\n"
	if err := os.WriteFile(filepath.Join(bin, "helm"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	dir := write(t, map[string]string{
		"k/kustomization.yaml": "helmCharts: [{name: web, releaseName: web}]\n", "k/charts/web/Chart.yaml": chartOf, "k/charts/web/values.yaml": "{}\n",
		"fine.yaml": sound,
	})
	out := headroom(t, dir, "", "lint", "--kustomize", "k", "--enable-helm", "fine.yaml")
	if out.code != 2 || !strings.Contains(out.stdout, "longer than 30 s") || !strings.Contains(out.stdout, "1 workload") {
		t.Errorf("exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
	}
	before, err := os.ReadFile(left)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * time.Second)
	if after, err := os.ReadFile(left); err != nil || len(after) > len(before) {
		t.Error("helm went on", err)
	}
}
