package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
)

// What the package holds: the browser, what it draws with, libraries that a bare machine lacks,
// and a font. Their archives lay out folders by themselves.
const (
	browserFile = "package/bin/chromium.br"
	archives    = "package/bin/"
)

// unpack lays the package out below folder.
func unpack(archive, folder string) error {
	file, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer file.Close()
	zipped, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	for entries := tar.NewReader(zipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case entry.Name == browserFile:
			err = write(filepath.Join(folder, "chromium.bin"), brotli.NewReader(entries), 0o755)
		case strings.HasPrefix(entry.Name, archives) && strings.HasSuffix(entry.Name, ".tar.br"):
			err = layOut(tar.NewReader(brotli.NewReader(entries)), folder)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", entry.Name, err)
		}
	}
}

func layOut(entries *tar.Reader, folder string) error {
	for {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if !filepath.IsLocal(entry.Name) {
			return fmt.Errorf("%q leads out of the folder", entry.Name)
		}
		if entry.Typeflag != tar.TypeReg {
			continue
		}
		if err := write(filepath.Join(folder, entry.Name), entries, entry.FileInfo().Mode().Perm()); err != nil {
			return err
		}
	}
}

func write(name string, from io.Reader, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Close())
}

const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

// starter runs the browser with the libraries and the font beside it, wherever the folder is.
const starter = `#!/bin/sh
here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
export FONTCONFIG_FILE="$here/fonts.conf"
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$here/chromium.bin" "$@"
`

// settle makes the browser find what it needs where it lies.
func settle(folder string) error {
	// The package's own names folders of the machine it was made for.
	if err := os.WriteFile(filepath.Join(folder, "fonts.conf"), []byte(fonts), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "chromium"), []byte(starter), 0o755)
}
