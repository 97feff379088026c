package changed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// file lays out a file as it was.
func (t *Tree) file(name string) error {
	if t.done[name] {
		return nil
	}
	t.done[name] = true
	text, err := t.content(name)
	if errors.Is(err, errTooLarge) || errors.Is(err, fs.ErrNotExist) {
		return nil // it counts as one that was not there
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if t.bytes += int64(len(text)); t.bytes > maxTreeBytes {
		return fmt.Errorf("more than %d MiB of files", maxTreeBytes>>20)
	}
	if err := t.root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700); err != nil {
		return err
	}
	return t.root.WriteFile(filepath.FromSlash(name), text, 0o600)
}

// content is what a file was. One that did not change may be another in git than in the work tree, by a filter.
func (t *Tree) content(name string) ([]byte, error) {
	if f := t.change.then[name]; f != nil {
		return t.blobs.read(f.blob)
	}
	text, ordinary, err := ordinaryFile(t.change.disk(name))
	if err == nil && !ordinary {
		return nil, errTooLarge
	}
	return text, err
}

// link lays out a symbolic link, and what it leads to; not one that leads to a file that is not wanted.
func (t *Tree) link(name string, wanted func(string) bool) error {
	if t.done[name] {
		return nil
	}
	text, err := t.target(name)
	if err != nil {
		return err
	}
	to, lead := t.lead(name, text)
	if t.isFile(lead) && !wanted(name) {
		return nil
	}
	t.done[name] = true
	if err := t.root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o700); err != nil {
		return err
	}
	if err := t.root.Symlink(to, filepath.FromSlash(name)); err != nil || lead == "" {
		return err
	}
	if wanted(name) {
		wanted = anything // whatever the name of the file is that it leads to
	}
	return t.all(lead, wanted)
}

func (t *Tree) target(name string) (string, error) {
	if f := t.change.then[name]; f != nil {
		text, err := t.blobs.read(f.blob)
		return string(text), err
	}
	return os.Readlink(t.change.disk(name))
}

// lead is where a link leads here, and the name that it leads to, "" for what is outside: that is as it was, as
// far as is known.
func (t *Tree) lead(name, target string) (to, lead string) {
	if filepath.IsAbs(target) {
		if inside, ok := t.change.below(filepath.Clean(target)); ok {
			return t.pathOf(inside), inside
		}
		return target, ""
	}
	joined := path.Join(path.Dir(name), filepath.ToSlash(target))
	if joined == ".." || strings.HasPrefix(joined, "../") {
		return filepath.Join(filepath.Dir(t.change.disk(name)), filepath.FromSlash(target)), ""
	}
	return filepath.FromSlash(target), joined
}

// unknown lays out what stands under a name in the work tree and git knows nothing of: what it ignores, and what
// submodules have.
func (t *Tree) unknown(name string, wanted func(string) bool) error {
	return filepath.WalkDir(t.change.disk(name), func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // the run over the work tree reads the same folder, and reports why it cannot
		}
		below, ok := t.change.below(file)
		switch {
		case !ok || entry.Name() == ".git" || t.strict && t.change.isIgnored(below) || t.other(below):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case t.modes[below] != "": // git's
		case entry.Type()&fs.ModeSymlink != 0:
			return t.link(below, wanted)
		case entry.Type().IsRegular() && wanted(below):
			return t.file(below)
		}
		return nil
	})
}

// other says whether a name stands in what is new in the work tree, or stood behind a link.
func (t *Tree) other(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if t.change.now[name] != nil || t.modes[name] == modeLink {
			return true
		}
	}
	return false
}
