//go:build system

package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// itemOfList is how a path in a List begins; the cluster has its items alone.
var itemOfList = regexp.MustCompile(`^/items/\d+`)

// verdicts are rule, workload and container of each finding, sorted.
func verdicts(r *report.Report) []string {
	var list []string
	for _, findings := range [][]engine.Finding{r.Findings, r.Exempted} {
		for _, f := range findings {
			list = append(list, fmt.Sprintf("%s %s/%s %s %s: %s",
				f.Rule, f.Resource.Kind, f.Resource.Name, f.Container, itemOfList.ReplaceAllString(f.Path, ""), f.Message))
		}
	}
	slices.Sort(list)
	return list
}

// What the linter says of files, the audit says of the same in a cluster, word for word: the
// API server's defaults change no verdict. It takes each set into a namespace of its own.
func TestManifestsAsLinted(t *testing.T) {
	cluster.Kubectl("create", "priorityclass", "critical-service", "--value=1000")
	var sets [][]string
	for _, dir := range append(repo.SaidProjects(t), repo.Path("samples"), repo.Path("samples/wrong")) {
		if files, _ := filepath.Glob(filepath.Join(dir, "*.yaml")); len(files) > 0 {
			sets = append(sets, files)
		}
	}
	// A file each: one brings defaults for its whole namespace.
	own, err := filepath.Glob(repo.Path("tests/manifests/*.yaml"))
	if err != nil || len(own) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	for _, file := range own {
		sets = append(sets, []string{file})
	}
	e := defaults.Engine(t)
	for _, files := range sets {
		name := filepath.Base(filepath.Dir(files[0]))
		if len(files) == 1 {
			name = strings.TrimSuffix(filepath.Base(files[0]), ".yaml")
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			namespace := cluster.Namespace(t)
			for _, file := range files {
				moved(t, file, dir, namespace)
			}
			// Custom resources among them have no definition here; what the API server does not take
			// is not in the cluster, and lint judges none of it.
			out := cluster.Kubectl("apply", "--server-side", "--force-conflicts", "-n", namespace, "-f", dir)
			linted, err := lint.Run(t.Context(), e, lint.Options{Paths: []string{dir}})
			if err != nil {
				t.Fatal(err)
			}
			audited := sound(t, run(t, audit.Options{Namespaces: []string{namespace}}))
			want, got := verdicts(linted), verdicts(audited)
			if len(linted.Workloads) != len(audited.Workloads) || len(want) == 0 && name != "samples" {
				t.Fatalf("%d workloads, lint has %d; kubectl said:\n%s", len(audited.Workloads), len(linted.Workloads), out.Stderr)
			}
			for _, w := range want {
				if !slices.Contains(got, w) {
					t.Errorf("only lint: %s", w)
				}
			}
			for _, g := range got {
				if !slices.Contains(want, g) {
					t.Errorf("only audit: %s", g)
				}
			}
		})
	}
}

// moved copies a file into a folder, with all that it holds in one namespace.
func moved(t *testing.T, file, dir, namespace string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var documents []string
	for document := range strings.SplitSeq(string(text), "\n---") {
		var lines []string
		cluster := strings.Contains(document, "\nkind: Namespace\n")
		for line := range strings.SplitSeq(document, "\n") {
			switch {
			case strings.HasPrefix(line, "  namespace: "):
				line = "  namespace: " + namespace
			case cluster && strings.HasPrefix(line, "  name: "):
				line = "  name: " + namespace
			}
			lines = append(lines, line)
		}
		documents = append(documents, strings.Join(lines, "\n"))
	}
	moved := strings.Join(documents, "\n---")
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(file)), []byte(moved), 0o600); err != nil {
		t.Fatal(err)
	}
}
