package changed

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Tree is a folder with files as they were at Base, as far as they are asked for.
type Tree struct {
	view  *view
	blobs *blobs
	dir   string
	done  map[string]bool
	bytes int64
	// sparse leaves out manifests that did not change.
	sparse bool
}

// maxLinks is how many symbolic links may lead on to one another, as Linux has it.
const maxLinks = 40

// Tree lays out files in an empty folder. Close it when they are all there.
func (c *Change) Tree(ctx context.Context, empty string) (*Tree, error) {
	b, err := c.git.blobs(ctx)
	if err != nil {
		return nil, err
	}
	real, err := realPath(empty)
	if err != nil {
		b.close()
		return nil, err
	}
	return &Tree{view: newView(c), blobs: b, dir: real, done: map[string]bool{}}, nil
}

// Folder is where the files are laid out.
func (t *Tree) Folder() string { return t.dir }

// Close ends the run of git; the files stay.
func (t *Tree) Close() { t.blobs.close() }

// Manifests lays out a file, or the files of a folder that a linter of manifests looks at. It
// gives where it is laid out; "" where there was nothing.
func (t *Tree) Manifests(path string) (string, error) {
	t.view.strict = true
	defer func() { t.view.strict = false }()
	return t.lay(path, func(name string) (bool, error) {
		if t.sparse && t.view.then[name] == nil && t.view.kind(name) == regular {
			return false, nil // a file that is named and did not change is left out as those of a folder
		}
		return t.put(name, t.looksAt, 0)
	})
}

// looksAt says whether a linter of manifests looks at a file.
func (t *Tree) looksAt(name string) bool {
	return isManifest(name) && (!t.sparse || t.view.then[name] != nil || isHead(name))
}

// Whole lays out a file or a whole folder, such as a chart.
func (t *Tree) Whole(path string) (string, error) {
	return t.lay(path, func(name string) (bool, error) { return t.put(name, anything, 0) })
}

// Chart lays out a Helm chart, a folder or an archive. It gives where it is laid out; "" where
// there was none.
func (t *Tree) Chart(path string) (string, error) {
	return t.lay(path, func(name string) (bool, error) {
		_, what, err := t.resolve(name)
		if err != nil || what == directory && !t.holds(name, "Chart.yaml") {
			return false, err
		}
		return t.put(name, anything, 0)
	}, "Chart.yaml")
}

// holds says whether a folder held a file.
func (t *Tree) holds(folder, file string) bool {
	_, what, err := t.resolve(path.Join(folder, file))
	return err == nil && what == regular
}

// Name is the name below the top of a file that was laid out.
func (t *Tree) Name(laid string) (string, bool) {
	relative, err := filepath.Rel(t.dir, laid)
	if err != nil || !filepath.IsLocal(relative) {
		return "", false
	}
	return filepath.ToSlash(relative), true
}

// lay lays out what a path named; a folder may have been renamed, which its heads tell: the
// files that make it what it is.
func (t *Tree) lay(named string, put func(name string) (bool, error), heads ...string) (string, error) {
	name, ok := t.view.Name(named)
	if !ok {
		return "", fmt.Errorf("%s is not in the repository", named)
	}
	old := t.view.Before(name)
	for _, head := range heads {
		if f := t.view.now[path.Join(name, head)]; f != nil && f.then != "" && path.Base(f.then) == head {
			old = path.Dir(f.then)
		}
	}
	there, err := put(old)
	if err != nil {
		return "", fmt.Errorf("lay out %s as it was at %s: %w", name, t.view.Ref, err)
	}
	if !there {
		return "", nil
	}
	return t.at(old), nil
}

func (t *Tree) at(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }

// put lays out what stood under a name, and tells whether anything did. Links on the way there
// are laid out as links, and what they lead to as well.
func (t *Tree) put(name string, wanted func(string) bool, links int) (bool, error) {
	next, err := t.followed(name, t.link)
	if err != nil || next == outside {
		return err == nil, err
	}
	if next != name {
		if links == maxLinks {
			return false, nil // a loop, which the run over the work tree tells
		}
		return t.put(next, wanted, links+1)
	}
	switch t.view.kind(name) {
	case regular:
		return true, t.file(name)
	case directory:
		return true, t.folder(name, wanted, links)
	}
	return false, nil
}

// outside is where a link leads that leaves the repository.
const outside = ".."

// followed gives a name with its first link replaced by what that leads to.
func (t *Tree) followed(name string, target func(string) (string, error)) (string, error) {
	steps := strings.Split(name, "/")
	for i := range steps {
		above := path.Join(steps[:i+1]...)
		if t.view.kind(above) != link {
			continue
		}
		to, err := target(above)
		if err != nil || to == outside {
			return outside, err
		}
		return path.Join(append([]string{to}, steps[i+1:]...)...), nil
	}
	return name, nil
}

// resolve gives the name that a name leads to in the end, and what stood there.
func (t *Tree) resolve(name string) (string, kind, error) {
	for range maxLinks {
		next, err := t.followed(name, func(link string) (string, error) {
			text, err := t.target(link)
			return t.view.lead(link, text), err
		})
		if err != nil || next == outside {
			return name, nothing, err
		}
		if next == name {
			return name, t.view.kind(name), nil
		}
		name = next
	}
	return name, nothing, nil
}

func (t *Tree) folder(name string, wanted func(string) bool, links int) error {
	key := "folder " + name
	if t.done[key] {
		return nil
	}
	t.done[key] = true
	if err := os.MkdirAll(t.at(name), 0o700); err != nil {
		return err
	}
	for _, entry := range t.view.entries(name) {
		below := path.Join(name, entry)
		_, what, err := t.resolve(below)
		if err != nil {
			return err
		}
		if what == regular && !wanted(below) || what == directory && t.view.strict && strings.HasPrefix(entry, ".") {
			continue // as the linter does
		}
		if _, err := t.put(below, wanted, links); err != nil {
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
