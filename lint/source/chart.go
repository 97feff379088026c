package source

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
)

// Chart is a chart that can be rendered again and again, with other values each time.
type Chart struct {
	// Given are the values of the user: Inputs over each other.
	Given map[string]any
	// Inputs are the user's values files and settings, later ones win.
	Inputs []ValuesInput
	// Values are those that the templates see: Given over the chart's own; those of a
	// subchart stand below its name.
	Values map[string]any
	// Templates are the texts of all templates below the keys that lead to the values of
	// their chart, "" for the chart itself, "cache" or "cache.metrics" for subcharts.
	Templates map[string][]string

	from HelmChart
	opts Options
	held bool // the chart's schema holds for Given, and has to for other values
}

// ValuesInput is a values file or a --set of the user.
type ValuesInput struct {
	Name   string // the file, or "--set"
	Set    bool
	Values map[string]any
}

// Rendered is an object that a chart rendered.
type Rendered struct {
	// Subchart are the keys that lead to the values of the template's chart.
	Subchart []string
	Object   map[string]any
}

// OpenChart reads a chart and the values that it is rendered with.
func OpenChart(ctx context.Context, from HelmChart, opts Options) (*Chart, error) {
	c := &Chart{from: from, opts: opts}
	m, problem := run(ctx, display(from.Path), c.job(nil), c.opts)
	if problem != nil {
		return nil, *problem
	}
	c.Given, c.Inputs = m.Given, m.Inputs
	c.Values, c.Templates, c.held = m.Seen, m.Sources, m.Held
	return c, nil
}

// job renders the chart with values in the place of the user's, nil for the user's own, which are told then.
func (c *Chart) job(given map[string]any) job {
	return job{
		Chart: c.from, Given: given, Tell: given == nil, Schema: true, Follow: c.opts.FollowLinks, Limit: c.opts.MaxBytes(),
	}
}

// Render renders the chart with other values of the user, in the place of Given. Those that
// the chart's schema refuses are an error, as they are to Helm.
func (c *Chart) Render(ctx context.Context, given map[string]any) ([]Rendered, error) {
	if given == nil {
		given = map[string]any{}
	}
	m, problem := run(ctx, display(c.from.Path), c.job(given), c.opts)
	if problem != nil {
		return nil, *problem
	}
	if c.held && !m.Held {
		return nil, Problem{File: display(c.from.Path), Cause: errors.New("the chart's schema refuses the values")}
	}
	var objects []Rendered
	for _, name := range slices.Sorted(maps.Keys(m.Templates)) {
		if path.Base(name) == "NOTES.txt" {
			continue
		}
		text := m.text(name, templateFile(display(c.from.Path), name))
		for item := range text.items(c.opts) {
			if item.Problem != nil {
				return nil, *item.Problem
			}
			if item.Document != nil && item.Skipped == "" {
				objects = append(objects, Rendered{subchartOf(name), item.Document.Object})
			}
		}
	}
	return objects, nil
}

// subchartOf reads shop/charts/cache/templates/x.yaml as the chart cache.
func subchartOf(template string) []string {
	var keys []string
	steps := strings.Split(template, "/")
	for i := 1; i+1 < len(steps) && steps[i] == "charts"; i += 2 {
		keys = append(keys, steps[i+1])
	}
	return keys
}
