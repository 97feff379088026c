package changed

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
)

// Unchanged says whether a file, as the linter names it, is as it was, and no link.
func (c *Change) Unchanged(name string) bool {
	named, ok := c.Name(name)
	if !ok || !c.Straight(name) {
		return false
	}
	for at := named; at != "."; at = path.Dir(at) {
		if c.now[at] != nil || c.ignored[at] {
			return false
		}
	}
	return true
}

// Straight says whether a file, as the linter names it, is where its name says: in the
// repository, and behind no link.
func (c *Change) Straight(name string) bool {
	named, ok := c.Name(name)
	real, found := c.real(name)
	return ok && found && named == real
}

// Outside says whether a link leads out of the repository. The earlier content of such a file is
// not known.
func (c *Change) Outside(name string) bool {
	_, found := c.real(name)
	return !found
}

// Sparse tells the tree to lay out only the manifests that changed. It does not where a file below the paths that is not as
// it was is a link or a submodule, or says what its folder is: then others can be judged otherwise because of it.
func (t *Tree) Sparse(paths []string) bool {
	t.sparse = !slices.ContainsFunc(t.change.files, func(f file) bool {
		return (f.submodule || f.link || isHead(f.now) || isHead(f.then)) &&
			(t.change.isBelow(f.now, paths) || t.change.isBelow(f.then, paths))
	})
	return t.sparse
}

// ordinaryFile reads a file, if it is one and not too large. A link may lead to what never ends.
func ordinaryFile(name string) (text []byte, ordinary bool, err error) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	case !info.Mode().IsRegular():
		return nil, false, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = file.Close() }() // it was read only
	text, err = io.ReadAll(io.LimitReader(file, maxBlobBytes+1))
	return text, len(text) <= maxBlobBytes, err
}

// isBelow says whether a name below the top is one of the paths, or below one.
func (c *Change) isBelow(name string, paths []string) bool {
	if name == "" {
		return false
	}
	return slices.ContainsFunc(paths, func(p string) bool {
		folder, ok := c.Name(p)
		return ok && (folder == "." || name == folder || len(name) > len(folder) && name[:len(folder)+1] == folder+"/")
	})
}
