package source

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// HasValues says whether a file of values is one of the chart that a folder's File renders: its own, which own says, or
// one beside it.
func (f File) HasValues(name string) (own, is bool) {
	below, found := strings.CutPrefix(name, f.Name+"/")
	if f.chart == "" || !found {
		return false, false
	}
	if below == chartValues {
		return true, true
	}
	return false, slices.ContainsFunc(valuesFiles, func(pattern string) bool {
		matches, _ := path.Match(pattern, below)
		return matches
	})
}

const chartValues = "values.yaml"

// SavedValues are the bytes of the chart's own file of values as they are on the disk; nil where they cannot be read.
func (f File) SavedValues(opts Options) []byte {
	name := filepath.Join(f.from.Path, chartValues)
	if endless(name) || !opts.FollowLinks && straysFile(name) {
		return nil
	}
	text, err := Read(File{path: name}, opts)
	if err != nil {
		return nil
	}
	return text
}

// RenderWith renders the chart of a folder with an editor's text over its values. It is a run of its own.
func (f File) RenderWith(ctx context.Context, values []byte, opts Options) ([]Item, *Problem) {
	taken.Store(0)
	from := f.from
	from.Inline = values
	m, problem := run(ctx, f.Name, job{Chart: from, Follow: opts.FollowLinks, Limit: opts.MaxBytes()}, opts)
	if problem != nil {
		return nil, problem
	}
	var items []Item
	for _, template := range slices.Sorted(maps.Keys(m.Templates)) {
		if path.Base(template) == "NOTES.txt" {
			continue
		}
		for item := range m.text(template, templateFile(f.Name, template)).items(opts) {
			if item.Skipped != reasonEmpty {
				items = append(items, item)
			}
		}
	}
	return items, nil
}
