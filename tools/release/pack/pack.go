// Package pack makes archives whose bytes depend on nothing but what is in them. Names are sorted,
// every file has the same time and belongs to root, and modes are 0755 or 0644.
package pack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// File is one file of an archive.
type File struct {
	Content []byte
	Program bool // may be run
}

// Files are the files of an archive by their path in it, with slashes.
type Files map[string]File

func (f File) mode() fs.FileMode {
	if f.Program {
		return 0o755
	}
	return 0o644
}

// Text adds a file that is not a program.
func (f Files) Text(name, content string) { f[name] = File{Content: []byte(content)} }

// Below is the same tree under a folder.
func (f Files) Below(folder string) Files {
	out := Files{}
	for name, file := range f {
		out[path.Join(folder, name)] = file
	}
	return out
}

// Part is what lies in a folder, named from there; keep says which of it.
func (f Files) Part(folder string, keep func(name string) bool) Files {
	out := Files{}
	for name, file := range f {
		if rest, found := strings.CutPrefix(name, folder+"/"); found && keep(rest) {
			out[rest] = file
		}
	}
	return out
}

// Names are the paths in the order of the archive.
func (f Files) Names() []string { return slices.Sorted(maps.Keys(f)) }

// TarGz packs the files, all changed at the given time.
func (f Files) TarGz(modified time.Time) ([]byte, error) {
	var out bytes.Buffer
	// The header of gzip has room for a name, a time and a system: Go leaves them out.
	zipped, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(zipped)
	for _, name := range f.Names() {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: name, Mode: int64(f[name].mode()), Size: int64(len(f[name].Content)),
			ModTime: modified.UTC().Truncate(time.Second),
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
		if _, err := w.Write(f[name].Content); err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := zipped.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Zip packs the files, all changed at the given time. Zip knows even seconds since 1980; the
// time itself goes into the field that later versions added.
func (f Files) Zip(modified time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	for _, name := range f.Names() {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: modified.UTC()}
		header.SetMode(f[name].mode())
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
		if _, err := entry.Write(f[name].Content); err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
