package changed

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// view is the repository as it was at Base: the work tree, with what changed undone. What git
// does not know, such as the charts that a chart depends on, is taken to have been there.
type view struct {
	*Change
	below map[string]map[string]bool // of folders at Base: the changed entries
	// strict leaves out what git ignores, too.
	strict bool
}

func newView(c *Change) *view {
	v := &view{Change: c, below: map[string]map[string]bool{}}
	for name := range c.then {
		for name != "." {
			folder := path.Dir(name)
			if v.below[folder] == nil {
				v.below[folder] = map[string]bool{}
			}
			v.below[folder][path.Base(name)] = true
			name = folder
		}
	}
	return v
}

// kinds of what stands under a name.
type kind int

const (
	nothing kind = iota
	regular
	link
	directory
	submodule
)

// kind is what stood under a name at Base.
func (v *view) kind(name string) kind {
	if f := v.then[name]; f != nil {
		switch f.mode {
		case modeLink:
			return link
		case modeSubmodule:
			return submodule
		}
		return regular
	}
	if v.below[name] != nil {
		return directory
	}
	if v.now[name] != nil || v.strict && v.isIgnored(name) {
		return nothing
	}
	info, err := os.Lstat(v.disk(name))
	switch {
	case err != nil:
		return nothing
	case info.Mode()&fs.ModeSymlink != 0:
		return link
	case info.IsDir():
		return directory
	case info.Mode().IsRegular():
		return regular
	}
	return nothing
}

func (v *view) disk(name string) string { return filepath.Join(v.Root, filepath.FromSlash(name)) }

// entries lists a folder at Base.
func (v *view) entries(name string) []string {
	found := maps.Clone(v.below[name])
	if found == nil {
		found = map[string]bool{}
	}
	if info, err := os.Lstat(v.disk(name)); err == nil && info.IsDir() {
		list, _ := os.ReadDir(v.disk(name)) // what cannot be listed is told by the run over the work tree
		for _, entry := range list {
			found[entry.Name()] = true
		}
	}
	delete(found, ".git")
	var there []string
	for _, entry := range slices.Sorted(maps.Keys(found)) {
		if v.kind(path.Join(name, entry)) != nothing {
			there = append(there, entry)
		}
	}
	return there
}

// lead is the name below the top that a symbolic link leads to, or outside.
func (v *view) lead(name, target string) string {
	if filepath.IsAbs(target) {
		if inside, ok := v.Change.below(filepath.Clean(target)); ok {
			return inside
		}
		return outside
	}
	joined := path.Join(path.Dir(name), filepath.ToSlash(target))
	if joined == ".." || strings.HasPrefix(joined, "../") {
		return outside
	}
	return joined
}
