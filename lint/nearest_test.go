package lint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

func judged(t *testing.T, files map[string]string, o source.Options) (found []string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e, err := engine.New(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), e, Options{Paths: []string{"."}, Source: o})
	if err != nil || len(r.Problems) > 0 {
		t.Fatal(err, r.Problems)
	}
	for _, f := range r.Findings {
		if f.Rule == "HR304" || f.Rule == "HR303" || f.Rule == unknownRule {
			found = append(found, f.Rule+" "+f.File)
		}
	}
	return found
}

// Folders of one installation each have ConfigMaps of one name. What they say was unknown, as they differ.
func TestNearestConfigMap(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: shop}\nspec: {containers: [{name: a, image: 'openjdk:21', " +
		"command: [java, A], envFrom: [{configMapRef: {name: flags}}], resources: {limits: {memory: 4Gi}}}]}\n"
	flags := func(heap string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: flags, namespace: shop}\ndata: {JAVA_TOOL_OPTIONS: -Xmx" + heap + "}\n"
	}
	found := judged(t, map[string]string{
		"a/pod.yaml": pod, "a/flags.yaml": flags("4g"),
		"b/pod.yaml": pod, "b/flags.yaml": flags("3900m"),
		"b/deep/er/pod.yaml": pod, "b/deep/flags.yaml": flags("1g"),
		"c/pod.yaml": pod, // no folder around it has one
	}, source.Options{})
	if len(found) != 2 || found[0] != "HR304 a/pod.yaml" || found[1] != "HR303 b/pod.yaml" {
		t.Error(found)
	}
}

// A release whose chart is rendered, or named, is not told of again as an unknown kind.
func TestReleasesAreToldOnce(t *testing.T) {
	release := "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\n" +
		"spec: {values: {resources: {limits: {memory: 1Gi}}}}\n"
	for want, o := range map[int]source.Options{0: {FolderCharts: &source.HelmChart{}}, 1: {}} {
		if found := judged(t, map[string]string{"a.yaml": release}, o); len(found) != want {
			t.Errorf("want %d: %v", want, found)
		}
	}
}
