//go:build unix

package settings

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What a pull request brings as headroom.yaml or as a lock may be anything.
func TestInside(t *testing.T) {
	top := t.TempDir()
	in := func(name string) string { return filepath.Join(top, filepath.FromSlash(name)) }
	err := errors.Join(
		os.MkdirAll(in("repository/.git"), 0o700), os.MkdirAll(in("repository/deep/down"), 0o700), os.MkdirAll(in("alone/..data"), 0o700),
		os.WriteFile(in("secret"), []byte("secret"), 0o600), os.WriteFile(in("repository/shared.yaml"), nil, 0o600),
		os.WriteFile(in("alone/..data/"+FileName), nil, 0o600),
		os.Symlink("../shared.yaml", in("repository/deep/"+FileName)), os.Symlink("../../../secret", in("repository/deep/down/"+FileName)),
		os.Symlink("..data/"+FileName, in("alone/"+FileName)), syscall.Mkfifo(in("repository/"+FileName), 0o600),
		os.Symlink("/dev/zero", in("repository/zero.yaml")), os.Symlink("gone", in("repository/gone.yaml")),
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"repository/deep/" + FileName: "", "alone/" + FileName: "", "repository/deep/down/" + FileName: "leads out",
		"repository/" + FileName: "no regular file", "repository/zero.yaml": "leads out", "repository/gone.yaml": "no such file",
	} {
		if err := Inside(in(name)); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := InsideOf(in("repository/deep/"+FileName), in("secret")); err == nil {
		t.Error("a file beside the repository is inside")
	}
	for dir, want := range map[string]bool{"repository/deep": true, "repository/deep/down": false, "repository": false, "alone": true} {
		if file, err := Find(in(dir)); (err == nil) != want || file == "" {
			t.Errorf("%s: %q, %v", dir, file, err)
		}
	}
}
