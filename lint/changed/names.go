package changed

import (
	"os"
	"path/filepath"
	"strings"
)

// Shown is a file below the top of the repository as the user would name it.
func (c *Change) Shown(name string) string {
	relative, err := filepath.Rel(c.dir, filepath.Join(c.Root, filepath.FromSlash(name)))
	if err != nil {
		return name
	}
	return filepath.ToSlash(relative)
}

// Gone says whether a path, as the user named it, was there and is not any more.
func (c *Change) Gone(named string) bool {
	name, ok := c.Name(named)
	if !ok {
		return false
	}
	if _, err := os.Lstat(filepath.Join(c.Root, filepath.FromSlash(name))); err == nil {
		return false
	}
	for then := range c.then {
		if then == name || strings.HasPrefix(then, name+"/") {
			return true
		}
	}
	return false
}

// Holds says whether a path, as the user named it, is in the repository.
func (t *Tree) Holds(named string) bool {
	_, ok := t.change.Name(named)
	return ok
}

// Moved lays out manifests that are below the paths now and were not before. It gives where
// they are laid out.
func (t *Tree) Moved(paths []string) ([]string, error) {
	var laid []string
	for i := range t.change.files {
		f := &t.change.files[i]
		if f.now == "" || f.then == "" || f.now == f.then || !isManifest(f.now) {
			continue
		}
		if !t.change.isBelow(f.now, paths) || t.change.isBelow(f.then, paths) {
			continue
		}
		if err := t.layOutFile(f.then, anything); err != nil {
			return nil, err
		}
		laid = append(laid, t.pathOf(f.then))
	}
	return laid, nil
}

// Unlaid is a message about a file that was laid out, as if it were about that of the user.
func (t *Tree) Unlaid(message string) string {
	return strings.ReplaceAll(message, t.dir+string(filepath.Separator), "")
}
