package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lab/bench/report"
)

// pair is a run of headroom that is held to another run of it, or to kube-score's.
type pair struct {
	run, beside program
	times       float64 // as much CPU time as the other takes
	memory      float64 // and as much memory; 0 where nothing is promised
}

// maxFileSize takes the largest file that is written here, in bytes.
const maxFileSize = "100000000"

// pairs are measured in turn, so that a busy machine slows both of a pair.
func pairs(t tools, folder string, rounds int) error {
	var err error
	if t.headroom, err = filepath.Abs(t.headroom); err != nil {
		return err
	}
	all, err := t.pairs(folder)
	if err != nil {
		return err
	}
	out := report.Table{
		Title: fmt.Sprintf("One run beside another, %d runs of each in turn: CPU time", rounds),
		Head:  []string{"", "best", "beside", "best", "share", "at most", "best is", "peak RSS", "beside", "share"},
	}
	for _, p := range all {
		found, err := alternate(rounds, []program{p.run, p.beside})
		if err != nil {
			return err
		}
		run, beside := &found[0], &found[1]
		share, memory := ratio(run.bestCPU(), beside.bestCPU()), float64(run.rss)/float64(beside.rss)
		atMost := fmt.Sprintf("%v ×", p.times)
		if p.memory > 0 {
			atMost += fmt.Sprintf(", memory %v ×", p.memory)
		}
		out.Rows = append(out.Rows, []string{
			p.run.name, report.Milliseconds(run.bestCPU()), p.beside.name, report.Milliseconds(beside.bestCPU()),
			report.Times(share), atMost, report.Times(share / p.times),
			report.Megabytes(run.rss), report.Megabytes(beside.rss), report.Times(memory),
		})
	}
	out.Print()
	return nil
}

// pairs writes what they need.
func (t tools) pairs(folder string) ([]pair, error) {
	documents, list := filepath.Join(folder, "documents.yaml"), filepath.Join(folder, "list.yaml")
	jvms := filepath.Join(folder, "jvms.yaml")
	thousand, tenThousand := filepath.Join(folder, "1000"), filepath.Join(folder, "10000")
	for _, one := range []struct {
		file, from string
		join       func([][]byte) []byte
	}{
		{documents, tenThousand, asDocuments},
		{list, tenThousand, asList},
		{jvms, filepath.Join(folder, "jvms"), asDocuments},
	} {
		if err := joined(one.file, one.from, one.join); err != nil {
			return nil, err
		}
	}
	changed, err := changedRepository(filepath.Join(folder, "changed"), thousand)
	if err != nil {
		return nil, err
	}
	headroom := func(name, command string, arguments ...string) program {
		fixed := []string{t.headroom, command, "--no-config", "--max-file-size", maxFileSize}
		return program{name: name, args: append(fixed, arguments...)}
	}
	lint := func(name string, arguments ...string) program {
		return headroom(name, "lint", append([]string{"--no-progress", "--fail-on", "never"}, arguments...)...)
	}
	const fixTimes, changedTimes, listTimes = 2, 0.2, 1.2
	all := []pair{
		{headroom("fix, 1 000 JVMs in a file", "fix", "--diff", jvms), lint("lint", jvms), fixTimes, 0},
		{
			lint("--changed-since, 1 of 1 000 files", "--changed-since", "HEAD", ".").in(changed),
			lint("all", ".").in(changed), changedTimes, 0,
		},
		{lint("a List of 10 000", list), lint("documents", documents), listTimes, listTimes},
	}
	if t.kubeScore == "" {
		return all, nil
	}
	const plainTimes, jvmTimes = 3, 5
	for _, one := range []struct {
		name, file string
		times      float64
	}{
		{"one file, plain", filepath.Join(thousand, fileName(1)), plainTimes},
		{"one file, a JVM with findings", filepath.Join(folder, "jvms", fileName(1)), jvmTimes},
	} {
		other := program{name: "kube-score", args: []string{t.kubeScore, "score", one.file}}
		all = append(all, pair{lint(one.name, one.file), other, one.times, 0})
	}
	return all, nil
}

// joined writes the manifests of a folder as one file.
func joined(file, from string, join func([][]byte) []byte) error {
	names, err := filepath.Glob(filepath.Join(from, "*.yaml"))
	if err != nil {
		return err
	}
	slices.Sort(names)
	texts := make([][]byte, len(names))
	for i, name := range names {
		if texts[i], err = os.ReadFile(name); err != nil { //nolint:gosec // a file of the folder that this program made
			return err
		}
	}
	return os.WriteFile(file, join(texts), 0o600)
}

func asDocuments(texts [][]byte) []byte { return bytes.Join(texts, []byte("---\n")) }

func asList(texts [][]byte) []byte {
	var list strings.Builder
	list.WriteString("apiVersion: v1\nkind: List\nitems:\n")
	for _, text := range texts {
		list.WriteString("- " + strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\n", "\n  ") + "\n")
	}
	return []byte(list.String())
}

// changedRepository is a repository with a copy of a folder, of which one file changes.
func changedRepository(folder, from string) (string, error) {
	if err := os.CopyFS(folder, os.DirFS(from)); err != nil {
		return "", err
	}
	for _, arguments := range [][]string{
		{"init", "-q"},
		{"add", "."},
		{
			"-c", "user.name=bench", "-c", "user.email=bench@example.org", "-c", "commit.gpgsign=false",
			"commit", "-qm", "before",
		},
	} {
		git := exec.Command("git", append([]string{"-C", folder}, arguments...)...) //nolint:gosec // the arguments stand above
		if said, err := git.CombinedOutput(); err != nil {
			return "", fmt.Errorf("git %v: %w\n%s", arguments, err, said)
		}
	}
	name := filepath.Join(folder, fileName(1))
	text, err := os.ReadFile(name) //nolint:gosec // in the repository made above
	if err != nil {
		return "", err
	}
	text = bytes.Replace(text, []byte("replicas: 3"), []byte("replicas: 4"), 1)
	return folder, os.WriteFile(name, text, 0o600) //nolint:gosec // in the repository made above
}
