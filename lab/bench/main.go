// Command bench measures headroom and prints each figure beside what it is held to. It
// fails only where a program cannot be run: a busy machine is no mistake. See
// docs/performance.md.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/headroom-dev/headroom/lab"
	"github.com/headroom-dev/headroom/lab/bench/report"
)

func main() {
	var t tools
	flag.StringVar(&t.headroom, "headroom", "bin/headroom", "the `program` to measure")
	flag.StringVar(&t.conftest, "conftest", ".tools/bin/conftest", "conftest, to compare with; empty to leave it out")
	flag.StringVar(&t.kubeScore, "kube-score", ".tools/bin/kube-score", "kube-score, to compare with; empty to leave it out")
	flag.StringVar(&t.kyverno, "kyverno", ".tools/bin/kyverno", "Kyverno's command line, to compare with; empty to leave it out")
	rounds := flag.Int("rounds", 3, "how often to judge 1 000 files with each program; the best of them counts")
	keep := flag.String("manifests", "", "write the manifests to `FOLDER` and keep them")
	flag.Parse()
	// The kernel counts the memory of the process that starts another towards its peak.
	debug.SetGCPercent(20)
	lab.Main("bench", func(context.Context) error { return run(t, *rounds, *keep) })
}

func run(t tools, rounds int, folder string) error {
	if folder == "" {
		temporary, err := os.MkdirTemp("", "headroom-bench-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(temporary) }()
		folder = temporary
	}
	fmt.Printf("%s\n\n", report.Machine())
	if err := decisions(); err != nil {
		return err
	}
	if err := edits(); err != nil {
		return err
	}
	thousand, tenThousand, jvms := filepath.Join(folder, "1000"), filepath.Join(folder, "10000"), filepath.Join(folder, "jvms")
	for dir, set := range map[string]struct {
		n  int
		of func(int) workload
	}{thousand: {1000, workloadOf}, tenThousand: {10_000, workloadOf}, jvms: {1000, jvmOf}} {
		if err := writeManifests(dir, set.n, set.of); err != nil {
			return err
		}
	}
	if err := coldStarts(t, filepath.Join(thousand, fileName(0)), 7*rounds); err != nil {
		return err
	}
	if err := manyFiles(t, thousand, jvms, tenThousand, rounds); err != nil {
		return err
	}
	if err := pairs(t, folder, rounds); err != nil {
		return err
	}
	return corpus(t, filepath.Join(folder, "corpus"), rounds)
}
