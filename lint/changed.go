package lint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/beside"
	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// ChangedOptions say what a report is compared with.
type ChangedOptions struct {
	Options // of the run whose report it is, which asked for Digests
	Change  *changed.Change
	// Current is the engine of that run.
	Current *engine.Engine
	// Engine gives the engine as it was: with the config of then. A reason why that could not
	// be read is noted, and the config of now stands in.
	Engine func(*changed.Tree) (e *engine.Engine, note string, err error)
}

// OnlyChanged leaves in a report what a change touches, or judges otherwise than it was. The same
// paths are judged as they were before it, each side by its own config. A baseline has been applied
// to the report by then.
func OnlyChanged(ctx context.Context, now *report.Report, o ChangedOptions) (err error) {
	dir, err := os.MkdirTemp("", "headroom-before-")
	if err != nil {
		return fmt.Errorf("lay out what was before: %w", err)
	}
	defer func() {
		if removed := os.RemoveAll(dir); err == nil {
			err = removed
		}
	}()
	tree, err := o.Change.Tree(ctx, dir)
	if err != nil {
		return err
	}
	defer tree.Close()
	e, note, err := o.Engine(tree)
	if err != nil {
		return err
	}
	before, err := o.judgeBefore(ctx, e, tree, now)
	if err != nil {
		return err
	}
	c := comparison{
		options: o, tree: tree, now: now, before: before,
		changed: &report.Changed{Ref: o.Change.Ref, Base: o.Change.Base, Files: o.Change.Files()},
	}
	less, err := o.hidden(ctx, e, now)
	if err != nil {
		return err
	}
	for _, said := range []string{note, less} {
		if said != "" {
			c.changed.Notes = append(c.changed.Notes, said)
		}
	}
	return c.run()
}

// judgeBefore judges what the options name as it was. Where a changed file can only change the
// verdict on itself, the others are not judged again.
func (o ChangedOptions) judgeBefore(
	ctx context.Context, e *engine.Engine, tree *changed.Tree, now *report.Report,
) (*report.Report, error) {
	var around beside.Around
	sparse, err := o.sparse(e, tree)
	if err != nil {
		return nil, err
	}
	if sparse {
		files, _ := source.Files(o.Paths, o.Source) // its problems are told by the run itself
		if around, _, err = surroundings(ctx, e, files, o.Source, max(o.Workers, 1)); err != nil {
			return nil, err
		}
	}
	options, err := o.before(tree)
	if err != nil {
		return nil, err
	}
	options.Source.Tree = tree.Folder()
	options.around = around
	before, err := Run(ctx, e, options)
	if err != nil || !sparse {
		return before, err
	}
	for _, list := range [][]engine.Finding{now.Findings, now.Known} {
		for i := range list {
			if o.Change.Unchanged(list[i].File) {
				before.Findings = append(before.Findings, list[i])
			}
		}
	}
	for i := range now.Workloads {
		if o.Change.Unchanged(now.Workloads[i].File) {
			before.Workloads = append(before.Workloads, now.Workloads[i])
		}
	}
	for _, p := range now.Problems {
		if o.Change.Unchanged(p.File) {
			before.Problems = append(before.Problems, p)
		}
	}
	return before, nil
}

// sparse says whether it is enough to judge the files that changed.
func (o ChangedOptions) sparse(e *engine.Engine, tree *changed.Tree) (bool, error) {
	if e != o.Current || len(o.Source.HelmCharts)+len(o.Source.Kustomizations) > 0 {
		return false, nil
	}
	files, _ := source.Files(o.Paths, o.Source)
	for _, f := range files {
		if !o.Change.Straight(f.Name) {
			return false, nil
		}
	}
	return tree.Sparse(o.Paths, contextWords)
}

// before lays out what the options name as it was, and names that instead.
func (o ChangedOptions) before(tree *changed.Tree) (Options, error) {
	out := Options{Source: o.Source, Workers: o.Workers, Digests: true}
	out.Source.HelmCharts, out.Source.Kustomizations = nil, nil
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
