package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
)

// Why a file is not rewritten.
var (
	errChanged  = errors.New("it was changed while it was worked on, and stays as it is now")
	errNoFile   = errors.New("it is not a regular file")
	errReadOnly = errors.New("it may not be written (its permissions say so)")
)

// rewriteFile replaces a file, whole or not at all, if it still is what it was before. Its
// permissions stay, and its owner where that is allowed. A link is followed: what it leads to
// is written.
func rewriteFile(name string, before, after []byte) error {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	switch {
	case !info.Mode().IsRegular():
		return errNoFile
	case info.Mode().Perm()&0o222 == 0:
		return errReadOnly // a rename would not ask
	}
	return swap(real, ".headroom-*", after, func(temporary *os.File) error {
		// Of a rename that is on the disk before the bytes, a power cut leaves an empty file.
		if err := temporary.Sync(); err != nil {
			return err
		}
		keepOwner(temporary.Name(), info)
		if err := os.Chmod(temporary.Name(), info.Mode().Perm()); err != nil {
			return err
		}
		return unchanged(real, before)
	})
}

// unchanged says whether a file still is what was read of it.
func unchanged(name string, before []byte) error {
	now, err := os.ReadFile(name)
	if err == nil && !bytes.Equal(now, before) {
		err = errChanged
	}
	return err
}
