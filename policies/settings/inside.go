package settings

import (
	"os"
	"path/filepath"

	"github.com/headroom-dev/headroom/policies/yamlfile"
)

// Inside refuses a file that the user has not named and that is no regular file of its tree. A pipe would have no end,
// and a link may lead to any file of the machine. A ConfigMap's link to the folder beside it is inside.
func Inside(file string) error { return InsideOf(file, file) }

// below is Inside for a tree that is known, by its real path.
func below(file, root string) error {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return Problem{File: file, Message: "cannot be read: " + yamlfile.Cause(err)}
	}
	if real, err = filepath.Abs(real); err != nil {
		return Problem{File: file, Message: "cannot be read: " + yamlfile.Cause(err)}
	}
	if inside, err := filepath.Rel(root, real); err != nil || !filepath.IsLocal(inside) {
		return Problem{File: file, Message: "leads out of its repository, and is not read; a flag may name it"}
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return Problem{File: file, Message: "cannot be read: " + yamlfile.Cause(err)}
	case !info.Mode().IsRegular():
		return Problem{File: file, Message: "is no regular file"}
	}
	return nil
}

// InsideOf is Inside for a file that another one names, which is inside of its tree.
func InsideOf(other, file string) error {
	absolute, err := filepath.Abs(other)
	if err != nil {
		return Problem{File: file, Message: "cannot be found: " + yamlfile.Cause(err)}
	}
	root, err := filepath.EvalSymlinks(Repository(filepath.Dir(absolute)))
	if err != nil {
		return Problem{File: file, Message: "cannot be found: " + yamlfile.Cause(err)}
	}
	return below(file, root)
}

// Repository is the nearest folder upwards that git knows as a repository, else the folder itself.
func Repository(folder string) string {
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return folder
		}
	}
}
