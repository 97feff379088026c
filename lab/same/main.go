// Command same runs two headroom binaries on manifests and compares what they print, to the byte: findings,
// explanations, fixes, standard error and the exit code. The version is left out. A change that should change no
// verdict is held to it.
//
//	go run -C lab ./same BEFORE AFTER [PATH…]
//
// BEFORE and AFTER are binaries. Each PATH is a file, or a folder whose .yaml, .yml and .json files are judged one
// by one. Without one, the files are those of HEADROOM_CORPUS or ../shared/corpus beside the repository, its
// samples, the rules' examples and tests/manifests. It prints what differs as a diff and exits with 1 where
// anything does.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// outputs are the commands whose output is compared, each with the file behind it.
var outputs = [][]string{
	{"lint", "--no-config", "--no-progress", "--show", "info", "--fail-on", "never", "-o", "json"},
	{"lint", "--no-config", "--no-progress", "--show", "info", "--verbose", "--explain"},
	{"explain", "--no-config", "-o", "json"},
	{"explain", "--no-config", "--timeline"},
	{"fix", "--no-config", "--diff"},
}

func main() {
	shown := flag.Int("show", 10, "how many of the outputs that differ are printed")
	flag.Parse()
	if flag.NArg() < 2 {
		fail(errors.New("usage: same [-show N] BEFORE AFTER [PATH…]"))
	}
	binaries := [2]string{absolute(flag.Arg(0)), absolute(flag.Arg(1))}
	files, err := manifests(flag.Args()[2:])
	if err != nil {
		fail(err)
	}
	differ := compare(binaries, files, *shown)
	fmt.Printf("same: %d files, %d outputs, %d differ\n", len(files), len(files)*len(outputs), differ)
	if differ > 0 {
		os.Exit(1)
	}
}

// absolute is a path as it was meant: `go run -C` and `go -C` leave the folder that the user is in.
func absolute(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(os.Getenv("PWD"), path)
}

// manifests are the files of the paths in a fixed order.
func manifests(paths []string) ([]string, error) {
	if len(paths) == 0 {
		paths = usual()
	}
	var files []string
	for _, path := range paths {
		err := filepath.WalkDir(absolute(path), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() &&
				slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path)) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// usual are the folders of manifests that are there on every machine, and other people's where they are.
func usual() []string {
	paths := repo.Manifests()
	if corpus := repo.Corpus(); corpus != "" {
		return append(paths, corpus)
	}
	fmt.Fprintf(os.Stderr, "same: without manifests of others: neither $%s nor ../shared/corpus is a folder\n", repo.CorpusVariable)
	return paths
}

// compare runs both binaries on every file, as many at a time as there are processors. It prints the
// first differences in the order of the files, and returns how many there are.
func compare(binaries [2]string, files []string, shown int) int {
	differences := make([][]string, len(files))
	var group sync.WaitGroup
	turns := make(chan struct{}, runtime.NumCPU())
	for i, file := range files {
		group.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			for _, output := range outputs {
				if difference := difference(binaries, append(slices.Clone(output), file)); difference != "" {
					differences[i] = append(differences[i], difference)
				}
			}
		})
	}
	group.Wait()
	differ := 0
	for _, found := range differences {
		for _, difference := range found {
			if differ < shown {
				fmt.Println(difference)
			}
			differ++
		}
	}
	return differ
}

// difference is what the two print differently for the arguments, as a diff; "" where nothing differs.
func difference(binaries [2]string, arguments []string) string {
	before, after := run(binaries[0], arguments), run(binaries[1], arguments)
	if bytes.Equal(before, after) {
		return ""
	}
	return fmt.Sprintf("== headroom %q\n%s", arguments, diff(before, after))
}

// version is what a binary says of itself: two commits never agree on it.
var version = regexp.MustCompile(`"version": "v[^"]*"`)

// run is everything that a command prints but the version, and its exit code.
func run(binary string, arguments []string) []byte {
	var out, errs bytes.Buffer
	command := exec.Command(binary, arguments...) //nolint:gosec // the user names the binaries
	command.Stdout, command.Stderr = &out, &errs
	err := command.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		fail(err)
	}
	text := version.ReplaceAll(out.Bytes(), []byte(`"version": ""`))
	return fmt.Appendf(nil, "%s\n-- stderr\n%s\n-- exit code %d\n", text, errs.Bytes(), command.ProcessState.ExitCode())
}

func diff(before, after []byte) string {
	dir, err := os.MkdirTemp("", "same")
	if err != nil {
		fail(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string][]byte{"before": before, "after": after} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			fail(err)
		}
	}
	command := exec.Command("git", "diff", "--no-index", "--no-color", "--unified=1", "before", "after")
	command.Dir = dir
	text, _ := command.Output() // 1 is that they differ
	return string(text)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "same:", err)
	os.Exit(2)
}
