// Package judge is what the playground tells of a text: findings, what they rest on, and the text without them.
package judge

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/explain"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Answer is what the page shows of a text.
type Answer struct {
	Done     bool      `json:"done"` // explained and fixed, too
	Summary  string    `json:"summary"`
	Problems []Problem `json:"problems"`
	Findings []Finding `json:"findings"`
	Explain  string    `json:"explain"` // text, as wide as was asked for
	Fixed    string    `json:"fixed"`   // the manifest as headroom fix writes it
	Diff     string    `json:"diff"`    // from the text to it, "" where nothing changes
	Told     []string  `json:"told"`    // what a change costs, and what was left alone
}

// Problem is what could not be read.
type Problem struct {
	Line    int    `json:"line"` // from 1; 0 is the whole text
	Message string `json:"message"`
}

// Finding is one cause, the worst first.
type Finding struct {
	Severity string  `json:"severity"`
	Rule     string  `json:"rule"`
	Slug     string  `json:"slug"`
	Where    string  `json:"where"` // the containers, the first few by name
	Places   []Place `json:"places"`
	What     string  `json:"what"`
	Do       string  `json:"do"`
}

// Place is a line of the text, from 1; 0 stands for no line.
type Place struct {
	Line int `json:"line"`
}

// manifest is what the text is called in messages and in the diff.
const manifest = "manifest.yaml"

// Text lints, explains and fixes a text; columns is how wide the page is, in characters. It shows the findings as soon
// as they are there, and all of it once that is done.
func Text(ctx context.Context, e *engine.Engine, text string, columns int, show func(Answer)) {
	a := Answer{Problems: []Problem{}, Findings: []Finding{}, Told: []string{}}
	if err := a.judge(ctx, e, text, columns, show); err != nil {
		a.Problems = append(a.Problems, Problem{Message: words.WithoutGo(err.Error())})
	}
	a.Done = true
	show(a)
}

func (a *Answer) judge(ctx context.Context, e *engine.Engine, text string, columns int, show func(Answer)) error {
	paths := []string{"-"}
	read := func() source.Options { return source.Options{Stdin: strings.NewReader(text)} }
	r, err := lint.Run(ctx, e, lint.Options{Paths: paths, Source: read()})
	if err != nil {
		return err
	}
	r.Show = engine.SeverityInfo
	r.Count()
	a.report(r)
	if r.Summary.Workloads == 0 {
		return nil
	}
	show(*a)
	fixed, err := lint.Fix(ctx, e, lint.FixOptions{Paths: paths, Source: read()})
	if err != nil {
		return err
	}
	a.fix(text, fixed)
	explained, err := explain.Run(ctx, e, explain.Options{Paths: paths, Source: read(), Timeline: true})
	if err != nil {
		return err
	}
	var out bytes.Buffer
	err = explain.Write(&out, "text", explained, false, columns)
	a.Explain = out.String()
	return err
}

func (a *Answer) report(r *report.Report) {
	for _, p := range r.Problems {
		a.Problems = append(a.Problems, Problem{Line: p.Line, Message: p.Message})
	}
	a.Summary = sentences.Summary(r)
	for _, e := range report.Entries(r) {
		f := Finding{
			Severity: e.Severity, Rule: e.Rule, Slug: e.Slug, Where: subjects(e),
			What: sentences.Message(e), Do: sentences.Wanted(e),
		}
		for _, place := range e.Places[:min(len(e.Places), maxPlaces)] {
			f.Places = append(f.Places, Place{place.Line})
		}
		a.Findings = append(a.Findings, f)
	}
}

// maxPlaces is how many places of one cause are named.
const maxPlaces = 8

// subjects names the containers of a cause.
func subjects(e *report.Entry) string {
	var names []string
	for _, place := range e.Places {
		if name := sentences.Subject(e, place); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - maxPlaces; more > 0 {
		names = append(names[:maxPlaces], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}

func (a *Answer) fix(text string, r *lint.FixResult) {
	a.Fixed = text
	for i := range r.Files {
		file := &r.Files[i]
		a.Fixed = string(file.After)
		a.Diff = edit.Diff(manifest, file.Before, file.After)
		for _, o := range file.Objects {
			if o.Left != "" {
				a.Told = append(a.Told, sentences.Title(o.Resource)+": left alone: "+o.Left)
			}
			a.Told = append(a.Told, sentences.Prices(o.Fixed)...)
		}
	}
}
