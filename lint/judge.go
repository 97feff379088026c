package lint

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/inputs"
	"github.com/headroom-dev/headroom/internal/preview"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/lint/beside"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// judge judges the documents of a run; parts has one entry a file, each filled by the one
// goroutine that reads the file.
type judge struct {
	engine    *engine.Engine
	around    beside.Around
	labels    map[string]preview.Labels // of the Namespaces in the input
	previewed Preview
	digests   bool
	until     time.Time // when the run has taken as long as it may; zero for one that an editor keeps
	parts     []part
	releases  bool // what they render is judged, or told apart
}

// unknownRule is what is found on an object that carries containers and is not judged.
const unknownRule = "HR002"

// told says whether a finding is told in another way: that of a release, whose chart is rendered or named.
func (j *judge) told(f engine.Finding) bool {
	return j.releases && f.Rule == unknownRule && source.IsRelease(f.Resource.APIVersion, f.Resource.Kind)
}

// maxTime is what all that a run judges may take together, where one object may take the engine's patience. It is chosen,
// and not measured.
const maxTime = 10 * time.Minute

var errMaxTime = fmt.Errorf("is not judged: the run has taken %d s; judge parts of the tree, one at a time", maxTime/time.Second)

// past says whether a run has taken as long as it may.
func past(until time.Time) bool { return !until.IsZero() && time.Now().After(until) }

// part is what one file gave.
type part struct {
	counted                  bool
	documents, notKubernetes int
	findings, exempted       []engine.Finding
	skipped                  []report.Skip
	problems                 []report.Problem
	workloads                []report.Workload
	preview                  []report.PreviewItem
	alone                    []string // namespaces of objects of a cluster that are judged without their Namespace
}

func (j *judge) visit(ctx context.Context, p *part, item source.Item) error {
	if item.Problem != nil {
		p.problems = append(p.problems, problem(*item.Problem))
	}
	switch {
	case item.Document != nil && item.Skipped == "":
		return j.document(ctx, p, item.Document)
	case item.Skipped == source.NoOutput:
		p.skipped = append(p.skipped, report.Skip{File: item.File, What: report.SkippedEmptyChart, Reason: item.Skipped})
	case item.Problem == nil:
		p.notKubernetes++
	}
	return nil
}

func (j *judge) document(ctx context.Context, p *part, document *source.Document) error {
	p.documents++
	for i, object := range objectsOf(document) {
		if past(j.until) {
			p.problems = append(p.problems, inputs.Problem(document.File, document.Line, errMaxTime))
			return nil
		}
		if cause, field := source.Untyped(object.manifest); cause != "" { // of a List; a whole document is a Problem
			p.problems = append(p.problems, untyped(document, append(slices.Clip(object.prefix), any(field)), cause))
			continue
		}
		known, err := j.engine.KindOf(ctx, object.manifest)
		if err != nil {
			return err
		}
		comments := document.CommentsOn(object.prefix, i == 0)
		if known.Inert && len(comments) == 0 {
			continue
		}
		namespace := engine.ResourceOf(object.manifest).Namespace
		if j.alone(object.manifest, namespace) {
			p.alone = append(p.alone, namespace)
		}
		review := engine.Review{
			Manifest: object.manifest,
			Prefix:   object.prefix,
			Around:   j.around.Of(namespace, document.Place()),
			Place:    document.Place(),
			Comments: comments,
		}
		if err := j.evaluate(ctx, p, document, review); err != nil {
			return err
		}
	}
	return nil
}

// alone says whether an object was read from a cluster, which gives each a uid, without its Namespace.
func (j *judge) alone(manifest map[string]any, namespace string) bool {
	_, there := j.labels[namespace]
	metadata, _ := manifest["metadata"].(map[string]any)
	uid, _ := metadata["uid"].(string)
	return namespace != "" && !there && uid != ""
}

func (j *judge) evaluate(ctx context.Context, p *part, document *source.Document, review engine.Review) error {
	result, err := j.engine.Evaluate(ctx, review)
	if ctx.Err() != nil {
		return fmt.Errorf("stopped: %w", ctx.Err())
	}
	if err != nil {
		p.problems = append(p.problems, unjudged(document, review.Manifest, err))
		return nil
	}
	for _, failure := range result.Failed {
		p.problems = append(p.problems, brokenRule(document, failure))
	}
	p.findings = append(p.findings, located(document, slices.DeleteFunc(result.Findings, j.told))...)
	p.exempted = append(p.exempted, located(document, result.Exempted)...)
	for _, s := range result.Skipped {
		p.skipped = append(p.skipped, report.Skip{
			File: document.File, Resource: s.Resource, What: s.What, Reason: s.Reason,
		})
	}
	for i := range result.Objects {
		o := &result.Objects[i]
		if !o.Judged {
			continue
		}
		workload := report.Judged(o)
		workload.File, workload.Line = document.File, lineIn(document, o.Path)
		if j.digests {
			workload.Digest = digest(review.Manifest)
		}
		p.workloads = append(p.workloads, workload)
	}
	if err := j.preview(ctx, p, document, review); err != nil && ctx.Err() == nil {
		p.problems = append(p.problems, unjudged(document, review.Manifest, err))
	}
	return nil
}

// untyped is an object of a List that lacks its apiVersion or its kind, with the way to the other.
func untyped(document *source.Document, path []any, cause string) report.Problem {
	found := report.Problem{File: document.File, Message: cause}
	if !document.Rendered {
		found.Line = document.LineOf(path)
	}
	return found
}

// unjudged tells of an object without a verdict: it must not hide the others.
func unjudged(document *source.Document, manifest map[string]any, err error) report.Problem {
	return report.Problem{
		File: document.File, Line: document.Line, Message: engine.Unjudged(engine.ResourceOf(manifest), err),
	}
}

// brokenRule tells of a rule that is not known to pass: a bug of ours, which must not hide what others found.
func brokenRule(document *source.Document, failure engine.Failure) report.Problem {
	return report.Problem{File: document.File, Line: document.Line, Message: failure.Error()}
}

func located(document *source.Document, findings []engine.Finding) []engine.Finding {
	for i := range findings {
		findings[i].File = document.File
		findings[i].Line = lineIn(document, findings[i].Path)
	}
	return findings
}

// lineIn is a line of the file that is named. It is 0, no line, for a template of a chart or the
// folder of a kustomization: a wrong line is worse than no line.
func lineIn(document *source.Document, pointer string) int {
	if document.Rendered {
		return 0
	}
	return document.LineOfPointer(pointer)
}

func problem(p source.Problem) report.Problem { return inputs.Problem(p.File, p.Line, p.Cause) }

// gather joins the parts into a report in the order of files and lines.
func gather(parts []part, problems []source.Problem, unrendered []source.Unrendered) *report.Report {
	r := &report.Report{}
	for _, u := range unrendered {
		r.Skipped = append(r.Skipped, report.Skip{
			File: u.File, What: report.SkippedRelease, Reason: u.Hint,
			Resource: engine.Resource{APIVersion: u.APIVersion, Kind: u.Kind, Namespace: u.Namespace, Name: u.Name},
		})
	}
	for _, p := range problems {
		r.Problems = append(r.Problems, problem(p))
	}
	for i := range parts {
		p := &parts[i]
		r.Findings = append(r.Findings, p.findings...)
		r.Exempted = append(r.Exempted, p.exempted...)
		r.Skipped = append(r.Skipped, p.skipped...)
		r.Problems = append(r.Problems, p.problems...)
		r.Workloads = append(r.Workloads, p.workloads...)
		r.Alone = append(r.Alone, p.alone...)
		if p.counted {
			r.Summary.Files++
		}
		r.Summary.Documents += p.documents
		r.Summary.NotKubernetes += p.notKubernetes
		r.Summary.Workloads += len(p.workloads)
		for _, w := range p.workloads {
			r.Summary.Containers += len(w.Containers)
		}
	}
	slices.Sort(r.Alone)
	r.Alone = slices.Compact(r.Alone)
	sortFindings(r.Findings)
	sortFindings(r.Exempted)
	slices.SortStableFunc(r.Problems, func(a, b report.Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	slices.SortStableFunc(r.Workloads, func(a, b report.Workload) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	return r
}

// sortFindings puts findings in the order in which a person reads a file.
func sortFindings(findings []engine.Finding) {
	slices.SortStableFunc(findings, func(a, b engine.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Rule, b.Rule))
	})
}
