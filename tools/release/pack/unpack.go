package pack

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// largest is the size of a single file that is unpacked, in bytes: a binary has a fifth of it.
const largest = 1 << 29

// UntarGz reads what TarGz has packed.
func UntarGz(archive []byte) (Files, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return Untar(unzipped)
}

// Untar reads the regular files of a tar archive and skips all other entries.
func Untar(from io.Reader) (Files, error) {
	files := Files{}
	reader := tar.NewReader(from)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("unpack: %w", err)
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		if !filepath.IsLocal(header.Name) || header.Size > largest {
			return nil, fmt.Errorf("unpack: %q of %d bytes", header.Name, header.Size)
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			return nil, fmt.Errorf("unpack %s: %w", header.Name, err)
		}
		files[header.Name] = File{content, header.Mode&0o100 != 0}
	}
}

// Write puts the files into a folder of the disk.
func (f Files) Write(dir string) error {
	for _, name := range f.Names() {
		target := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, f[name].Content, f[name].mode()); err != nil {
			return err
		}
	}
	return nil
}
