//go:build unix

package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(in("file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("file", in("link")), syscall.Mkfifo(in("pipe"), 0o600), os.Symlink("pipe", in("to pipe"))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		in("file"): "", in("link"): "", in("pipe"): "regular", in("to pipe"): "regular", dir: "regular",
		"/dev/zero": "regular", in("none"): "no such file",
	} {
		text, err := Read(name, 4)
		switch {
		case want == "" && (err != nil || string(text) != "text"):
			t.Errorf("%s: %q, %v", name, text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read(in("file"), 3); err == nil || !strings.Contains(err.Error(), "larger than 3 bytes") {
		t.Error(err)
	}
	if _, err := Read(in("none"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
