package changed

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// link lays out a symbolic link, and gives the name that it leads to.
func (t *Tree) link(name string) (string, error) {
	text, err := t.target(name)
	if err != nil {
		return "", err
	}
	lead := t.view.lead(name, text)
	if t.done[name] {
		return lead, nil
	}
	t.done[name] = true
	to := t.at(lead)
	if lead == outside { // what is outside is as it was, as far as anybody knows
		if to = filepath.FromSlash(text); !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(t.view.disk(name)), to)
		}
	}
	if err := os.MkdirAll(filepath.Dir(t.at(name)), 0o700); err != nil {
		return "", err
	}
	if err := os.Symlink(to, t.at(name)); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	return lead, nil
}

func (t *Tree) target(name string) (string, error) {
	if f := t.view.then[name]; f != nil {
		text, err := t.blobs.read(f.blob)
		return string(text), err
	}
	return os.Readlink(t.view.disk(name))
}

func (t *Tree) file(name string) error {
	if t.done[name] {
		return nil
	}
	t.done[name] = true
	text, err := t.content(name)
	if errors.Is(err, errTooLarge) {
		return nil // it counts as one that was not there
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if t.bytes += int64(len(text)); t.bytes > maxTreeBytes {
		return fmt.Errorf("more than %d MiB of files", maxTreeBytes>>20)
	}
	if err := os.MkdirAll(filepath.Dir(t.at(name)), 0o700); err != nil {
		return err
	}
	return os.WriteFile(t.at(name), text, 0o600)
}

// content is what a file was.
func (t *Tree) content(name string) ([]byte, error) {
	if f := t.view.then[name]; f != nil {
		return t.blobs.read(f.blob)
	}
	info, err := os.Stat(t.view.disk(name))
	if err != nil {
		return nil, err
	}
	if info.Size() > maxBlobBytes {
		return nil, errTooLarge
	}
	return os.ReadFile(t.view.disk(name))
}
