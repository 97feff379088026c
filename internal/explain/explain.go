// Package explain shows the reasoning for a workload. It tells what each container is taken for and
// why, where its requests, limits and JVM flags come from. It also tells what its memory and its
// CPU time add up to, and what would pass. The policies reason; this package reads, asks and draws.
package explain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/headroom-dev/headroom/internal/inputs"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Options say what to explain and how.
type Options struct {
	// Paths are files and folders; the charts and kustomizations of Source are rendered.
	Paths  []string
	Source source.Options
	// Workload, as KIND/NAME or NAME, and Container choose; "" is all.
	Workload, Container string
	// WhatIf has changes that are tried in memory.
	WhatIf []Change
	// Timeline draws the period in which a burst meets the quota.
	Timeline bool
	// Pause is how long a garbage collection takes; 0 is what the manifest or the config says.
	Pause time.Duration
	// Workers is the number of workers of a pool, or of threads of the application; 0 is what the
	// manifest says.
	Workers int64
	// Period is the kubelet's cpuCFSQuotaPeriod; 0 is 100 ms (T1).
	Period time.Duration

	// gcThreads is with how many threads a collection takes its pause; 0 is with as many as there are.
	gcThreads float64
}

// Report is what was explained.
type Report struct {
	Version   string
	Workloads []Workload
	Problems  []report.Problem
	// Notes are what a reader should know of the reading: what a cluster did not let be seen.
	Notes []string
	// Free is the share of a memory limit that has to stay free, as the config has it (M1).
	Free float64
	// Show is the lowest severity of the findings that a text shows; "" is warning.
	Show string
}

// Workload is one object with a pod template, or a Pod.
type Workload struct {
	Resource engine.Resource
	File     string // as the user named it; "" for one in a cluster
	Line     int    // of the object; 0 where there is no file
	// Findings are those on the whole workload, Exempted counts those that are excused.
	Findings   []engine.Finding
	Exempted   int
	Notes      []string // what a reader should know of it: who made it
	Containers []Container
}

// Container is one container, explained.
type Container struct {
	engine.Explanation
	Findings []engine.Finding
	Timeline *Timeline // nil where none was asked for
	// WhatIf is the same container with changes; nil where none were asked for.
	WhatIf *WhatIf
}

// maxWorkloads bounds what one run explains: each takes a screen.
const maxWorkloads = 500

var errTooMany = errors.New("more than 500 workloads; --workload KIND/NAME chooses one")

// runner carries a run.
type runner struct {
	engine  *engine.Engine
	options Options
	report  Report
	// workloads and containers are the names of those that were read, for one that was named and is not among them.
	workloads, containers []string
}

// Run explains the workloads of files. What cannot be read is a Problem of the report, and the
// rest is explained all the same.
func Run(ctx context.Context, e *engine.Engine, o Options) (*Report, error) {
	r, err := newRunner(ctx, e, o)
	if err != nil {
		return nil, err
	}
	objects, around, err := r.read(ctx)
	if err != nil {
		return nil, err
	}
	for i, object := range objects {
		if i == maxWorkloads {
			r.problem(object.file, object.line(""), errTooMany)
			break
		}
		if err := r.object(ctx, object, around.Of(engine.ResourceOf(object.manifest).Namespace, object.place())); err != nil {
			return nil, err
		}
	}
	if len(r.report.Workloads) == 0 && len(r.report.Problems) == 0 {
		return nil, r.nothing()
	}
	return &r.report, nil
}

func newRunner(ctx context.Context, e *engine.Engine, o Options) (*runner, error) {
	free, err := e.Value(ctx, "data.headroom.config.settings.memory.headroom")
	if err != nil {
		return nil, err
	}
	r := &runner{engine: e, options: o}
	r.report.Free, _ = free.(float64)
	return r, nil
}

func (r *runner) problem(file string, line int, err error) {
	r.report.Problems = append(r.report.Problems, inputs.Problem(file, line, err))
}

// object explains one object, where it is a workload.
func (r *runner) object(ctx context.Context, o object, around *engine.Context) error {
	review := engine.Review{Manifest: o.manifest, Around: around, Place: o.place(), Comments: o.comments}
	found, err := r.ask(ctx, review)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.problem(o.file, o.line(""), err)
		return nil
	}
	if found == nil {
		return nil
	}
	for _, failure := range found.failed {
		r.problem(o.file, o.line(""), failure)
	}
	w := Workload{Resource: found.resource, File: o.file, Line: o.line(found.path), Exempted: found.exempted}
	w.Findings = located(o, found.of(""))
	for _, e := range found.explanations {
		r.containers = append(r.containers, e.Container)
		if r.options.Container == "" || r.options.Container == e.Container {
			w.Containers = append(w.Containers, Container{Explanation: e, Findings: located(o, found.of(e.Container))})
		}
	}
	if len(w.Containers) == 0 {
		return nil
	}
	if err := r.whatIf(ctx, review, &w, found, w.Line); err != nil {
		return err
	}
	r.timelines(&w)
	r.report.Workloads = append(r.report.Workloads, w)
	return nil
}

func located(o object, findings []engine.Finding) []engine.Finding {
	for i := range findings {
		findings[i].File, findings[i].Line = o.file, o.line(findings[i].Path)
	}
	return findings
}

// Formats are the names that Write knows.
var Formats = []string{"text", "json", "html", "svg"}

// Write prints a report in a format; colour and columns are the terminal's, for text.
func Write(w io.Writer, format string, r *Report, colored bool, columns int) error {
	switch format {
	case "text":
		return writeText(w, r, colored, columns)
	case "html":
		return writeHTML(w, r)
	case "json":
		return writeJSON(w, r)
	case "svg":
		return writeSVG(w, r)
	}
	return fmt.Errorf("%q is no format", format)
}
