package changed

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Tree is a folder with files as they were at Base, as far as they are asked for. Those of git that changed
// have their content at Base, all others that of the work tree. What git does not know, such as the charts that
// a chart depends on, is taken to have been there.
type Tree struct {
	change *Change
	blobs  *blobs
	dir    string
	root   *os.Root // of dir: nothing is written through a link that leads out of it
	// names are those of git's files at Base, in order, and modes what each is.
	names []string
	modes map[string]string
	done  map[string]bool
	bytes int64
	// sparse leaves out manifests that did not change, strict what git ignores.
	sparse, strict bool
}

// Tree lays out files in an empty folder. Close it when they are all there.
func (c *Change) Tree(ctx context.Context, empty string) (*Tree, error) {
	t := &Tree{change: c, modes: map[string]string{}, done: map[string]bool{}}
	text, err := c.git.output(ctx, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", c.Base)
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", c.Ref, err)
	}
	for _, entry := range names(text) {
		meta, name, _ := strings.Cut(entry, "\t")
		if !fs.ValidPath(name) || strings.Contains("/"+name+"/", "/.git/") {
			continue // no tree that git makes has one
		}
		t.modes[name], _, _ = strings.Cut(meta, " ")
		t.names = append(t.names, name)
	}
	slices.Sort(t.names)
	if t.dir, err = realPath(empty); err != nil {
		return nil, err
	}
	if t.root, err = os.OpenRoot(t.dir); err != nil {
		return nil, err
	}
	if t.blobs, err = c.git.blobs(ctx); err != nil {
		_ = t.root.Close() // nothing was written
		return nil, err
	}
	return t, nil
}

// Folder is where the files are laid out.
func (t *Tree) Folder() string { return t.dir }

// Close ends the run of git; the files stay.
func (t *Tree) Close() {
	t.blobs.close()
	_ = t.root.Close() // a folder that is open for reading
}

// Manifests lays out a file, or the files of a folder that a linter of manifests looks at, without those that
// git ignores. It gives where it is laid out; "" where there was nothing.
func (t *Tree) Manifests(path string) (string, error) {
	t.strict = true
	defer func() { t.strict = false }()
	return t.layOut(path, func(name string) error {
		switch {
		case t.sparse && t.isFile(name) && t.change.then[name] == nil:
			return nil // a file that is named and did not change is left out as those of a folder
		case t.sparse && !t.isFile(name):
			return t.layOutFile(name, t.looksAt)
		case len(t.below(name)) > 0 && !t.isFile(name):
			return t.all(name, t.looksAt)
		}
		return t.all(name, anything) // named by itself
	})
}

// looksAt says whether a linter of manifests looks at a file.
func (t *Tree) looksAt(name string) bool {
	return isManifest(name) && (!t.sparse || t.change.then[name] != nil || isHead(name))
}

func anything(string) bool { return true }

// Whole lays out a file or a whole folder, such as a chart.
func (t *Tree) Whole(path string) (string, error) { return t.layOut(path, t.whole) }

func (t *Tree) whole(name string) error { return t.all(name, anything) }

// all lays out what is wanted under a name, also of what git does not know.
func (t *Tree) all(name string, wanted func(string) bool) error {
	if err := t.layOutFile(name, wanted); err != nil {
		return err
	}
	return t.unknown(name, wanted)
}

// Chart lays out a Helm chart, a folder or an archive, and the charts that it names by a path. It gives where it is laid out; "" where
// there was none.
func (t *Tree) Chart(named string) (string, error) {
	laid, err := t.layOut(named, t.chart, "Chart.yaml")
	if info, failed := os.Stat(laid); failed == nil && info.IsDir() && !exists(filepath.Join(laid, "Chart.yaml")) {
		return "", err
	}
	return laid, err
}

// NoFile is the name of what stood in the place of a file, or above it, and was a link or another repository; "" where
// there was a file or nothing.
func (t *Tree) NoFile(named string) string {
	name, ok := t.change.Name(named)
	if !ok {
		return ""
	}
	for at := t.change.Before(name); at != "."; at = path.Dir(at) {
		if t.modes[at] != "" && !t.isFile(at) {
			return at
		}
	}
	return ""
}

// Name is the name below the top of a file that was laid out.
func (t *Tree) Name(laid string) (string, bool) {
	relative, err := filepath.Rel(t.dir, laid)
	if err != nil || !filepath.IsLocal(relative) {
		return "", false
	}
	return filepath.ToSlash(relative), true
}

// layOut lays out what a path named; a folder may have been renamed, which its heads tell: the
// files that make it what it is.
func (t *Tree) layOut(named string, put func(name string) error, heads ...string) (string, error) {
	name, ok := t.change.Name(named)
	if !ok {
		return "", fmt.Errorf("%s is not in the repository", named)
	}
	old := t.change.Before(name)
	for _, head := range heads {
		if f := t.change.now[path.Join(name, head)]; f != nil && f.then != "" && path.Base(f.then) == head {
			old = path.Dir(f.then)
		}
	}
	if err := put(old); err != nil {
		return "", fmt.Errorf("lay out %s as it was at %s: %w", name, t.change.Ref, err)
	}
	if !exists(t.pathOf(old)) {
		return "", nil
	}
	return t.pathOf(old), nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func (t *Tree) pathOf(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }

func (t *Tree) isFile(name string) bool {
	mode := t.modes[name]
	return mode != "" && mode != modeLink && mode != modeSubmodule
}

// below are the names of git's files that are a name, or below it.
func (t *Tree) below(name string) []string {
	if t.modes[name] != "" {
		return []string{name}
	}
	if name == "." {
		return t.names
	}
	first, _ := slices.BinarySearch(t.names, name+"/")
	last, _ := slices.BinarySearch(t.names, name+"0") // 0 comes behind /
	return t.names[first:last]
}

// layOutFile lays out a file of git, or the wanted ones below a folder; links also where they stand above it.
func (t *Tree) layOutFile(name string, wanted func(string) bool) error {
	for above := path.Dir(name); above != "."; above = path.Dir(above) {
		if t.modes[above] == modeLink {
			return t.link(above, wanted)
		}
	}
	below := t.below(name)
	if len(below) > 0 && t.modes[name] == "" {
		if err := t.root.MkdirAll(filepath.FromSlash(name), 0o700); err != nil {
			return err
		}
	}
	for _, file := range below {
		var err error
		switch {
		case t.modes[file] == modeLink:
			err = t.link(file, wanted)
		case t.modes[file] == modeSubmodule && t.change.then[file] == nil:
			err = t.unknown(file, wanted)
		case t.isFile(file) && wanted(file):
			err = t.file(file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isManifest says what a folder is searched for: what may be a manifest, and kustomizations,
// which say which of those are patches.
func isManifest(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return path.Base(name) == "Kustomization"
}

// isHead says whether a file says what its folder is: a chart or a kustomization.
func isHead(name string) bool {
	base := path.Base(name)
	return base == "Chart.yaml" || slices.Contains(kustomizationNames, base)
}
