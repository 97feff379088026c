package lint

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/headroom-dev/headroom/internal/inputs"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/beside"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest"
	"github.com/headroom-dev/headroom/policies/engine"
)

// FixOptions say what to fix and how.
type FixOptions struct {
	Paths  []string
	Source source.Options
	// Rules are the IDs or slugs of the rules whose fixes are wanted; none means all.
	Rules []string
	// Generated fixes files, too, that say that a program writes them.
	Generated bool
	// Accept, if set, is asked about each object whose file would change, one after the
	// other. ErrEnough from it ends the run with what has been accepted.
	Accept func(FixedObject) (bool, error)
	// Workers is how many files are worked on at a time; 0 means one a processor.
	Workers int
}

// ErrEnough is what Accept gives to be asked no more.
var ErrEnough = errors.New("enough")

// FixedObject is an object with something that a rule's fix fixes.
type FixedObject struct {
	Resource engine.Resource
	File     string // as the user named it, slash-separated
	Line     int    // of the object, from 1
	Document int    // of the file, from 0
	Prefix   []any  // from the document to the object
	Before   map[string]any
	After    map[string]any
	Patch    []engine.Operation // from Before to After
	Applied  []engine.Applied
	// Left says why the file was left alone, "" where it was not; LeftLine is the line that
	// it speaks of, 0 for none.
	Left     string
	LeftLine int
	Declined bool   // Accept said no
	Diff     string // of the file, this object's part; only for Accept
	// Fixed are the findings that are fixed; Remaining those that are not.
	Fixed, Remaining []engine.Finding
}

// FixedFile is a file with objects to fix. After is Before where all were left alone.
type FixedFile struct {
	Name          string // as the user named it, slash-separated
	Stdin         bool
	Before, After []byte
	Objects       []FixedObject
}

// FixResult is what a run worked out. No file has been written.
type FixResult struct {
	Files    []FixedFile       // in order
	Rendered []FixedObject     // of charts and kustomizations, which are never written
	Snippets []suggest.Snippet // for those
	// Stdin is standard input as it is to be; nil where it was not read.
	Stdin []byte
	// Remaining are the findings that are there afterwards, in the order of the files.
	Remaining []engine.Finding
	// Dropped counts fixes that were left out, since alone they do harm: the rules whose
	// fixes belong to them were not asked for.
	Dropped  int
	Skipped  []report.Skip // files that were not looked at, and why
	Problems []report.Problem
	NotRead  []report.Unread // what stands below the folders that were named and is not read
	Judged   int             // workloads
}

// fixer carries a run; parts has one entry a file, each filled by one goroutine.
type fixer struct {
	engine  *engine.Engine
	options FixOptions
	only    map[string]bool
	around  beside.Around
	until   time.Time // as a judge has it
	parts   []fixedPart
}

// fixedPart is what one file gave.
type fixedPart struct {
	file      *FixedFile
	rendered  []FixedObject
	stdin     []byte
	remaining []engine.Finding
	problems  []report.Problem
	dropped   int
	judged    int
}

// Fix works out what the rules' fixes make of everything that the options name. An input that
// cannot be read is a Problem, and the rest is still done.
func Fix(ctx context.Context, e *engine.Engine, o FixOptions) (*FixResult, error) {
	only, err := ruleSet(o.Rules)
	if err != nil {
		return nil, err
	}
	if err := o.Source.Buffer(ctx, o.Paths); err != nil {
		return nil, err
	}
	there := source.Find(o.Paths, o.Source)
	files := there.Files
	workers := Options{Workers: o.Workers}.workers()
	around, _, err := surroundings(ctx, e, files, o.Source, workers)
	if err != nil {
		return nil, err
	}
	f := &fixer{engine: e, options: o, only: only, around: around, parts: make([]fixedPart, len(files)), until: Options{}.until()}
	if o.Accept != nil {
		workers, f.until = 1, time.Time{} // the user is asked about objects in order, and takes time
	}
	if err := f.run(ctx, files, workers); err != nil {
		return nil, err
	}
	return f.gather(ctx, there)
}

func (f *fixer) run(ctx context.Context, files []source.File, workers int) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for i, file := range files {
		group.Go(func() error {
			switch {
			case within.Err() != nil:
				return fmt.Errorf("stopped: %w", within.Err())
			case file.Rendered():
				return f.rendered(within, &f.parts[i], file)
			default:
				return f.file(within, &f.parts[i], file)
			}
		})
	}
	if err := group.Wait(); err != nil && !errors.Is(err, ErrEnough) {
		return err
	}
	return nil
}

// file works on a file as it stands.
func (f *fixer) file(ctx context.Context, p *fixedPart, file source.File) error {
	if file.Skipped != "" {
		return nil
	}
	text, err := source.Read(file, f.options.Source)
	if err != nil {
		p.problems = append(p.problems, inputs.Problem(file.Name, 0, err))
		return nil
	}
	if file.Stdin() {
		p.stdin = text
	}
	var found []FixedObject
	document := -1
	for item := range source.Items(file.Name, text, f.options.Source) {
		document++
		objects, err := f.item(ctx, p, item, document)
		if err != nil {
			return err
		}
		found = append(found, objects...)
	}
	if len(found) == 0 {
		return nil
	}
	after, err := f.write(file.Name, text, found)
	for i := range found {
		p.settle(&found[i])
	}
	p.file = &FixedFile{Name: file.Name, Stdin: file.Stdin(), Before: text, After: after, Objects: found}
	if file.Stdin() {
		p.stdin = after
	}
	return err
}

// rendered works on a chart or a kustomization.
func (f *fixer) rendered(ctx context.Context, p *fixedPart, file source.File) error {
	document := -1
	for item := range source.Stream(file, f.options.Source) {
		document++
		objects, err := f.item(ctx, p, item, document)
		if err != nil {
			return err
		}
		for i := range objects {
			p.settle(&objects[i])
		}
		p.rendered = append(p.rendered, objects...)
	}
	return nil
}

// settle notes what remains of an object: all of it, where nothing was fixed.
func (p *fixedPart) settle(o *FixedObject) {
	p.remaining = append(p.remaining, o.Remaining...)
	if o.Left != "" || o.Declined {
		p.remaining = append(p.remaining, o.Fixed...)
	}
}

// gather joins the parts in the order of the files.
func (f *fixer) gather(ctx context.Context, found source.Found) (*FixResult, error) {
	r := &FixResult{Problems: inputs.Problems(found.Problems), NotRead: inputs.NotRead(found.Unread)}
	for i := range f.parts {
		p := &f.parts[i]
		if found.Files[i].Skipped != "" {
			r.Skipped = append(r.Skipped, skippedFile(found.Files[i]))
		}
		if p.file != nil {
			r.Files = append(r.Files, *p.file)
		}
		if p.stdin != nil {
			r.Stdin = p.stdin
		}
		r.Rendered = append(r.Rendered, p.rendered...)
		r.Remaining = append(r.Remaining, p.remaining...)
		r.Problems = append(r.Problems, p.problems...)
		r.Dropped += p.dropped
		r.Judged += p.judged
	}
	sortFindings(r.Remaining)
	return r, f.suggest(ctx, r)
}

// Changed says whether the file would be another one.
func (f *FixedFile) Changed() bool { return !bytes.Equal(f.Before, f.After) }
