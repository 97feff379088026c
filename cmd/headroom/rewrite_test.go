package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func fileWith(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	return file
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// alone: nothing but the file is in its folder, no temporary one either.
func alone(t *testing.T, file string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v %v", entries, err)
	}
}

func TestRewriteFile(t *testing.T) {
	file := fileWith(t, "a.yaml", "old")
	if err := rewriteFile(file, []byte("old"), []byte("new")); err != nil || content(t, file) != "new" {
		t.Fatal(err, content(t, file))
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	alone(t, file)

	link := filepath.Join(t.TempDir(), "link.yaml")
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := rewriteFile(link, []byte("new"), []byte("newer")); err != nil || content(t, file) != "newer" {
		t.Fatal(err, content(t, file))
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
}

func TestWhatIsNotRewritten(t *testing.T) {
	changed := fileWith(t, "a.yaml", "somebody's")
	if err := rewriteFile(changed, []byte("old"), []byte("new")); !errors.Is(err, errChanged) {
		t.Error(err)
	}
	if content(t, changed) != "somebody's" {
		t.Error(content(t, changed))
	}
	alone(t, changed)

	shut := fileWith(t, "a.yaml", "old")
	if err := os.Chmod(shut, 0o440); err != nil {
		t.Fatal(err)
	}
	if err := rewriteFile(shut, []byte("old"), []byte("new")); !errors.Is(err, errReadOnly) || content(t, shut) != "old" {
		t.Error(err, content(t, shut))
	}

	folder := t.TempDir()
	if err := rewriteFile(folder, nil, []byte("new")); !errors.Is(err, errNoFile) {
		t.Error(err)
	}
	if err := rewriteFile(filepath.Join(folder, "gone"), nil, []byte("new")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A name may be as long as a file system takes, which leaves no room to add anything to it.
func TestLongNames(t *testing.T) {
	long := fileWith(t, strings.Repeat("n", 255), "old")
	if err := rewriteFile(long, []byte("old"), []byte("new")); err != nil || content(t, long) != "new" {
		t.Error(err, content(t, long))
	}
	alone(t, long)
}
