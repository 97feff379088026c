//go:build integration

// Package golden holds the verdicts on real manifests, as a person has read them. Run with
// -update to write them anew, and read the difference before you commit it.
package golden

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/render"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/policies/engine"
)

var update = flag.Bool("update", false, "write the golden files")

// columns is wide enough that a changed word does not rewrap a whole finding.
const columns = 120

func TestCorpus(t *testing.T) {
	e, err := engine.New(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../corpus")
	projects, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, project := range projects {
		if !project.IsDir() {
			continue
		}
		seen++
		t.Run(project.Name(), func(t *testing.T) {
			report, err := lint.Run(t.Context(), e, lint.Options{Paths: []string{project.Name()}})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range report.Problems {
				t.Errorf("%s:%d: %s", p.File, p.Line, p.Message)
			}
			var got bytes.Buffer
			if err := render.Write(&got, "table", report, render.Options{Width: columns}); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(got.String(), "internal:") {
				t.Error("a message speaks of an internal error")
			}
			compare(t, filepath.Join("../../../main/tests/integration", "golden", project.Name()+".txt"), got.Bytes())
		})
	}
	if seen < 7 {
		t.Errorf("%d projects", seen)
	}
}

func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the verdicts differ from %s; got\n%s", file, got)
	}
}

// What bank-of-anthos' balance-reader must show: its heap reaches the memory limit, its
// flags stand in a variable that no JVM reads by itself, and one of them stops JDK 11.
func TestBalanceReader(t *testing.T) {
	e, err := engine.New(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report, err := lint.Run(t.Context(), e, lint.Options{
		Paths: []string{"../../corpus/bank-of-anthos/balance-reader.yaml"},
	})
	if err != nil {
		t.Fatal(err)
	}
	for rule, said := range map[string]string{
		"HR304": "512",
		"HR412": "JVM_OPTS",
		"HR409": "UseCGroupMemoryLimitForHeap",
	} {
		found := false
		for _, f := range report.Findings {
			found = found || f.Rule == rule && strings.Contains(f.Message, said)
		}
		if !found {
			t.Errorf("no %s that says %q", rule, said)
		}
	}
}
