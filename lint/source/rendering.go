package source

import (
	"context"
	"fmt"
	"io"
	"iter"
	"log"
	"sync"
	"sync/atomic"
	"time"
)

// rendering is what became of a chart or a kustomization.
type rendering struct {
	texts   []renderedText
	problem *Problem
	skipped *Item // a chart that is left out, with its reason
}

// renderedText is the output for one template, or for a whole kustomization; of one that is too large, its size alone.
type renderedText struct {
	file  string
	text  []byte
	large int64
}

// maxKeptBytes bounds what all charts and kustomizations of a run render to, which is kept.
const maxKeptBytes = 64 << 20

// maxRenderingTime bounds what all of them take, each of which may take confined.MaxTime. It is chosen, and not measured:
// a repository may hold a thousand charts.
const maxRenderingTime = 5 * time.Minute

// kept and taken are what those of one run have come to, which begins where Find begins: a server has many.
var kept, taken atomic.Int64

// oneAtATime keeps a wait for the others out of what is taken.
var oneAtATime sync.Mutex

var errRenderingTime = fmt.Errorf("is not rendered: charts and kustomizations have taken %d s together; judge parts of the "+
	"tree, one at a time", maxRenderingTime/time.Second)

// timed has something rendered, in what is left of the time for all.
func timed(ctx context.Context, render func(context.Context) error) error {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	left := maxRenderingTime - time.Duration(taken.Load())
	if left <= 0 {
		return errRenderingTime
	}
	bounded, cancel := context.WithTimeoutCause(ctx, left, errRenderingTime)
	defer cancel()
	begin := time.Now()
	err := render(bounded)
	taken.Add(int64(time.Since(begin)))
	switch {
	case err == nil:
		return nil
	case ctx.Err() == nil && bounded.Err() != nil:
		return errRenderingTime
	}
	return fmt.Errorf("is not rendered: %w", err)
}

// keep counts what is kept.
func (r rendering) keep(name string) rendering {
	for _, output := range r.texts {
		if kept.Add(int64(len(output.text))) > maxKeptBytes {
			return rendering{problem: &Problem{File: name, Cause: fmt.Errorf(
				"is not judged: with it, charts and kustomizations render to more than %d MiB", maxKeptBytes>>20)}}
		}
	}
	return r
}

// items yields what was rendered, save for the empty documents that a template
// leaves where it renders nothing.
func (r rendering) items(opts Options) iter.Seq[Item] {
	if r.problem != nil {
		return single(Item{File: r.problem.File, Line: r.problem.Line, Problem: r.problem})
	}
	if r.skipped != nil {
		return single(*r.skipped)
	}
	return func(yield func(Item) bool) {
		for _, output := range r.texts {
			for item := range output.items(opts) {
				if item.Skipped != reasonEmpty && !yield(item) {
					return
				}
			}
		}
	}
}

func (t renderedText) items(opts Options) iter.Seq[Item] {
	if size, limit := max(t.large, int64(len(t.text))), opts.MaxBytes(); size > limit {
		return single(Item{File: t.file, Problem: &Problem{File: t.file, Cause: tooLarge(size, limit)}})
	}
	return func(yield func(Item) bool) {
		for item := range Items(t.file, t.text, opts) {
			if item.Document != nil {
				item.Document.Rendered = true
			}
			if !yield(item) {
				return
			}
		}
	}
}

// renderLock keeps Helm and kustomize one at a time: both use state that is
// global to the process (the log, kustomize's OpenAPI schema).
var renderLock sync.Mutex

// silence holds renderLock and mutes the standard log until the function it
// gives is called: Helm's warnings about values print the values.
func silence() func() {
	renderLock.Lock()
	previous := log.Writer()
	log.SetOutput(io.Discard)
	return func() {
		log.SetOutput(previous)
		renderLock.Unlock()
	}
}
