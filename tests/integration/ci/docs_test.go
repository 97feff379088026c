//go:build integration

package ci

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// snippets are the blocks of one language in a page.
func snippets(t *testing.T, page, language string) []string {
	t.Helper()
	var found []string
	for _, block := range fence.FindAllStringSubmatch(read(t, filepath.Join(root, "docs", page)), -1) {
		if block[1] == language {
			found = append(found, block[2])
		}
	}
	return found
}

type workflowStep struct {
	Uses string
	With map[string]any
}

// What docs/ci.md tells people to write names inputs, outputs and hooks that there are.
func TestDocumentedSnippets(t *testing.T) {
	a := loadAction(t)
	uses, outputs := 0, regexp.MustCompile(`steps\.headroom\.outputs\.([\w-]+)`)
	check := func(steps []workflowStep) {
		for _, s := range steps {
			if !strings.HasPrefix(s.Uses, "headroom-dev/headroom@v") {
				continue
			}
			uses++
			for name := range s.With {
				if _, known := a.Inputs[name]; !known {
					t.Errorf("the action has no input %s", name)
				}
			}
		}
	}
	for _, text := range snippets(t, "ci.md", "yaml") {
		for _, name := range outputs.FindAllStringSubmatch(text, -1) {
			if _, known := a.Outputs[name[1]]; !known {
				t.Errorf("the action has no output %s", name[1])
			}
		}
		var steps []workflowStep
		if strings.HasPrefix(text, " ") {
			if err := yaml.Unmarshal([]byte(text), &steps); err != nil {
				t.Errorf("%v in\n%s", err, text)
			}
			check(steps)
			continue
		}
		var page struct {
			Jobs    map[string]struct{ Steps []workflowStep }
			Include []struct {
				Remote string
				Inputs map[string]string
			}
			Repos []struct{ Hooks []hook }
		}
		if err := yaml.Unmarshal([]byte(text), &page); err != nil {
			t.Errorf("%v in\n%s", err, text)
		}
		for _, j := range page.Jobs {
			check(j.Steps)
		}
		for _, include := range page.Include {
			_, file, _ := strings.Cut(include.Remote, "/v1.2.3/")
			if !exists(filepath.Join(root, file)) {
				t.Errorf("there is no %s", include.Remote)
			}
			gitlab(t, include.Inputs)
		}
		for _, repo := range page.Repos {
			for _, used := range repo.Hooks {
				if !slices.ContainsFunc(hooks(t), func(h hook) bool { return h.ID == used.ID }) {
					t.Errorf("there is no hook %s", used.ID)
				}
			}
		}
	}
	if uses < 3 {
		t.Errorf("%d uses of the action were found", uses)
	}
	page := read(t, filepath.Join(root, "docs", "ci.md"))
	for name := range a.Outputs {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("output %s is not documented", name)
		}
	}
	for name := range a.Inputs {
		if !strings.Contains(page, name) && name != "token" {
			t.Errorf("input %s is not documented", name)
		}
	}
}

// The commands of both pages, with what only a cluster or a server has in place of their programs.
func TestDocumentedCommands(t *testing.T) {
	manifests := filepath.Join(t.TempDir(), "rendered.yaml")
	write(t, filepath.Dir(manifests), map[string]string{"rendered.yaml": "---\n" + sound + "---\n" + limited + "---\n"})
	programs := t.TempDir()
	for _, name := range []string{"argocd", "flux", "kubectl", "conftest"} {
		write(t, programs, map[string]string{name: "#!/bin/sh\ncat '" + manifests + "'\n"})
		if err := os.Chmod(filepath.Join(programs, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	path := "PATH=" + programs + ":" + filepath.Dir(binary) + ":" + os.Getenv("PATH")
	r := newRepository(t, map[string]string{
		"deploy/cart.yaml": sound, "overlays/production/kustomization.yaml": "resources: [cart.yaml]\n",
		"overlays/production/cart.yaml": sound, "charts/cart/Chart.yaml": "apiVersion: v2\nname: cart\nversion: 1.0.0\n",
		"charts/cart/templates/cart.yaml": sound, "production.yaml": "{}\n",
	})
	git(t, r.dir, "fetch", "--quiet", "origin")
	ran := 0
	for _, page := range []string{"ci.md", "gitops.md"} {
		for _, block := range snippets(t, page, "sh") {
			for line := range strings.Lines(block) {
				if !strings.Contains(line, "headroom lint") && !strings.Contains(line, "headroom fix") {
					continue
				}
				ran++
				want := 0
				if strings.Contains(line, "| headroom lint -") {
					want = 1 // what the stand-ins print has a finding
				}
				line = strings.TrimPrefix(line, "conftest ")
				p := start(t, r.dir, append(clean(t), path, "COMMIT=abc"), "bash", "-o", "pipefail", "-c", line)
				if p.code != want || (want == 1) != strings.Contains(p.output, "HR202") {
					t.Errorf("%sexit code %d, want %d:\n%s", line, p.code, want, p.output)
				}
			}
		}
	}
	if ran < 8 {
		t.Errorf("%d commands were found", ran)
	}
}
