//go:build integration

package fixfiles_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// fixes is where every fix has its cases.
const fixes = "../../system/conformance/corpus"

// manifests are the files below a folder whose names begin so.
func manifests(t *testing.T, root, prefix string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".yaml") ||
			!strings.HasPrefix(entry.Name(), prefix) {
			return err
		}
		text, err := os.ReadFile(path)
		relative, _ := filepath.Rel(root, path)
		files[relative] = text
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files in %s: %v", len(files), root, err)
	}
	return files
}

// folderOf writes files into a folder of their own.
func folderOf(t tester, dir string, files map[string][]byte) string {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func (a *tally) add(b tally) {
	a.files += b.files
	a.objects += b.objects
	a.left += b.left
	a.pods += b.pods
	a.fixedPods += b.fixedPods
	for why, n := range b.why {
		a.why[why] += n
	}
}

func TestCorpus(t *testing.T) {
	for name, make := range map[string]func() (*setup, error){"default": byDefault, "eager": eager} {
		s := with(t, make)
		sum := tally{why: map[string]int{}}
		roots := append(repo.Manifests(), fixes)
		if name == "default" { // what others wrote asks for no more than that
			roots = append(roots, repo.SaidProjects(t)...)
		}
		for _, root := range roots {
			prefix := map[string]string{fixes: "mutate-"}[root]
			for file, text := range manifests(t, root, prefix) {
				// One folder a file: examples would speak for each other's namespaces.
				sum.add(s.check(t, folderOf(t, t.TempDir(), map[string][]byte{filepath.Base(file): text})))
			}
		}
		t.Logf("%s: %+v", name, sum)
		if sum.objects < 50 || sum.fixedPods < 50 || sum.left > 0 {
			t.Errorf("%s: %+v", name, sum)
		}
	}
}
