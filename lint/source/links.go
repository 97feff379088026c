package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Files of a stranger may hold symbolic links to files of the user: a template could print those into a report.
// A link also counts as leading out if its target cannot be told: a link into /proc, or to nothing.

const reasonLeadsOut = "a link that leads out of its folder, which is not followed; in a tree that you trust: --follow-links"

var errLeadsOut = errors.New(reasonLeadsOut)

var errLeavesTree = errors.New("a link that leads out of the repository, or without one of the working directory, " +
	"which is not followed; in a tree that you trust: --follow-links")

// trees finds the tree that a path belongs to, each folder once.
type trees map[string]string

// treeOf is the real path treeOf the tree that a folder stands in, by the names that lead there: the repository, else the
// working directory. "" where there is neither: it is a folder treeOf the user's own.
func (t trees) treeOf(folder string) string {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return ""
	}
	found, known := t[absolute]
	if !known {
		found = treeOf(absolute)
		t[absolute] = found
	}
	return found
}

func treeOf(absolute string) string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	root := ""
	for at := absolute; ; at = filepath.Dir(at) {
		switch info, err := os.Lstat(at); {
		case err != nil:
		case info.Mode()&os.ModeSymlink != 0 && !liesIn(at, here):
			root = "" // what is behind a link is no part of the tree that the link stands in
		case root == "" && exists(filepath.Join(at, ".git")):
			root = at
		}
		if at == filepath.Dir(at) {
			break
		}
	}
	switch {
	case root != "":
		return realPath(root)
	case here != filepath.Dir(here) && liesIn(here, absolute): // of the top of a file system everything is below
		return realPath(here)
	}
	return ""
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// treeOf is where links that stand in a folder may lead to, "" for anywhere.
func (w *walker) treeOf(folder string) string {
	switch {
	case w.opts.FollowLinks:
		return ""
	case w.opts.Tree != "":
		return realPath(w.opts.Tree)
	}
	return w.trees.treeOf(folder)
}

// leaves says whether a real path is outside of the tree that is walked.
func (w *walker) leaves(real string) bool { return w.tree != "" && !liesIn(w.tree, real) }

// liesIn compares paths as they are written.
func liesIn(folder, name string) bool {
	relative, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(relative)
}

// leadsInside says whether a path ends up in a folder, whose real path is given, whatever links it goes through.
func leadsInside(realFolder, name string) bool {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		_, missing := os.Lstat(name)
		return missing != nil // a missing file leads nowhere; the error comes when it is opened
	}
	return within(realFolder, real)
}

// strays says that a path below the working directory leads out of it. A path elsewhere is the user's own.
func strays(name string) bool {
	here, err := os.Getwd()
	if err != nil {
		return false
	}
	absolute, err := filepath.Abs(name)
	if err != nil || !within(here, absolute) {
		return false
	}
	real := realPath(here)
	relative, err := filepath.Rel(here, absolute)
	return err != nil || !leadsInside(real, filepath.Join(real, relative))
}

// straysFile is the same for a file, which keeps to its folder, too. A shell hands its output on by /dev/fd/63.
func straysFile(name string) bool {
	absolute, err := filepath.Abs(name)
	if err != nil || strings.HasPrefix(filepath.ToSlash(absolute), "/dev/") {
		return false
	}
	folder := filepath.Dir(absolute)
	return strays(folder) || !leadsInside(realPath(folder), absolute)
}

// maxEntries bounds how many files of a chart are looked at.
const maxEntries = 100_000

// keepsInside refuses a chart with a link that leads out of its folder.
func keepsInside(folder string) error {
	if strays(folder) {
		return Problem{File: display(folder), Cause: errLeadsOut}
	}
	return linksInside(folder)
}

// linksInside is keepsInside for a folder that may lie anywhere.
func linksInside(folder string) error {
	root := realPath(folder)
	entries := 0
	return filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if entries++; entries > maxEntries {
			return fmt.Errorf("the chart has more than %d files", maxEntries)
		}
		switch {
		case err != nil && path == root:
			return filepath.SkipAll // the loader of the chart reports that it is missing
		case err != nil:
			return Problem{File: display(path), Cause: openError(err)}
		}
		if entry.Type()&os.ModeSymlink == 0 || leadsInside(root, path) {
			return nil
		}
		below, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return Problem{File: display(filepath.Join(folder, below)), Cause: errLeadsOut}
	})
}
