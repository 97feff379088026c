// Package annotate writes what was measured of workloads into their manifests, as the
// annotations that the policies read, so that a pull request is judged by real use. It stands
// between audit, which measures, and lint, which knows files.
package annotate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/headroom-dev/headroom/internal/inputs"
	"github.com/headroom-dev/headroom/internal/regular"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Lookup gives what was measured of the containers of a workload, by name; nil where nothing
// was. The namespace is "" where the manifest names none.
type Lookup func(ctx context.Context, kind, namespace, name string) (map[string]engine.Measured, error)

// Options say what to annotate and with what.
type Options struct {
	// Paths are files and folders. The charts and kustomizations of Source are rendered, and
	// get patches.
	Paths  []string
	Source source.Options
	Lookup Lookup
	Now    time.Time // of the measurements; the zero time is now
	// Patches asks for patches instead of edited files.
	Patches bool
}

// Result is what a run found out.
type Result struct {
	Files   []File
	Patches []map[string]any // one a workload, as kustomize and kubectl patch take them
	// Notes are what a person should know: what was not written, and why.
	Notes    []Note
	Problems []report.Problem
	// NotRead is what stands below the folders that were named and is not read.
	NotRead []report.Unread
	// Written and Kept count values: those that are new or differ by more than the tolerance,
	// and those that are left as they are. Unsafe counts workloads that could not be edited.
	Written, Kept, Unsafe int
	// Dates counts containers whose values stay, and get a newer date of measurement.
	Dates int
	// Untold counts containers with a JVM that was measured from outside and tells nothing of itself.
	Untold    int
	Tolerance float64
}

// File is a file that changes.
type File struct {
	Name          string // as the user named it, slash-separated
	Before, After []byte
}

// Note is something about one workload.
type Note struct {
	File     string
	Line     int
	Resource engine.Resource
	Text     string
}

// runner carries a run.
type runner struct {
	options Options
	judge   judge
	result  Result
}

// Run reads the manifests, and works out what to write. It writes no file. What cannot be
// read is a Problem, and the rest is done all the same.
func Run(ctx context.Context, e *engine.Engine, o Options) (*Result, error) {
	j, err := newJudge(ctx, e, o.Now)
	if err != nil {
		return nil, err
	}
	r := &runner{options: o, judge: j, result: Result{Tolerance: j.tolerance}}
	plain := o.Source
	plain.HelmCharts, plain.Kustomizations = nil, nil
	found := source.Find(o.Paths, plain)
	r.problems(found.Problems)
	r.result.NotRead = inputs.NotRead(found.Unread)
	for _, f := range found.Files {
		if err := r.file(ctx, f); err != nil {
			return nil, err
		}
	}
	rendered, problems := source.Files(nil, o.Source)
	r.problems(problems)
	for _, f := range rendered {
		for item := range source.Stream(f, o.Source) {
			if err := r.rendered(ctx, item); err != nil {
				return nil, err
			}
		}
	}
	return &r.result, nil
}

func (r *runner) problems(list []source.Problem) {
	for _, p := range list {
		r.problem(p.File, p.Line, p.Cause)
	}
}

func (r *runner) problem(file string, line int, err error) {
	r.result.Problems = append(r.result.Problems, inputs.Problem(file, line, err))
}

func (r *runner) note(item source.Item, w Workload, text string) {
	line := item.Document.LineOf(w.Prefix)
	r.result.Notes = append(r.result.Notes, Note{File: item.File, Line: line, Resource: w.Resource, Text: text})
}

// rendered handles one document of a chart or a kustomization.
func (r *runner) rendered(ctx context.Context, item source.Item) error {
	if item.Problem != nil {
		r.problem(item.File, item.Problem.Line, item.Problem.Cause)
	}
	if item.Document == nil || item.Skipped != "" {
		return nil
	}
	for _, w := range Workloads(item.Document.Object) {
		values, err := r.values(ctx, item, w)
		if err != nil {
			return err
		}
		// Those that stay are in it too: the patch takes the place of the one before.
		if len(values) > 0 {
			r.result.Patches = append(r.result.Patches, patch(w, values))
		}
	}
	return nil
}

// file handles one file as it stands.
func (r *runner) file(ctx context.Context, f source.File) error {
	if f.Skipped != "" {
		r.result.Notes = append(r.result.Notes, Note{File: f.Name, Text: "left out: " + f.Skipped})
		return nil
	}
	if f.Name == source.StdinName {
		return errors.New("standard input has no file to annotate; name files or folders")
	}
	text, err := read(filepath.FromSlash(f.Name), r.options.Source.MaxFileBytes)
	if err != nil {
		r.problem(f.Name, 0, err)
		return nil
	}
	plans := map[int][]planned{}
	index := -1
	for item := range source.Items(f.Name, text, r.options.Source) {
		index++
		if item.Problem != nil {
			r.problem(item.File, item.Problem.Line, item.Problem.Cause)
		}
		if item.Document == nil || item.Skipped != "" {
			continue
		}
		if r.options.Patches {
			if err := r.rendered(ctx, item); err != nil {
				return err
			}
			continue
		}
		if plans[index], err = r.plan(ctx, item); err != nil {
			return err
		}
	}
	if after := r.write(text, plans); string(after) != string(text) {
		r.result.Files = append(r.result.Files, File{Name: f.Name, Before: text, After: after})
	}
	return nil
}

// read reads a file that is not larger than the limit, in bytes.
func read(name string, limit int64) ([]byte, error) {
	if limit <= 0 {
		limit = source.DefaultMaxFileBytes
	}
	text, err := regular.Read(name, limit)
	if err != nil {
		return nil, fmt.Errorf("cannot read: %w", errors.Unwrap(err))
	}
	return text, nil
}

// planned is what one workload of a document gets.
type planned struct {
	Workload
	item   source.Item
	ops    []engine.Operation
	values int
}

func (r *runner) plan(ctx context.Context, item source.Item) ([]planned, error) {
	var plans []planned
	for _, w := range Workloads(item.Document.Object) {
		values, err := r.values(ctx, item, w)
		if err != nil {
			return nil, err
		}
		if values = changed(values); len(values) > 0 {
			plans = append(plans, planned{w, item, operations(w, values), written(values)})
		}
	}
	return plans, nil
}

// write edits the documents of a file's text.
func (r *runner) write(text []byte, plans map[int][]planned) []byte {
	patches := map[int][]engine.Operation{}
	for index, list := range plans {
		for _, p := range list {
			patches[index] = append(patches[index], p.ops...)
		}
	}
	after, errs := edit.ApplyAll(text, patches)
	for _, index := range slices.Sorted(maps.Keys(errs)) {
		// One workload of a List that cannot be edited must not hold up the others.
		for _, p := range plans[index] {
			_, err := edit.Apply(text, index, p.ops)
			if err == nil {
				var edited []byte
				if edited, err = edit.Apply(after, index, p.ops); err == nil {
					after = edited
					continue
				}
			}
			r.result.Unsafe++
			r.result.Written -= p.values
			r.note(p.item, p.Workload, fmt.Sprintf("left alone: %v; --patch prints what would be written", err))
		}
	}
	return after
}
