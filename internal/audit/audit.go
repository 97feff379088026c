// Package audit judges what runs in a cluster: every owning workload once, with what stands
// around it, and with what was measured of it where there are measurements.
package audit

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Options say what to read, and how.
type Options struct {
	Config *rest.Config
	// ContextName is what the report calls the cluster.
	ContextName string
	// Namespaces to read. All reads every one but those of Exclude.
	Namespaces []string
	All        bool
	Exclude    []string
	// Selector is a label selector on the workloads, "" for all.
	Selector string
	// PageSize is how many objects a request asks for at most; 0 is 500.
	PageSize int64
	// Workers is how many objects are judged at a time; 0 is two a processor, as some wait
	// for the API server.
	Workers int
	// Measure, if set, gives measured use.
	Measure measure.Source
	// Preview is a mode (enforce or warn) to tell the effects of; "" for none.
	Preview string
	// PreviewMutate previews as if every namespace had the label headroom.dev/mutate=enabled.
	PreviewMutate bool
	// Details asks for what the policies know of each container.
	Details bool
	// Each, if set, is told of every workload that was judged, from any goroutine. Its error is a Problem.
	Each func(context.Context, Judged) error
	// Progress, if set, is told what is read and how many workloads have been judged, from
	// any goroutine.
	Progress func(what string, judged int)
}

// Judged is a workload that was judged, and what it was judged by.
type Judged struct {
	Resource engine.Resource
	Replicas int
	// Made is true if it stands for its owner, an object of an unknown kind that created it.
	Made   bool
	Review engine.Review
	// Autoscalers are the HorizontalPodAutoscalers of its namespace, by name.
	Autoscalers map[string]map[string]any
}

// Run judges a cluster. What could not be read is a Problem of the report, and the rest is
// judged all the same; an error means that there is no report.
func Run(ctx context.Context, e *engine.Engine, o Options) (*report.Report, error) {
	if _, err := labels.Parse(o.Selector); err != nil {
		return nil, fmt.Errorf("read the selector: %w", err)
	}
	reader, err := cluster.New(cluster.Options{Config: o.Config, PageSize: o.PageSize, Selector: o.Selector})
	if err != nil {
		return nil, err
	}
	a := newAuditor(e, o, reader)
	// What goes wrong is in the report, and the report still comes.
	a.survey(ctx)
	a.index(ctx)
	a.readEnds(ctx)
	a.readNodes(ctx)
	a.judgeAll(ctx)
	return a.report(ctx), nil
}
