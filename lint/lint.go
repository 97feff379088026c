// Package lint judges manifests: it reads them, hands each object to the policies with
// what stands beside it, and gathers a report with file and line of every finding.
package lint

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/headroom-dev/headroom/internal/inputs"
	"github.com/headroom-dev/headroom/internal/preview"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/beside"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Options say what to judge and how.
type Options struct {
	Paths  []string
	Source source.Options
	// Workers is how many files are judged at a time; 0 means one a processor.
	Workers int
	// Preview, if it has a mode, tells what that would do.
	Preview Preview
	// Digests asks for those of workloads.
	Digests bool
	// Progress, if set, is told how many of the files are done, from any goroutine.
	Progress func(done, total int)

	// around is what stands beside the objects, and labels are those of Namespaces, where that is not to be looked for.
	around beside.Around
	labels map[string]preview.Labels
	// standing, if set, is told what is found of that.
	standing func(found [][]neighbour)
	// leave, if set, says of a file that it is not judged.
	leave func(f source.File) bool
	// most is how long a run may judge; 0 is maxTime.
	most time.Duration
}

// Run judges everything that the options name. An input that cannot be read is a Problem
// of the report, and the rest is still judged; an error means that there is no report.
func Run(ctx context.Context, e *engine.Engine, o Options) (*report.Report, error) {
	if err := o.Source.Buffer(ctx, o.Paths); err != nil {
		return nil, err
	}
	found := source.Find(o.Paths, o.Source)
	files, problems := found.Files, found.Problems
	workers := o.workers()
	var err error
	var unrendered []source.Unrendered
	if o.Source.FolderCharts != nil {
		if files, unrendered, err = source.Releases(ctx, files, o.Source, workers); err != nil {
			return nil, err
		}
	}
	around, labels := o.around, o.labels
	if around == nil {
		found, err := neighbours(ctx, e, files, o.Source, workers)
		if err != nil {
			return nil, err
		}
		if o.standing != nil {
			o.standing(found)
		}
		if around, labels, err = standing(found); err != nil {
			return nil, err
		}
	}
	if o.leave != nil {
		files = slices.DeleteFunc(files, o.leave)
	}
	j := judge{engine: e, around: around, labels: labels, previewed: o.Preview, digests: o.Digests, until: o.until()}
	j.releases = o.Source.FolderCharts != nil
	j.parts = make([]part, len(files))
	var done atomic.Int64
	err = source.Each(ctx, files, o.Source, workers, func(index int, item source.Item) error {
		p := &j.parts[index]
		if !p.counted && o.Progress != nil {
			o.Progress(int(done.Add(1)), len(files))
		}
		p.counted = true
		if file := files[index]; file.Skipped != "" {
			p.skipped = append(p.skipped, skippedFile(file))
			return nil
		}
		return j.visit(ctx, p, item)
	})
	if err != nil {
		return nil, err
	}
	report := gather(j.parts, problems, unrendered)
	report.NotRead = inputs.NotRead(found.Unread)
	report.Count()
	report.Preview = previewed(o.Preview, j.parts)
	if len(o.Source.HelmCharts)+len(o.Source.Kustomizations) == 0 && !slices.Contains(o.Paths, "-") {
		report.Paths = o.Paths
	}
	return report, nil
}

// until is when a run that begins now has taken as long as it may.
func (o Options) until() time.Time { return time.Now().Add(cmp.Or(o.most, maxTime)) }

func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// skippedFile is what is reported of a file that was not read.
func skippedFile(f source.File) report.Skip {
	what := "file"
	if f.Chart {
		what = report.SkippedChart
	}
	return report.Skip{File: f.Name, What: what, Reason: f.Skipped}
}
