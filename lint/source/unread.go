package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Unread is something below a named folder that is not read. It is counted and reported.
type Unread struct {
	Name string // slash-separated
	Why  UnreadReason
}

// UnreadReason says why something is not read.
type UnreadReason string

// The reasons.
const (
	DotFolder UnreadReason = "dot folder"                                           // --hidden reads it
	Unnamed   UnreadReason = "file whose name does not end in .yaml, .yml or .json" // as deployment.yaml.tpl
	DeadLink  UnreadReason = "link that leads nowhere"                              // no ending says that it is a manifest
	NoFile    UnreadReason = "pipe or device"                                       // with the name of a manifest
)

// versionFolders hold the history of a repository, which no flag reads.
var versionFolders = []string{".git", ".hg", ".svn", ".jj"}

// hidden says whether a folder is not read: its name begins with a dot, and --hidden is not set.
func (w *walker) hidden(name string) bool {
	return isHidden(name) && (!w.opts.Hidden || slices.Contains(versionFolders, name))
}

func isHidden(name string) bool { return strings.HasPrefix(name, ".") }

// leave notes what is not read.
func (w *walker) leave(name string, why UnreadReason) {
	base := filepath.Base(name)
	switch {
	case why == DotFolder && slices.Contains(versionFolders, base):
	case why == DotFolder && strings.HasPrefix(base, ".."): // the kubelet's, whose files are read by links to them
	default:
		w.unread = append(w.unread, Unread{Name: display(name), Why: why})
	}
}

// leaveEntry notes an entry that is neither a folder to walk nor a manifest.
func (w *walker) leaveEntry(name string, mode fs.FileMode) {
	switch {
	case mode.IsRegular() && isManifest(strings.TrimSuffix(name, filepath.Ext(name))):
		w.leave(name, Unnamed)
	case !mode.IsDir() && !mode.IsRegular() && isManifest(name):
		w.leave(name, NoFile)
	}
}

// Expand puts in the place of a pattern what it matches, as a shell does: *, ? and […] within a name, and ** for any
// number of folders. A pattern that is the name of something stays, and so does one without a match, of which
// Files says that. Names that begin with a dot are matched where the pattern has the dot, or with hidden.
func Expand(names []string, hidden bool) []string {
	var all []string
	for _, name := range names {
		if matches := match(name, hidden); len(matches) > 0 {
			all = append(all, matches...)
			continue
		}
		all = append(all, name)
	}
	return all
}

// isPattern says whether a name that does not exist was meant as a pattern.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?[") }

func match(pattern string, hidden bool) []string {
	if _, err := os.Lstat(pattern); err == nil || !isPattern(pattern) {
		return nil
	}
	clean := filepath.Clean(pattern)
	root := ""
	if filepath.IsAbs(clean) {
		root = filepath.VolumeName(clean) + string(filepath.Separator)
		clean = clean[len(root):]
	}
	g := globber{hidden: hidden, named: filepath.Ext(clean) != "" && !isPattern(filepath.Ext(clean))}
	g.below(root, strings.Split(clean, string(filepath.Separator)))
	slices.Sort(g.found)
	return slices.Compact(g.found)
}

// globber finds what a pattern matches.
type globber struct {
	hidden bool
	named  bool // the pattern has the ending of the files that it wants
	found  []string
}

// below matches the rest of a pattern in a folder, "" for the working directory.
func (g *globber) below(folder string, parts []string) {
	part, rest := parts[0], parts[1:]
	if !isPattern(part) {
		g.addMatch(filepath.Join(folder, part), rest)
		return
	}
	if part == "**" && len(rest) > 0 {
		g.below(folder, rest)
	}
	entries, err := os.ReadDir(orHere(folder))
	if err != nil {
		return // nothing matches there; what cannot be read is told where it is named
	}
	for _, entry := range entries {
		name := entry.Name()
		if isHidden(name) && !isHidden(part) && (!g.hidden || slices.Contains(versionFolders, name)) {
			continue
		}
		whole := filepath.Join(folder, name)
		switch matched, err := filepath.Match(part, name); {
		case part == "**" && entry.IsDir():
			g.below(whole, parts)
		case err == nil && matched:
			g.addMatch(whole, rest)
		}
	}
}

// addMatch takes a name that matches, where nothing of the pattern is left.
func (g *globber) addMatch(name string, rest []string) {
	info, err := os.Stat(name)
	switch {
	case len(rest) > 0 && err == nil && info.IsDir():
		g.below(name, rest)
	case len(rest) > 0:
	case err == nil && !info.IsDir() && !isManifest(name) && !g.named:
	case err == nil || exists(name):
		g.found = append(g.found, name)
	}
}

func orHere(folder string) string {
	if folder == "" {
		return "."
	}
	return folder
}
