package lint

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Suggest adds the fixes of the findings that count to the report of a change: what headroom
// fix would write, for the objects that there are such findings of.
func Suggest(ctx context.Context, e *engine.Engine, o Options, found *report.Report) error {
	type key struct {
		file     string
		resource engine.Resource
	}
	wanted := map[key]bool{}
	files := map[string]bool{}
	for i := range found.Findings {
		if f := &found.Findings[i]; f.Fixable {
			wanted[key{f.File, f.Resource}] = true
			files[f.File] = true
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	// Only those files are worked on, beside whatever stands in the others.
	all, _ := source.Files(o.Paths, o.Source)
	around, _, err := surroundings(ctx, e, all, o.Source, max(o.Workers, 1))
	if err != nil {
		return err
	}
	some := slices.DeleteFunc(all, func(f source.File) bool {
		return !slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(file string) bool {
			return file == f.Name || f.Rendered() && strings.HasPrefix(file, f.Name+"/")
		})
	})
	f := &fixer{engine: e, around: around, parts: make([]fixedPart, len(some)), options: FixOptions{
		Source: o.Source,
		Accept: func(object FixedObject) (bool, error) { return wanted[key{object.File, object.Resource}], nil },
	}}
	if err := f.run(ctx, some, 1); err != nil {
		return err
	}
	fixed, err := f.gather(ctx, source.Found{Files: some})
	if err != nil {
		return err
	}
	for i := range fixed.Files {
		if file := &fixed.Files[i]; file.Changed() {
			found.Changed.Suggestions = append(found.Changed.Suggestions, suggestions(file)...)
		}
	}
	for _, s := range fixed.Snippets {
		found.Changed.Snippets = append(found.Changed.Snippets, report.Snippet{
			Origin: s.Origin, Where: s.Where, Text: s.Text, Note: s.Note,
		})
	}
	return nil
}

// suggestions are the changed lines of a file, each with the object that it is a part of.
func suggestions(file *FixedFile) []report.Suggestion {
	before, after := bytes.SplitAfter(file.Before, []byte{'\n'}), bytes.SplitAfter(file.After, []byte{'\n'})
	left := func(o FixedObject) bool { return o.Left != "" || o.Declined }
	objects := slices.DeleteFunc(slices.Clone(file.Objects), left)
	slices.SortStableFunc(objects, func(a, b FixedObject) int { return a.Line - b.Line })
	tries, by := maxTries, make([][]touched, len(objects))
	for i := range objects {
		by[i] = touchedBy(file.Before, &objects[i], &tries)
	}
	var list []report.Suggestion
	for _, h := range changed.Hunks(file.Before, file.After) {
		old, fresh := h.Before, h.After
		if old.Last < old.First { // a suggestion replaces at least one line
			if old.First > 1 {
				old.First, fresh.First = old.First-1, fresh.First-1
			} else {
				old.Last, fresh.Last = old.Last+1, fresh.Last+1
			}
		}
		if old.Last > len(before) || fresh.Last > len(after) {
			continue // an empty file
		}
		s := report.Suggestion{
			File: file.Name, First: old.First, Last: old.Last, Text: string(bytes.Join(after[fresh.First-1:fresh.Last], nil)),
		}
		for i := range objects {
			if i > 0 && objects[i].Line > old.Last {
				break
			}
			s.Resource, s.Rules = objects[i].Resource, rulesAt(h.Before, by[i])
		}
		list = append(list, s)
	}
	return list
}
