// Package versions puts another version of headroom into a running test cluster, and back: its kubelet starts what lies
// at a path.
package versions

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Variable names the program of the version before (make upgrades).
const Variable = "HEADROOM_BEFORE"

// Both are this version and the one before, and where the cluster's kubelet finds its program.
type Both struct {
	path  string
	texts map[string][]byte // by name
}

// The names of the versions.
const (
	Before = "the version before"
	This   = "this version"
)

// Of keeps the program at a path, and puts it back when the test ends.
func Of(t *testing.T, path string) *Both {
	t.Helper()
	before := os.Getenv(Variable)
	if before == "" {
		t.Fatalf("%s names no program: run make upgrades", Variable)
	}
	b := &Both{path: path, texts: map[string][]byte{}}
	for name, file := range map[string]string{Before: before, This: path} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b.texts[name] = text
	}
	t.Cleanup(func() { b.Use(t, This) })
	return b
}

// Use makes what is started from now on that version. What runs goes on.
func (b *Both) Use(t *testing.T, name string) {
	t.Helper()
	next := b.path + ".next"
	if err := os.WriteFile(next, b.texts[name], 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, b.path); err != nil {
		t.Fatal(err)
	}
}

// Running says which version a process is.
func (b *Both) Running(pid int) string {
	text, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "exe"))
	if err != nil {
		return err.Error()
	}
	for name, version := range b.texts {
		if sha256.Sum256(version) == sha256.Sum256(text) {
			return name
		}
	}
	return "another program"
}
