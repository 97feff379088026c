// Package repo finds the files of this repository, and those that others wrote, for tests.
package repo

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// CorpusVariable names the folder of other people's manifests, where it is not ../shared/corpus.
const CorpusVariable = "HEADROOM_CORPUS"

// Root is the repository's folder, absolute.
func Root() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		// -trimpath leaves no folder in the binary: look upward from the test's own.
		return upward()
	}
	return filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(file))))
}

func upward() string {
	dir, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	for {
		// Not the first go.mod: the lab and the pinned tools have their own.
		if _, err := os.Stat(filepath.Join(dir, "policies", "rego")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			panic("no policies/rego above the working directory")
		}
		dir = above
	}
}

// Path is a file of the repository, absolute; its parts are below the root.
func Path(parts ...string) string {
	return filepath.Join(append([]string{Root()}, parts...)...)
}

// Tool is a program that `make tools` builds, whether it is there or not.
func Tool(name string) string { return Path(".tools", "bin", name) }

// Manifests are the folders of the project's own manifests: each rule's examples, the samples,
// and what is written for the shapes that other people's manifests have.
func Manifests() []string {
	return []string{Path("policies/rego/headroom/rules"), Path("samples"), Path("tests/manifests")}
}

// Corpus is the folder of manifests that others wrote, which are not part of the repository:
// HEADROOM_CORPUS, or ../shared/corpus. It is "" without one; a test says so then.
func Corpus() string {
	dir := os.Getenv(CorpusVariable)
	if dir == "" {
		dir = filepath.Join(Root(), "..", "shared", "corpus")
	}
	//nolint:gosec // the developer says where the manifests are
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return dir
}

// others are the folders of the corpus that hold no project. These are rendered charts, for a suite that asks every
// engine about each object: they are ten times what the projects are. Others are incidents, and inputs that are
// broken on purpose.
var others = []string{"charts", "labelled", "minimal", "reports"}

// Projects are the folders of the corpus that hold the manifests of one project each; none
// where there is no corpus.
func Projects() []string {
	dir := Corpus()
	entries, err := os.ReadDir(dir)
	if dir == "" || err != nil {
		return nil
	}
	var found []string
	for _, entry := range entries {
		if entry.IsDir() && !slices.Contains(others, entry.Name()) {
			found = append(found, filepath.Join(dir, entry.Name()))
		}
	}
	return found
}

// Logger is told what a test goes without.
type Logger interface {
	Helper()
	Logf(format string, arguments ...any)
}

// SaidProjects are the Projects; where there are none, the log says so.
func SaidProjects(t Logger) []string {
	t.Helper()
	projects := Projects()
	if len(projects) == 0 {
		t.Logf("no manifests of other projects: neither $%s nor ../shared/corpus is a folder", CorpusVariable)
	}
	return projects
}
