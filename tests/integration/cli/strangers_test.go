//go:build integration

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const chartOf = "apiVersion: v2\nname: a\nversion: 1.0.0\n"

// printing is a template that puts a text into the name of a workload, which every report tells.
func printing(text string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: '" + text + "'\nspec:\n  containers:\n  - {name: app, image: a}\n"
}

// H5: what a chart, a values file or a kustomization leads to outside of its folder gets into no report.
func TestNothingIsReadOutsideOfATree(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.yaml")
	if err := os.WriteFile(outside, []byte("name: kanarie\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	leaking := printing(`{{ .Files.Get "link" | trim | replace "\n" "" }}{{ .Values.name }}`)
	for name, tree := range map[string]struct {
		files map[string]string
		link  string
		args  []string
	}{
		"file of a chart":     {map[string]string{"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": leaking}, "chart/link", []string{"chart"}},
		"a named chart":       {map[string]string{"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": leaking}, "chart/link", []string{"--helm-chart", "chart"}},
		"template":            {map[string]string{"chart/Chart.yaml": chartOf}, "chart/templates/a.yaml", []string{"chart"}},
		"values of a chart":   {map[string]string{"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": leaking}, "chart/values.yaml", []string{"chart"}},
		"subchart":            {map[string]string{"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": leaking}, "chart/charts/b/link", []string{"chart"}},
		"values file":         {map[string]string{"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": leaking}, "my.yaml", []string{"--helm-chart", "chart", "--values", "my.yaml"}},
		"kustomize resource":  {map[string]string{"k/kustomization.yaml": "resources: [r.yaml]\n"}, "k/r.yaml", []string{"--kustomize", "k"}},
		"kustomize config":    {map[string]string{"k/kustomization.yaml": "configMapGenerator: [{name: a, files: [link]}]\n"}, "k/link", []string{"--kustomize", "k"}},
		"kustomize env file":  {map[string]string{"k/kustomization.yaml": "configMapGenerator: [{name: a, envs: [link]}]\n"}, "k/link", []string{"--kustomize", "k"}},
		"kustomize component": {map[string]string{"k/kustomization.yaml": "configurations: [link]\n"}, "k/link", []string{"--kustomize", "k"}},
	} {
		t.Run(name, func(t *testing.T) {
			tree.files["fine.yaml"] = sound
			dir := write(t, tree.files)
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, tree.link)), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(outside, filepath.Join(dir, tree.link)); err != nil {
				t.Fatal(err)
			}
			out := headroom(t, dir, "", append(append([]string{"lint", "--verbose"}, tree.args...), "fine.yaml")...)
			if strings.Contains(out.stdout+out.stderr, "kanarie") || out.code != 2 ||
				!strings.Contains(out.stdout+out.stderr, "a link that leads out of") {
				t.Errorf("exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
			}
			if !strings.Contains(out.stdout, "1 workload") {
				t.Errorf("the rest is not judged:\n%s%s", out.stdout, out.stderr)
			}
		})
	}
}

func TestLinksInsideAChart(t *testing.T) {
	dir := write(t, map[string]string{"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": printing("x{{ .Files.Get `link` }}"), "chart/name": "y", "shared": "z"})
	if err := os.Symlink("name", filepath.Join(dir, "chart/link")); err != nil {
		t.Fatal(err)
	}
	if out := headroom(t, dir, "", "lint", "--verbose", "chart"); !strings.Contains(out.stdout, "Pod xy") {
		t.Errorf("a link inside:\n%s%s", out.stdout, out.stderr)
	}
	if err := os.Remove(filepath.Join(dir, "chart/link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../shared", filepath.Join(dir, "chart/link")); err != nil {
		t.Fatal(err)
	}
	if out := headroom(t, dir, "", "lint", "--verbose", "--follow-links", "chart"); !strings.Contains(out.stdout, "Pod xz") {
		t.Errorf("with --follow-links:\n%s%s", out.stdout, out.stderr)
	}
	if out := headroom(t, dir, "", "lint", "--verbose", "chart"); !strings.Contains(out.stderr+out.stdout, "a link that leads out") {
		t.Errorf("without:\n%s%s", out.stdout, out.stderr)
	}
}

// The same through a folder of the tree that leads out of it, by any way of naming what lies there.
func TestNothingIsReadThroughAFolderThatLeadsOut(t *testing.T) {
	outside := write(t, map[string]string{
		"values.yaml": "name: kanarie\n", "Chart.yaml": chartOf, "templates/a.yaml": printing("kanarie"),
		"kustomization.yaml": "resources: [a.txt]\n", "a.txt": printing("kanarie"),
	})
	files := map[string]string{
		"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": printing("{{ .Values.name }}"), "fine.yaml": sound,
		"base/kustomization.yaml": "resources: [../deploy]\n", "file/kustomization.yaml": "resources: [../deploy/a.txt]\n",
	}
	for name, args := range map[string][]string{
		"values file":         {"--helm-chart", "chart", "--values", "deploy/values.yaml"},
		"a named chart":       {"--helm-chart", "deploy"},
		"a chart found":       {"."},
		"a named folder":      {"--kustomize", "deploy"},
		"base":                {"--kustomize", "base"},
		"resource":            {"--kustomize", "file"},
		"what is open":        {"--helm-chart", "chart", "--values", "open"},
		"a link to the open":  {"--helm-chart", "chart", "--values", "fd/0"},
		"the open, as a link": {"--helm-chart", "links"},
	} {
		t.Run(name, func(t *testing.T) {
			files["links/Chart.yaml"], files["links/templates/a.yaml"] = chartOf, printing(`{{ .Files.Get "link" }}`)
			dir := write(t, files)
			for link, to := range map[string]string{
				"deploy": outside, "open": "/proc/self/fd/0", "fd": "/proc/self/fd", "links/link": "/proc/self/fd/0",
			} {
				if name == "a chart found" && link == "links/link" {
					continue
				}
				if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			out := headroom(t, dir, "name: kanarie\n", append(append([]string{"lint", "--verbose"}, args...), "fine.yaml")...)
			if strings.Contains(out.stdout+out.stderr, "kanarie") || out.code != 2 ||
				!strings.Contains(out.stdout+out.stderr, "a link that leads out of") {
				t.Errorf("exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
			}
			// The folder elsewhere is in order where somebody names it as it is called.
			if name == "a chart found" {
				if out := headroom(t, dir, "", "lint", "--verbose", outside); !strings.Contains(out.stdout, "kanarie") {
					t.Errorf("the folder itself:\n%s%s", out.stdout, out.stderr)
				}
				if out := headroom(t, outside, "", "lint", "--verbose", dir); strings.Contains(out.stdout, "kanarie") {
					t.Errorf("from elsewhere:\n%s%s", out.stdout, out.stderr)
				}
			}
		})
	}
}

// Manifests are read, and written, in the tree alone.
func TestManifestsBehindLinksThatLeadOut(t *testing.T) {
	outside := write(t, map[string]string{"a.yaml": unfixed, "secret": "x: *kanarie\n"})
	dir := write(t, map[string]string{"deploy/fine.yaml": sound})
	for link, to := range map[string]string{"deploy/a.yaml": outside + "/a.yaml", "deploy/s.yaml": outside + "/secret", "deploy/all": "/"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, arguments := range [][]string{{"lint", "deploy"}, {"fix", "deploy"}, {"fix", "deploy/a.yaml"}, {"lint", "deploy/s.yaml"}} {
		out := headroom(t, dir, "", arguments...)
		said := strings.Join(strings.Fields(out.stdout+out.stderr), " ")
		if out.code != 2 || !strings.Contains(said, "a link that leads out of the repository") || strings.Contains(said, "kanarie") {
			t.Errorf("%v: exit code %d:\n%s%s", arguments, out.code, out.stdout, out.stderr)
		}
	}
	if text(t, filepath.Join(outside, "a.yaml")) != unfixed {
		t.Error("a file outside of the tree was written")
	}
	if out := headroom(t, dir, "", "fix", "--follow-links", "deploy/a.yaml"); out.code == 2 || text(t, filepath.Join(outside, "a.yaml")) == unfixed {
		t.Errorf("with --follow-links: exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
	}
}

// A shell hands over what a command prints as /dev/fd/63.
func TestValuesFromACommand(t *testing.T) {
	dir := write(t, map[string]string{"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": printing("x{{ .Values.name }}")})
	out := headroom(t, dir, "name: z\n", "lint", "--verbose", "--helm-chart", "chart", "--values", "/dev/fd/0")
	if !strings.Contains(out.stdout, "Pod xz") {
		t.Errorf("exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
	}
}

// A chart that takes all memory or all time ends alone: the limit is said, and the rest is judged.
func TestBoundsOfRendering(t *testing.T) {
	for name, bomb := range map[string]struct{ template, said string }{
		"a list":  {`{{ range until 2000000000 }}a{{ end }}`, "memory"},
		"a text":  {`{{ $x := "aaaaaaaaaaaaaaaa" }}{{ range until 40 }}{{ $x = print $x $x }}{{ end }}{{ len $x }}`, "memory"},
		"repeat":  {`{{ repeat 2000000000 "a" | len }}`, "memory"},
		"forever": {`{{ range until 100000 }}{{ range until 100000 }}{{ end }}{{ end }}`, "longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, map[string]string{"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": bomb.template, "fine.yaml": sound})
			before := time.Now()
			out := headroom(t, dir, "", "lint", ".")
			if out.code != 2 || !strings.Contains(out.stderr+out.stdout, bomb.said) || !strings.Contains(out.stdout, "1 workload") {
				t.Errorf("exit code %d after %s:\n%s%s", out.code, time.Since(before), out.stdout, out.stderr)
			}
		})
	}
}

// What is rendered is kept for the run, and so it is bounded: a template, a chart, and all of them.
func TestChartsThatRenderTooMuch(t *testing.T) {
	eight := "# {{ repeat 8000000 `x` }}\n"
	for name, c := range map[string]struct {
		files map[string]string
		said  string
	}{
		"a template": {map[string]string{"chart/Chart.yaml": chartOf, "chart/templates/a.yaml": "# {{ repeat 60000000 `x` }}\n"}, "larger than the limit"},
		"a chart": {map[string]string{
			"chart/Chart.yaml":       chartOf,
			"chart/templates/a.yaml": "{{ range until 3 }}" + eight + "{{ end }}", // none of them is too large alone
		}, "larger than the limit"},
		"many templates": {many(9, func(i string) (string, string) { return "chart/templates/" + i + ".yaml", eight },
			map[string]string{"chart/Chart.yaml": chartOf}), "it renders to more than 32 MiB"},
		"many charts": {many(34, func(i string) (string, string) { return "c" + i + "/templates/a.yaml", "a: 1 " + eight },
			many(34, func(i string) (string, string) { return "c" + i + "/Chart.yaml", chartOf }, nil)), "render to more than 64 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			c.files["fine.yaml"] = sound
			out := headroom(t, write(t, c.files), "", "lint", ".")
			all := strings.Join(strings.Fields(out.stdout+out.stderr), " ")
			if out.code != 2 || !strings.Contains(all, c.said) || !strings.Contains(out.stdout, "1 workload") {
				t.Errorf("exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
			}
		})
	}
}

func many(n int, file func(i string) (name, text string), into map[string]string) map[string]string {
	if into == nil {
		into = map[string]string{}
	}
	for i := range n {
		name, text := file(strconv.Itoa(i))
		into[name] = text
	}
	return into
}

// A release names files of its repository. Without one, they are those of the folder that the user named.
func TestAReleaseReadsNothingBesideItsTree(t *testing.T) {
	release := `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app, namespace: shop}
spec:
  chart:
    spec:
      chart: %s/chart
      sourceRef: {kind: GitRepository, name: app}
      valuesFiles: [%s]
`
	files := map[string]string{
		".docker/config.json": `{"name": "kanarie"}`, "dl/chart/Chart.yaml": chartOf, "dl/chart/templates/a.yaml": printing("x{{ .Values.name }}"),
		"dl/chart/mine.yaml": "name: y2\n",
	}
	for name, c := range map[string]struct {
		text string
		args []string
		want string
	}{
		"beside":          {fmt.Sprintf(release, "./dl", "./.docker/config.json"), []string{"dl"}, ""},
		"up":              {fmt.Sprintf(release, ".", "../.docker/config.json"), []string{"dl"}, ""},
		"by its file":     {fmt.Sprintf(release, ".", "../.docker/config.json"), []string{"dl/r.yaml"}, ""},
		"in its own":      {fmt.Sprintf(release, ".", "chart/mine.yaml"), []string{"dl"}, "xy2"},
		"a file's folder": {fmt.Sprintf(release, ".", "chart/mine.yaml"), []string{"dl/r.yaml"}, "xy2"},
	} {
		t.Run(name, func(t *testing.T) {
			files["dl/r.yaml"] = c.text
			out := headroom(t, write(t, files), "", append([]string{"lint", "--verbose"}, c.args...)...)
			if strings.Contains(out.stdout+out.stderr, "kanarie") || !strings.Contains(out.stdout, c.want) {
				t.Errorf("exit code %d:\n%s%s", out.code, out.stdout, out.stderr)
			}
		})
	}
}
