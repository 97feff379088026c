package source

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestRenderKustomize(t *testing.T) {
	files, problems := Files(nil, Options{Kustomizations: []string{"testdata/kustomize/overlay/"}})
	if len(files) != 1 || len(problems) != 0 {
		t.Fatal(files, problems)
	}
	items := Load(files[0], Options{})
	const folder = "testdata/kustomize/overlay"
	if got := describe(items); got != folder+":1: Deployment|"+folder+":21: ConfigMap" {
		t.Fatal(got)
	}
	for _, item := range items {
		if item.Document.Object["kind"] == "Deployment" {
			if name := dig(item.Document.Object, "metadata", "name"); name != "prod-shop" {
				t.Errorf("name is %v", name)
			}
			if memory := dig(item.Document.Object, "spec", "template", "spec", "containers", 0, "resources",
				"limits", "memory"); memory != "1Gi" {
				t.Errorf("memory is %v", memory)
			}
		}
	}
}

// TestKustomizeStaysLocal serves a base and makes sure that it is never requested.
func TestKustomizeStaysLocal(t *testing.T) {
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer server.Close()
	plugin := "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: x}\npath: " + server.URL + "/p\n"
	inline := strings.ReplaceAll(plugin, "\n", "\n  ")
	for name, text := range map[string]string{
		"resource":     "resources: [" + server.URL + "/base.yaml]\n",
		"component":    "components: [" + server.URL + "/base]\n",
		"repository":   "resources:\n- github.com/headroom-dev/nothing?ref=v1\n",
		"ssh":          "resources: ['git@example.com:a/b.git']\n",
		"host":         "resources: [example.com/a/b]\n",
		"old base":     "bases: [" + server.URL + "/base]\n",
		"other case":   "Resources: [" + server.URL + "/base.yaml]\n",
		"patch":        "patches: [{path: " + server.URL + "/p.yaml}]\n",
		"generator":    "configMapGenerator: [{name: a, files: [a=" + server.URL + "/f]}]\n",
		"env file":     "secretGenerator: [{name: a, envs: [" + server.URL + "/f]}]\n",
		"schema":       "openapi: {path: " + server.URL + "/s}\n",
		"in a base":    "resources: [base]\n",
		"plugin":       "transformers: [plugin.yaml]\n",
		"plugin here":  "transformers:\n- |\n  " + inline + "\n",
		"crd":          "crds: [" + server.URL + "/crd]\n",
		"replacements": "replacements: [{path: " + server.URL + "/r}]\n",
	} {
		tree(t, map[string]string{
			"kustomization.yaml": text, "plugin.yaml": plugin, "base/kustomization.yml": "# c\nresources: [" +
				server.URL + "/base]\n",
		})
		items := RenderKustomize(".", Options{})
		if len(items) != 1 || items[0].Problem == nil || items[0].Problem.Cause.Error() != reasonRemote ||
			items[0].Line == 0 {
			t.Errorf("%s: %v", name, describe(items))
		}
	}
	if asked {
		t.Error("the server was asked")
	}
}

func TestKustomizeProblems(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"missing file", "resources:\n- gone.yaml\n", "kustomization.yaml:2: gone.yaml: no such file or folder"},
		{"broken", "resources: [\n", "kustomization.yaml:1: broken YAML: did not find expected node content; is a bracket, [ or {, not closed, here or above?"},
		{"folder without", "resources: [empty]\n", "empty: no kustomization.yaml in this folder"},
		{"cycle", "resources: [loop]\n", ".: the kustomization does not build: "},
		{"unknown field", "resuorces: []\n", ".: the kustomization does not build: "},
		{
			"patch of nothing", "resources: [pod.yaml]\npatches: [{path: patch.yaml}]\n",
			".: the kustomization does not build: ",
		},
		{"function", "resources: [pod.yaml]\ntransformers: [function.yaml]\n", ".: the kustomization does not build: "},
		{
			"chart", "helmCharts: [{name: x, repo: 'https://secret.example.com'}]\n",
			"kustomization.yaml:1: chart x is not in the folder charts, and nothing is fetched here; run helm pull --untar",
		},
		{
			"inline patch", "resources: [pod.yaml]\npatches: [{patch: 'secret: ]['}]\n",
			".: the kustomization does not build: ",
		},
	} {
		tree(t, map[string]string{
			"kustomization.yaml": test.text, "empty/a.txt": "", "loop/kustomization.yaml": "resources: [..]\n",
			"pod.yaml":   pod("a"),
			"patch.yaml": pod("hunter2") + "spec: {password: secret}\n",
			"function.yaml": "apiVersion: v1\nkind: F\nmetadata:\n  name: f\n  annotations:\n    " +
				"config.kubernetes.io/function: |\n      container: {image: x}\n",
		})
		got := describe(RenderKustomize(".", Options{}))
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
		if strings.Contains(got, "hunter2:") || strings.Contains(got, "secret") {
			t.Errorf("%s: a value is quoted: %s", test.name, got)
		}
	}
	if got := describe(RenderKustomize("nowhere", Options{})); got != "nowhere: no such file or folder" {
		t.Error(got)
	}
}
