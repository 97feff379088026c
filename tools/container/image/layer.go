package image

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// File is one file of the image: where its content is, and where it goes.
type File struct {
	Source string
	Path   string // below the root, without the first slash
	Mode   int64
}

func paths(files []File) []string {
	var out []string
	for _, f := range files {
		out = append(out, "/"+f.Path)
	}
	return out
}

// newLayer packs the files, owned by root so that the process cannot change them. Order,
// times and owners are fixed: the same files make the same bytes.
func newLayer(files []File, created time.Time) (v1.Layer, error) {
	files = slices.SortedFunc(slices.Values(files), func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, f := range files {
		content, err := os.ReadFile(f.Source)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.Path, err)
		}
		if err := add(w, f.Path, content, f.Mode, created); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("close layer: %w", err)
	}
	// Kept compressed: its sum, its size and its content are each asked for, and a binary takes seconds to compress.
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
}

func add(w *tar.Writer, name string, content []byte, mode int64, modified time.Time) error {
	header := &tar.Header{
		Typeflag: tar.TypeReg, Name: name, Mode: mode, Size: int64(len(content)),
		ModTime: modified.UTC().Truncate(time.Second), Format: tar.FormatUSTAR,
	}
	if err := w.WriteHeader(header); err != nil {
		return fmt.Errorf("pack %s: %w", name, err)
	}
	if _, err := w.Write(content); err != nil {
		return fmt.Errorf("pack %s: %w", name, err)
	}
	return nil
}
