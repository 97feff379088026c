package lint

import (
	"context"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/traced"
	"github.com/headroom-dev/headroom/policies/engine"
)

// openValues is what a chart renders to with the values that an editor has for one of its files.
type openValues struct {
	chart     *savedFile // the chart's folder at that time
	documents []*openDocument
	values    *traced.Values
	marked    map[renderedObject]map[string]any // the whole document
}

// renderedObject is an object of a template.
type renderedObject struct {
	file     string
	resource engine.Resource
}

// chartOf is the chart of the folder that a file of values belongs to; nil without one.
func (f *Folder) chartOf(name string) (chart *source.File, own bool) {
	for i := range f.files {
		if own, is := f.files[i].HasValues(name); is {
			return &f.files[i], own
		}
	}
	return nil, false
}

// judgeValues judges what a chart renders to with an open file of values. Of the findings there are those that come from
// a line of that file, in the order of its lines; File is the template.
func (f *Folder) judgeValues(ctx context.Context, open *openFile, chart *source.File, own bool) (*report.Report, error) {
	for item := range source.Items(open.name, open.text, f.source) {
		if item.Problem != nil {
			return gather(nil, []source.Problem{*item.Problem}, nil), nil
		}
	}
	if open.rendered == nil || open.rendered.chart != f.saved[chart.Name] {
		var problem *source.Problem
		if open.rendered, problem = f.render(ctx, open, chart, own); ctx.Err() != nil {
			open.rendered = nil
			return nil, ctx.Err()
		} else if problem != nil {
			return gather(nil, []source.Problem{*problem}, nil), nil
		}
	}
	r, j, all := open.rendered, judge{engine: f.engine, around: f.around.contexts}, part{}
	for _, d := range r.documents {
		if err := d.judge(ctx, &j); err != nil {
			return nil, err
		}
		d.add(&all)
	}
	var traceable []engine.Finding
	for _, finding := range all.findings {
		finding.Line = r.values.Line(r.marked[renderedObject{finding.File, finding.Resource}], finding.Path)
		if finding.Line > 0 {
			traceable = append(traceable, finding)
		}
	}
	return gather([]part{{findings: traceable, workloads: all.workloads}}, nil, nil), nil
}

// render renders the chart twice: as it is, and with marks. A chart that does not take the marks is one of which no line
// is known.
func (f *Folder) render(ctx context.Context, open *openFile, chart *source.File, own bool) (*openValues, *source.Problem) {
	var saved []byte
	if own {
		saved = chart.SavedValues(f.source)
	}
	values, err := traced.Read(open.text, saved)
	if err != nil {
		return nil, &source.Problem{File: open.name, Cause: err}
	}
	items, problem := chart.RenderWith(ctx, values.Text, f.source)
	if problem != nil {
		return nil, problem
	}
	r := &openValues{chart: f.saved[chart.Name], values: values, marked: map[renderedObject]map[string]any{}}
	for _, item := range items {
		r.documents = append(r.documents, f.document(item, nil, item.Line))
	}
	items, _ = chart.RenderWith(ctx, values.Marked, f.source)
	for _, item := range items {
		if item.Document == nil {
			continue
		}
		for object := range source.Objects(item.Document) {
			r.marked[renderedObject{item.File, engine.ResourceOf(object)}] = item.Document.Object
		}
	}
	return r, nil
}
