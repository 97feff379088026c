//go:build integration

// Package golden holds the verdicts on whole manifests, as a person has read them. Run with
// -update to write them anew, and read the difference before you commit it.
package golden

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/golden"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// columns is wide enough that a changed word does not rewrap a whole finding.
const columns = 120

// judged is what lint reports of a path, with the table that is printed of it.
func judged(t *testing.T, path string) (*report.Report, string) {
	t.Helper()
	e := defaults.Engine(t)
	found, err := lint.Run(t.Context(), e, lint.Options{Paths: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range found.Problems {
		t.Errorf("%s:%d: %s", p.File, p.Line, p.Message)
	}
	var table bytes.Buffer
	found.Show = engine.SeverityInfo
	if err := render.Write(&table, "table", found, render.Options{Width: columns, Verbose: true, Explain: true}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(table.String(), "internal:") {
		t.Error("a message speaks of an internal error")
	}
	return found, table.String()
}

func TestManifests(t *testing.T) {
	folder, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(repo.Path("tests/manifests"))
	files, err := filepath.Glob("*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			_, table := judged(t, file)
			golden.Check(t, filepath.Join(folder, strings.TrimSuffix(file, ".yaml")+".txt"), table)
		})
	}
	// A golden file whose manifest is gone is held to nothing.
	kept, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(kept) != len(files) {
		t.Errorf("%d golden files for %d manifests: %v", len(kept), len(files), err)
	}
}

// What the manifests were written to show must be found whatever the golden files say. An empty
// word stands for any message.
func TestWhatTheManifestsShow(t *testing.T) {
	for file, findings := range map[string][][3]string{ // container, rule, a word of the message
		"heap-at-limit.yaml": {
			{"reader", "HR304", "384"}, {"reader", "HR412", "JVM_OPTS"},
		},
		"refused-flags.yaml": {
			{"pricing", "HR409", "UseParallelGC"}, {"pricing", "HR410", "800m"}, {"stock-levels", "HR409", "MaxRAMPercentage"},
		},
		"java-tool-options.yaml":  {{"headlines", "HR202", ""}, {"headlines", "HR305", "900"}},
		"init-and-sidecars.yaml":  {{"migrate", "HR304", "300"}, {"checkout", "HR202", ""}, {"edge", "HR205", ""}},
		"list.yaml":               {{"api", "HR401", ""}, {"mongo", "HR306", "512m"}},
		"namespace-defaults.yaml": {{"", "HR104", "latency-sensitive"}, {"", "HR209", ""}},
		"workers.yaml":            {{"api", "HR202", "9 workers"}, {"web", "HR502", "6"}, {"archive", "HR502", "12"}},
		"jobs.yaml":               {{"", "HR103", "batch"}, {"reindex", "HR204", ""}},
	} {
		report, _ := judged(t, repo.Path("tests/manifests", file))
		for _, want := range findings {
			found := false
			for _, f := range report.Findings {
				found = found || f.Container == want[0] && f.Rule == want[1] && strings.Contains(f.Message, want[2])
			}
			if !found {
				t.Errorf("%s: no %s of container %q that says %q", file, want[1], want[0], want[2])
			}
		}
	}
}

// Manifests of other projects have no golden files: they are no part of the repository. All of
// them are read, judged and printed, and a file alone is judged as it is among others.
func TestOtherProjects(t *testing.T) {
	for _, project := range repo.SaidProjects(t) {
		t.Run(filepath.Base(project), func(t *testing.T) {
			together, _ := judged(t, project)
			if len(together.Workloads) == 0 || len(together.Findings) == 0 {
				t.Fatalf("%d workloads, %d findings", len(together.Workloads), len(together.Findings))
			}
			among := map[string]bool{}
			for _, f := range together.Findings {
				among[verdict(f)] = true
			}
			files, err := filepath.Glob(filepath.Join(project, "*.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			workloads := 0
			for _, file := range files {
				alone, _ := judged(t, file)
				workloads += len(alone.Workloads)
				for _, f := range alone.Findings {
					// A ConfigMap of another file may hold the flags.
					if !strings.HasPrefix(f.Rule, "HR3") && !strings.HasPrefix(f.Rule, "HR4") && !among[verdict(f)] {
						t.Errorf("%s alone: %s", file, verdict(f))
					}
				}
			}
			if workloads != len(together.Workloads) {
				t.Errorf("%d workloads in the files, %d in the folder", workloads, len(together.Workloads))
			}
		})
	}
}

func verdict(f engine.Finding) string {
	return fmt.Sprint(f.Rule, " ", f.Severity, " ", f.Resource, " ", f.Container, " ", f.Path, ": ", f.Message)
}
