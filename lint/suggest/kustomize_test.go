//go:build integration

package suggest_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest"
)

const kustomizations = "testdata/kustomize/"

func fixedKustomization(t *testing.T, name string) []suggest.Fixed {
	t.Helper()
	list, _ := fixesOf(t, objectsOf(t, source.RenderKustomize(kustomizations+name, source.Options{})))
	return list
}

func TestPatchesOfKustomizations(t *testing.T) {
	for _, name := range []string{
		"plain", "prefixed/production", "component/all", "twice", "same", "late", "double", "annotated",
	} {
		t.Run(name, func(t *testing.T) {
			all := t.TempDir()
			if err := os.CopyFS(all, os.DirFS(kustomizations)); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(all, name)
			before := objectsOf(t, itemsOf(tool(t, "kubectl", "kustomize", dir)))
			list, changed := fixesOf(t, objectsOf(t, source.RenderKustomize(kustomizations+name, source.Options{})))
			if len(list) == 0 {
				t.Fatal("nothing to fix")
			}
			snippets, err := suggest.Kustomize(context.Background(), kustomizations+name, list)
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, "kustomize-"+strings.ReplaceAll(name, "/", "-"), snippets)
			if len(snippets) != 1 || snippets[0].Covers != len(list) {
				t.Fatalf("%+v", snippets)
			}
			if strings.Contains(snippets[0].Where, "folder of its own") {
				dir = onTop(t, all, dir, snippets[0].Text)
			} else {
				into(t, dir, snippets[0].Text)
			}
			after := objectsOf(t, itemsOf(tool(t, "kubectl", "kustomize", dir)))
			settled(t, before, after, changed)
		})
	}
}

// into appends a snippet to a kustomization, below the patches that are there.
func into(t *testing.T, dir, snippet string) {
	t.Helper()
	for _, name := range []string{"kustomization.yaml", "kustomization.yml"} {
		file := filepath.Join(dir, name)
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if strings.Contains(string(text), "\npatches:") {
			snippet = strings.TrimPrefix(snippet, "patches:\n")
		}
		write(t, file, string(text)+snippet)
		return
	}
	t.Fatalf("no kustomization in %s", dir)
}

func onTop(t *testing.T, all, dir, snippet string) string {
	t.Helper()
	top := filepath.Join(all, "top")
	if err := os.Mkdir(top, 0o700); err != nil {
		t.Fatal(err)
	}
	below, err := filepath.Rel(top, dir)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(top, "kustomization.yaml"), "resources: ["+filepath.ToSlash(below)+"]\n"+snippet)
	return top
}

// A kustomization that asks for something from elsewhere is not built, with patches or
// without.
func TestNothingIsFetched(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "kustomization.yaml"), "resources: [https://example.com/a.yaml]\n")
	snippets, err := suggest.Kustomize(context.Background(), dir, fixedKustomization(t, "plain"))
	if err == nil || !strings.Contains(err.Error(), "nothing is fetched here") {
		t.Errorf("%v, %v", snippets, err)
	}
}
