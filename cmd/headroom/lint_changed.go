package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

// changedLint is a run of lint that judges what a change touches.
type changedLint struct {
	flags  lintFlags
	change *changed.Change // nil where all is judged
	config map[string]any  // of now
	lock   map[string]any  // of images
	engine *engine.Engine  // with that config
	notes  []string        // of another config
}

// compare asks git about the change, and leaves out of the arguments what it has deleted.
func (l *changedLint) compare(ctx context.Context, given bool, args []string) ([]string, error) {
	if !given {
		return args, nil
	}
	paths := slices.Concat(args, l.flags.source.charts, l.flags.source.kustomize)
	change, err := changed.Since(ctx, ".", l.flags.since, paths)
	if err != nil {
		return nil, err
	}
	l.change = change
	return slices.DeleteFunc(slices.Clone(args), change.Gone), nil
}

// run judges what is, and leaves in the report what the change touches.
func (l *changedLint) run(
	ctx context.Context, args []string, o lint.Options, outputs []output, known func(*report.Report) error,
) (r *report.Report, err error) {
	if l.change == nil {
		if r, err = lint.Run(ctx, l.engine, o); err == nil {
			err = known(r)
		}
		return r, err
	}
	all := o
	all.Paths = args
	before, err := lint.Compare(ctx, lint.ChangedOptions{
		Options: all, Change: l.change, Current: l.engine, All: l.flags.baseline.path() != "",
		Engine: func(tree *changed.Tree) (*engine.Engine, string, error) { return l.before(ctx, tree) },
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, before.Close()) }()
	now := before.Options()
	now.Paths = o.Paths
	if r, err = lint.Run(ctx, l.engine, now); err != nil {
		return nil, err
	}
	if err = errors.Join(known(r), before.Restrict(ctx, r), l.tellChanged(r)); err != nil || !slices.ContainsFunc(outputs, showsFixes) {
		return r, err
	}
	return r, lint.Suggest(ctx, l.engine, o, r)
}

// tellChanged notes that the change brings another baseline or lock of images: both can hide findings.
func (l *changedLint) tellChanged(r *report.Report) error {
	_, config, err := l.flags.config.named()
	if err != nil {
		return err
	}
	r.Changed.Notes = append(append(r.Changed.Notes, l.notes...), append(l.exemptedBy(r, "annotation"), l.exemptedBy(r, "comment")...)...)
	if l.flags.config.from != nil {
		return nil // none of them is of the change
	}
	for _, used := range []struct{ file, what string }{
		{l.flags.baseline.path(), "findings that it has do not count"},
		{l.flags.config.images.file(l.config, config), "what images start is what it says now"},
	} {
		if used.file != "" && used.file != lookUp && l.change.Touched(used.file) {
			r.Changed.Notes = append(r.Changed.Notes, used.file+" is not as it was at "+l.change.Ref+": "+used.what)
		}
	}
	return nil
}

func (l *changedLint) exemptedBy(r *report.Report, source string) []string {
	var names []string
	for i := range r.Exempted {
		f := &r.Exempted[i]
		if f.Suppressed == nil || f.Suppressed.Source != source || !l.change.Touched(f.File) {
			continue
		}
		if name := f.Rule + " of " + f.Resource.Kind + " " + f.Resource.Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	more := ""
	if n := len(names) - maxTold; n > 0 {
		names, more = names[:maxTold], fmt.Sprintf(" and %d more", n)
	}
	return []string{"in files of the change, " + source + "s exempt " + strings.Join(names, ", ") + more}
}

// linked are the outputs that need the rules' metadata: the comment on a change links to them.
func (l *changedLint) linked(outputs []output) []output {
	if l.change == nil || !slices.ContainsFunc(outputs, func(o output) bool { return o.format == "markdown" }) {
		return outputs
	}
	return append(slices.Clone(outputs), output{format: "html"})
}

// showsFixes says whether an output has the fixes of a change.
func showsFixes(o output) bool { return o.format == "markdown" || o.format == "json" }

// before is the engine with the config as it was.
func (l *changedLint) before(ctx context.Context, tree *changed.Tree) (*engine.Engine, string, error) {
	config, _, err := configAt(tree, &l.flags.config)
	if err == nil && l.flags.config.from == nil {
		l.notes = differs(l.change.Ref, config, l.config, false)
	}
	if err == nil && reflect.DeepEqual(config, l.config) {
		return l.engine, "", nil
	}
	if err == nil {
		e, failed := engine.New(ctx, engine.Options{Config: config, ImageLock: l.lock})
		if failed == nil {
			return e, "", nil
		}
		err = failed
	}
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	if errors.Is(err, settings.ErrUntold) {
		return nil, "", err
	}
	return l.engine, "the config could not be read as it was at " + l.change.Ref +
		", so the one of now stands in: " + tree.Unlaid(err.Error()), nil
}
