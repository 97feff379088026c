package changed

import (
	"os"
	"path/filepath"
	"testing"
)

// emptyTree is one of a work tree with a file, where nothing changed.
func emptyTree(t *testing.T) *Tree {
	t.Helper()
	top, err := realPath(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	here, laid := filepath.Join(top, "here", "repository"), filepath.Join(top, "laid", "out")
	for _, dir := range []string{here, laid} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{filepath.Join(here, "a.yaml"), filepath.Join(here, "..", "outside.yaml")} {
		if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(laid)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return &Tree{
		change: &Change{Root: here, dir: here, now: map[string]*file{}, then: map[string]*file{}},
		dir:    laid, root: root, modes: map[string]string{}, done: map[string]bool{},
	}
}

// Whatever a tree of git has for a name, nothing is written outside of the folder.
func TestNothingIsLaidOutElsewhere(t *testing.T) {
	tree := emptyTree(t)
	if err := tree.file("../outside.yaml"); err == nil {
		t.Error("a file above the folder is laid out")
	}
	if err := os.Symlink("..", filepath.Join(tree.dir, "up")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(tree.change.disk("up"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tree.change.disk("up/b.yaml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := tree.file("up/b.yaml"); err == nil {
		t.Error("a file is laid out behind a link that leads out of the folder")
	}
	for _, name := range []string{"outside.yaml", "b.yaml"} {
		if _, err := os.Lstat(filepath.Join(tree.dir, "..", name)); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	if err := tree.file("a.yaml"); err != nil || !exists(tree.pathOf("a.yaml")) {
		t.Errorf("a.yaml is not laid out: %v", err)
	}
}

func TestWhereLinksLead(t *testing.T) {
	tree := emptyTree(t)
	inside := filepath.Join(tree.change.Root, "c", "d")
	for _, c := range []struct{ name, target, to, lead string }{
		{"a/link", "../b", "../b", "b"},
		{"link", ".", ".", "."},
		{"a/link", inside, tree.pathOf("c/d"), "c/d"},
		{"a/link", "../../x", filepath.Join(tree.change.Root, "..", "x"), ""},
		{"link", "/etc/passwd", "/etc/passwd", ""},
	} {
		if to, lead := tree.lead(c.name, c.target); to != filepath.FromSlash(c.to) || lead != c.lead {
			t.Errorf("%s to %s leads to %s, %q", c.name, c.target, to, lead)
		}
	}
}

// A submodule that moved on, a file of another repository and what stood behind a link are not what was there.
func TestWhatIsOfAnother(t *testing.T) {
	tree := emptyTree(t)
	tree.change.now["new"] = &file{now: "new"}
	tree.modes["link"], tree.modes["a.yaml"] = modeLink, "100644"
	for name, other := range map[string]bool{"new": true, "new/a": true, "link/b": true, "a.yaml": false, "c/d": false} {
		if tree.other(name) != other {
			t.Errorf("%s: %t", name, !other)
		}
	}
}

// Names of a folder are all that begin with its name and a slash, and no others.
func TestBelow(t *testing.T) {
	tree := emptyTree(t)
	tree.names = []string{"a", "b-c", "b.yaml", "b/c", "b/d/e", "b0", "c"}
	for _, name := range tree.names {
		tree.modes[name] = "100644"
	}
	for name, want := range map[string]int{".": 7, "a": 1, "b": 2, "b/d": 1, "d": 0} {
		if got := tree.below(name); len(got) != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
