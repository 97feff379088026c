package lint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/preview"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/beside"
	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// ChangedOptions say what a run is compared with.
type ChangedOptions struct {
	Options // of the run
	Change  *changed.Change
	// Current is the engine of the run.
	Current *engine.Engine
	// Engine gives the engine as it was: with the config of then. A reason why that could not
	// be read is noted, and the config of now stands in.
	Engine func(*changed.Tree) (e *engine.Engine, note string, err error)
	// All has every file judged, also those of which a change cannot change the verdict.
	All bool
}

// Before is what the options name as it was, laid out in a folder.
type Before struct {
	options ChangedOptions
	dir     string
	tree    *changed.Tree
	engine  *engine.Engine
	note    string
	laid    Options // of the run that judges it
	// sparse says that only the verdicts on files that changed can be others. Around all of them stands the same then, as
	// then and now.
	sparse   bool
	around   beside.Around
	labels   map[string]preview.Labels
	unjudged int
	// then and now are what the Namespaces grant, where that is not the same.
	then, now grants
}

// Compare lays out what the options name as it was, each side to be judged by its own config. Close it in the end.
func Compare(ctx context.Context, o ChangedOptions) (*Before, error) {
	b := &Before{options: o}
	more, err := b.layOut(ctx, true)
	if more {
		if err = b.Close(); err == nil {
			_, err = b.layOut(ctx, false)
		}
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// layOut lays out what was: if it can be enough, the files that changed alone. It says whether that was too little.
func (b *Before) layOut(ctx context.Context, thin bool) (more bool, err error) {
	o := &b.options
	if b.dir, err = os.MkdirTemp("", "headroom-before-"); err != nil {
		return false, fmt.Errorf("lay out what was before: %w", err)
	}
	if b.tree, err = o.Change.Tree(ctx, b.dir); err != nil {
		return false, err
	}
	if b.engine, b.note, err = o.Engine(b.tree); err != nil {
		return false, err
	}
	thin = thin && b.engine == o.Current && o.straight() && b.tree.Sparse(o.Paths)
	if b.laid, err = o.before(b.tree); err != nil || !thin {
		return false, err
	}
	b.sparse, err = b.alike(ctx)
	return err == nil && !b.sparse, err
}

// Close removes what was laid out.
func (b *Before) Close() error {
	if b.tree != nil {
		b.tree.Close()
		b.tree = nil
	}
	return os.RemoveAll(b.dir)
}

// straight says whether nothing is rendered, and no file stands behind a link.
func (o ChangedOptions) straight() bool {
	if len(o.Source.HelmCharts)+len(o.Source.Kustomizations) > 0 {
		return false
	}
	files, _ := source.Files(o.Paths, o.Source) // its problems are told by the run itself
	return !slices.ContainsFunc(files, func(f source.File) bool { return !o.Change.Straight(f.Name) })
}

// alike says whether the files that changed have the same to say of their neighbours as before.
func (b *Before) alike(ctx context.Context) (bool, error) {
	o := &b.options
	files, _ := source.Files(o.Paths, o.Source)
	now, err := neighbours(ctx, o.Current, files, o.Source, o.workers())
	if err != nil {
		return false, err
	}
	laid, _ := source.Files(b.laid.Paths, b.laid.Source)
	then, err := neighbours(ctx, o.Current, laid, b.laid.Source, o.workers())
	if err != nil {
		return false, err
	}
	if placed(now) || placed(then) {
		return false, nil // what is laid out stands in another place
	}
	say, said := map[string][]neighbour{}, map[string][]neighbour{}
	for i, f := range files {
		switch {
		case o.Change.Unchanged(f.Name):
			b.unjudged++
		case len(now[i]) > 0:
			name, _ := o.Change.Name(f.Name)
			say[name] = now[i]
		}
	}
	for i, f := range laid {
		if name, _ := b.tree.Name(f.Name); len(then[i]) > 0 {
			said[name] = then[i]
		}
	}
	if !reflect.DeepEqual(say, said) {
		return false, nil
	}
	b.around, b.labels, err = standing(now)
	return true, err
}

// placed says whether a neighbour speaks for its place alone, and forgets the places of the others.
func placed(all [][]neighbour) bool {
	for _, of := range all {
		for i := range of {
			if beside.Placed(of[i].list, of[i].manifest) {
				return true
			}
			of[i].place = ""
		}
	}
	return false
}

// Options are those of the run over what is: where a change can only change the verdicts on the files that it
// touches, no other is judged.
func (b *Before) Options() Options {
	o := b.options.Options
	o.standing = func(found [][]neighbour) { b.now = grantsOf(found) }
	if b.sparse && !b.options.All {
		o.around, o.labels = b.around, b.labels
		o.leave = func(f source.File) bool {
			c := b.options.Change
			return c.Unchanged(f.Name) && !(f.Chart && c.TouchedBelow(f.Name))
		}
	}
	return o
}

// Restrict leaves in the report of that run what a change touches, or judges otherwise than it was. A baseline has been
// applied to the report by then.
func (b *Before) Restrict(ctx context.Context, now *report.Report) error {
	o := b.options
	before, err := b.judge(ctx, now)
	if err != nil {
		return err
	}
	c := comparison{
		options: o, tree: b.tree, now: now, before: before,
		changed: &report.Changed{Ref: o.Change.Ref, Base: o.Change.Base, Files: o.Change.Files()},
	}
	if b.sparse && !o.All {
		c.changed.Unjudged = b.unjudged
	}
	less, err := o.hidden(ctx, b.engine, now)
	if err != nil {
		return err
	}
	for _, said := range []string{b.note, less, b.granted()} {
		if said != "" {
			c.changed.Notes = append(c.changed.Notes, said)
		}
	}
	return c.run()
}

// judge judges what was. The verdicts on files that did not change are those of now, as far as these were judged.
func (b *Before) judge(ctx context.Context, now *report.Report) (*report.Report, error) {
	options := b.laid
	options.Source.Tree = b.tree.Folder()
	options.around = b.around
	options.standing = func(found [][]neighbour) { b.then = grantsOf(found) }
	before, err := Run(ctx, b.engine, options)
	if err != nil || !b.sparse {
		return before, err
	}
	change := b.options.Change
	for _, list := range [][]engine.Finding{now.Findings, now.Known} {
		for i := range list {
			if change.Unchanged(list[i].File) {
				before.Findings = append(before.Findings, list[i])
			}
		}
	}
	for i := range now.Workloads {
		if change.Unchanged(now.Workloads[i].File) {
			before.Workloads = append(before.Workloads, now.Workloads[i])
		}
	}
	for _, p := range now.Problems {
		if change.Unchanged(p.File) {
			before.Problems = append(before.Problems, p)
		}
	}
	return before, nil
}

// before lays out what the options name as it was, and names that instead.
func (o ChangedOptions) before(tree *changed.Tree) (Options, error) {
	out := Options{Source: o.Source, Workers: o.Workers, Digests: true}
	out.Source.HelmCharts, out.Source.Kustomizations = nil, nil
	out.Source.AllowEmpty = true // all of it may be new
	for _, path := range o.Paths {
		laid, err := tree.Manifests(path)
		if err != nil {
			return out, err
		}
		if laid != "" {
			out.Paths = append(out.Paths, laid)
		}
	}
	moved, err := tree.Moved(o.Paths)
	if err != nil {
		return out, err
	}
	out.Paths = append(out.Paths, moved...)
	for _, chart := range o.Source.HelmCharts {
		laid, err := tree.Chart(chart.Path)
		if err != nil {
			return out, err
		}
		if laid == "" {
			continue
		}
		chart.Path = laid
		if chart.Values, err = laidValues(tree, chart.Values); err != nil {
			return out, err
		}
		out.Source.HelmCharts = append(out.Source.HelmCharts, chart)
	}
	for _, folder := range o.Source.Kustomizations {
		laid, err := tree.Kustomization(folder)
		if err != nil {
			return out, err
		}
		if laid != "" {
			out.Source.Kustomizations = append(out.Source.Kustomizations, laid)
		}
	}
	return out, nil
}

// laidValues lays out values files. One that was not there is left out; one outside of the
// repository is taken to be unchanged.
func laidValues(tree *changed.Tree, files []string) ([]string, error) {
	var all []string
	for _, file := range files {
		if !tree.Holds(file) {
			all = append(all, file)
			continue
		}
		laid, err := tree.Whole(file)
		if err != nil {
			return nil, err
		}
		if laid != "" {
			all = append(all, laid)
		}
	}
	return all, nil
}

// rendered says whether a file of a report is what a chart or a kustomization was rendered to:
// its lines are not those of a file.
func (o ChangedOptions) rendered(file string) bool {
	for _, chart := range o.Source.HelmCharts {
		if name := slashed(chart.Path); file == name || strings.HasPrefix(file, name+"/") && !o.named(file) {
			return true
		}
	}
	return slices.ContainsFunc(o.Source.Kustomizations, func(folder string) bool { return slashed(folder) == file })
}

// named says whether a path that the user typed is the file itself.
func (o ChangedOptions) named(file string) bool {
	return slices.ContainsFunc(o.Paths, func(path string) bool { return slashed(path) == file })
}

// slashed is a path as reports have it.
func slashed(path string) string { return filepath.ToSlash(filepath.Clean(path)) }
