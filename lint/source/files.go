package source

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/headroom-dev/headroom/internal/pattern"
)

// StdinName is what a document from standard input has as its file.
const StdinName = "stdin"

// File is one thing to read: a file, standard input, a chart or a
// kustomization to render.
type File struct {
	// Name is the file as the user named it, slash-separated.
	Name string
	// Skipped says why the file is not read; Load passes it on as an Item.
	Skipped string
	// Chart is true for the folder of a Helm chart, which is Skipped unless it is rendered.
	Chart bool

	chart   string           // real path of the chart that is rendered, unless the user named the chart itself
	from    HelmChart        // what renders that
	path    string           // "" when there is nothing to open
	under   string           // the folder that the user named, or that of the file
	counted *atomic.Bool     // its bytes are counted
	render  func() rendering // for a chart or a kustomization; renders once, however often it is loaded
}

// Files expands paths to the files to read, sorted by name and each once:
// files as they are, folders to the *.yaml, *.yml and *.json below them, "-"
// to standard input. Charts and kustomizations of opts come first. What cannot
// be found or opened is a Problem, and does not keep the rest from being read.
func Files(paths []string, opts Options) ([]File, []Problem) {
	found := Find(paths, opts)
	return found.Files, found.Problems
}

// Found is what stands below the paths that a user named.
type Found struct {
	Files    []File
	Problems []Problem
	Unread   []Unread // sorted by name
}

// Find is Files, and what of the folders is not read.
func Find(paths []string, opts Options) Found {
	kept.Store(0)
	taken.Store(0)
	w := walker{opts: opts, seen: map[string]bool{}, rendered: map[string]bool{}, patches: map[string]string{}, trees: trees{}}
	var rendered []File
	for _, chart := range opts.HelmCharts {
		w.rendered[realPath(chart.Path)] = true
		render := sync.OnceValue(func() rendering { return renderHelm(chart, opts) })
		rendered = append(rendered, File{Name: display(chart.Path), render: render})
	}
	for _, dir := range opts.Kustomizations {
		render := sync.OnceValue(func() rendering { return renderKustomize(dir, opts) })
		rendered = append(rendered, File{Name: display(dir), render: render})
	}
	for _, name := range paths {
		w.name(name)
	}
	slices.SortStableFunc(w.files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(w.problems, func(a, b Problem) int { return cmp.Compare(a.File, b.File) })
	slices.SortStableFunc(w.unread, func(a, b Unread) int { return cmp.Compare(a.Name, b.Name) })
	return Found{append(rendered, w.files...), w.problems, slices.Compact(w.unread)}
}

// walker collects files below what the user named.
type walker struct {
	opts     Options
	under    string // the folder that is walked
	tree     string // real path of what links may lead to; "" is anything
	trees    trees
	files    []File
	problems []Problem
	unread   []Unread
	met      int               // what was found to read, even where it was found before
	seen     map[string]bool   // real paths of files and folders
	rendered map[string]bool   // real paths of charts that are rendered anyway
	patches  map[string]string // why, by real path, for what kustomizations use as patches
}

func (w *walker) fail(name string, err error) {
	w.met++
	w.problems = append(w.problems, Problem{File: display(name), Cause: err})
}

func (w *walker) add(name, real, skipped string) {
	w.met++
	if !w.seen[real] {
		w.seen[real] = true
		w.files = append(w.files, File{Name: display(name), Skipped: skipped, path: name, under: w.under, counted: new(atomic.Bool)})
	}
}

// name takes what the user typed.
func (w *walker) name(name string) {
	if name == "-" {
		if !w.seen[name] {
			w.seen[name] = true
			w.files = append(w.files, File{Name: StdinName})
		}
		return
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && isPattern(name):
		w.fail(name, errNoMatch)
		return
	case err != nil:
		w.fail(name, openError(err))
		return
	}
	w.under = filepath.Clean(name)
	real := realPath(name)
	if !info.IsDir() {
		w.under = filepath.Dir(name)
	}
	w.tree = w.treeOf(w.under)
	if w.leaves(real) && !strings.HasPrefix(filepath.ToSlash(name), "/dev/") { // as a shell hands on what a command prints
		w.fail(name, errLeavesTree)
		return
	}
	if !info.IsDir() {
		w.add(name, real, "")
		return
	}
	if w.tree == "" && !w.opts.FollowLinks {
		w.tree = real
	}
	if filepath.Base(real) == "templates" && isChart(filepath.Dir(real)) {
		w.chart(filepath.Dir(filepath.Clean(name)), filepath.Dir(real))
		return
	}
	met, unread := w.met, len(w.unread)
	w.folder(filepath.Clean(name), real, nil)
	if w.met == met && !w.opts.AllowEmpty {
		w.fail(name, emptyFolder(w.unread[unread:]))
	}
}

// folder walks one folder. above holds the real paths of the folders that lead
// here, by which a loop of symbolic links is known.
func (w *walker) folder(name, real string, above []string) {
	if slices.Contains(above, real) {
		w.fail(name, fmt.Errorf("a loop of folders: this link leads back to %s", display(real)))
		return
	}
	if w.seen[real] {
		w.met++
		return
	}
	w.seen[real] = true
	entries, err := os.ReadDir(name)
	if err != nil {
		w.fail(name, openError(err))
	}
	chart := isChart(name)
	switch {
	case !chart:
	case len(above) > 0 && !w.opts.FollowLinks && !within(above[0], real):
		w.fail(name, errLeadsOut)
	default:
		w.chart(name, real)
	}
	w.notePatches(name, real)
	above = append(slices.Clip(above), real)
	for _, entry := range entries {
		below := filepath.Join(name, entry.Name())
		if chart && isChartFile(entry.Name()) {
			continue
		}
		w.entry(below, filepath.Join(real, entry.Name()), entry, above)
	}
}

// entry takes one entry of a folder.
func (w *walker) entry(name, real string, entry fs.DirEntry, above []string) {
	mode := entry.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := os.Stat(name)
		switch {
		case err != nil && isManifest(name):
			w.fail(name, openError(err))
			return
		case err != nil:
			w.leave(name, DeadLink)
			return
		case info.IsDir() && w.hidden(entry.Name()):
			w.leave(name, DotFolder)
			return
		}
		mode, real = info.Mode(), realPath(name)
		if w.leaves(real) && (mode.IsDir() || mode.IsRegular() && isManifest(name)) {
			w.fail(name, errLeavesTree)
			return
		}
	}
	switch {
	case mode.IsDir() && w.hidden(entry.Name()):
		w.leave(name, DotFolder)
	case mode.IsDir():
		w.folder(name, real, above)
	case mode.IsRegular() && isManifest(name):
		w.add(name, real, w.patches[real])
	default:
		w.leaveEntry(name, mode)
	}
}

// chart takes a chart that stands here, unless it is rendered anyway.
func (w *walker) chart(name, real string) {
	w.met++
	if w.rendered[real] || w.seen["chart "+real] {
		return
	}
	w.seen["chart "+real] = true
	if w.opts.outside(real) {
		w.fail(name, errLeavesTree)
		return
	}
	if w.opts.FolderCharts != nil {
		from := *w.opts.FolderCharts
		from.Path = name
		named := name == w.under
		render := sync.OnceValue(func() rendering { return renderFolderChart(from, named, w.opts) })
		w.files = append(w.files, File{Name: display(name), chart: real, from: from, render: render})
		return
	}
	w.files = append(w.files, File{Name: display(name), Chart: true, Skipped: reasonChart})
}

const reasonChart = "a Helm chart; render it with --helm-chart"

func isChart(folder string) bool {
	info, err := os.Stat(filepath.Join(folder, "Chart.yaml"))
	return err == nil && info.Mode().IsRegular()
}

// isChartFile says whether an entry of a chart's folder is the chart's own:
// templates are no YAML, and the rest holds no objects.
func isChartFile(name string) bool {
	switch name {
	case "Chart.yaml", "values.yaml", "values.schema.json", "templates", "charts":
		return true
	}
	return false
}

func isManifest(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// realPath gives one name to each file. Where links cannot be followed, as in
// /dev/fd, the absolute path has to do.
func realPath(name string) string {
	if absolute, err := filepath.Abs(name); err == nil {
		name = absolute
	}
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

func display(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

// ruleID is what is typed instead of a file by those who ask about a rule.
var ruleID = pattern.Lazy(`^HR[0-9]{3}$`)

// openError drops what os errors say twice: the name is the Problem's.
func openError(err error) error {
	var pathError *fs.PathError
	switch {
	case errors.As(err, &pathError) && errors.Is(err, fs.ErrNotExist) && ruleID().MatchString(pathError.Path):
		return fmt.Errorf("no such file or folder; the rule: headroom rules %s", pathError.Path)
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("no such file or folder")
	case errors.As(err, &pathError):
		return fmt.Errorf("cannot read: %w", pathError.Err)
	}
	return fmt.Errorf("cannot read: %w", err)
}
