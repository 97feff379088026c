package image

import (
	"archive/tar"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// Archive writes the index and all it refers to as an OCI layout in a tar file, which
// container engines load and registry tools copy. The same index makes the same file.
func Archive(file string, index v1.ImageIndex, reference name.Tag, modified time.Time) (err error) {
	dir, err := os.MkdirTemp("", "headroom-image")
	if err != nil {
		return fmt.Errorf("make archive: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()

	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return fmt.Errorf("make archive: %w", err)
	}
	// The first is OCI's name for the tag; containerd and Docker take the whole name from
	// the second.
	names := layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": reference.TagStr(),
		"io.containerd.image.name":          reference.Name(),
	})
	if err := path.AppendIndex(index, names); err != nil {
		return fmt.Errorf("make archive: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("make archive: %w", err)
	}
	return pack(file, os.DirFS(dir), modified)
}

// pack writes a tar file beside its place first, so that an incomplete file is never seen.
func pack(file string, tree fs.FS, modified time.Time) (err error) {
	out, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(out.Name()))
		}
	}()
	w := tar.NewWriter(out)
	err = fs.WalkDir(tree, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(tree, path)
		if err != nil {
			return err
		}
		return add(w, path, content, 0o644, modified)
	})
	if err = errors.Join(err, w.Close(), out.Chmod(0o644), out.Close()); err != nil {
		return fmt.Errorf("write archive: %w", err)
	}
	return os.Rename(out.Name(), file)
}
