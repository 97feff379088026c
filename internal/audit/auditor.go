package audit

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/audit/measure"
	"github.com/headroom-dev/headroom/policies/engine"
)

// auditor is one run.
type auditor struct {
	engine    *engine.Engine
	options   Options
	reader    *cluster.Reader
	variables *cluster.Variables
	missing   *missing
	exclude   map[string]bool
	progress  progress

	// Filled by the survey, then only read.
	namespaces map[string]*namespace
	surveyed   bool // all Namespaces are known
	owners     *cluster.Index

	// listed are the namespaces in which a kind was listed; "" stands for all of them. It is
	// filled by the one goroutine that lists.
	listed map[string]map[string]bool

	work   chan target
	parts  []*part
	groups map[ownerKey]*group
	// ends are the kills that the Pods' status tells, by namespace.
	ends    map[string]measure.Use
	nodes   nodes
	unowned unowned
	// looking counts the members of groups that workers still look at.
	looking sync.WaitGroup
}

func newAuditor(e *engine.Engine, o Options, reader *cluster.Reader) *auditor {
	if o.Workers <= 0 {
		o.Workers = 2 * runtime.GOMAXPROCS(0)
	}
	a := &auditor{
		engine: e, options: o, reader: reader, missing: newMissing(),
		exclude: map[string]bool{}, namespaces: map[string]*namespace{},
		listed: map[string]map[string]bool{}, groups: map[ownerKey]*group{}, ends: map[string]measure.Use{}, nodes: newNodes(),
		progress: progress{tell: o.Progress},
	}
	if o.All {
		for _, name := range o.Exclude {
			a.exclude[name] = true
		}
	}
	a.variables = cluster.NewVariables(reader, a.missing.configMaps)
	return a
}

// judgeAll lists the workloads, kind by kind, while workers judge them.
func (a *auditor) judgeAll(ctx context.Context) {
	a.work = make(chan target, cluster.DefaultPageSize)
	var workers sync.WaitGroup
	for range a.options.Workers {
		p := &part{finished: map[[2]string]int{}}
		a.parts = append(a.parts, p)
		workers.Go(func() {
			for t := range a.work {
				a.judgeTarget(ctx, p, t)
			}
		})
	}
	a.judgeNamespaces(ctx)
	for _, k := range cluster.Kinds {
		a.progress.begin(k.Resource)
		if k == cluster.Pods && ctx.Err() == nil && !a.missing.away() && a.spoken() {
			if a.judgeUnowned(ctx) != nil {
				a.missing.unread(k)
			}
			continue
		}
		a.in(ctx, k, func(namespace string) error { return a.list(ctx, k, namespace) })
	}
	a.looking.Wait()
	a.judgeGroups(ctx)
	close(a.work)
	workers.Wait()
}

// in reads a kind in the whole cluster, or in each namespace where that is what is asked for,
// or all that is allowed.
func (a *auditor) in(ctx context.Context, k cluster.Kind, read func(namespace string) error) {
	if ctx.Err() != nil || a.missing.away() {
		a.missing.unread(k)
		return
	}
	if !a.options.All {
		a.inEach(ctx, k, a.options.Namespaces, read)
		return
	}
	err := read("")
	if !forbidden(err) || !a.surveyed {
		a.done(ctx, k, "", err)
		return
	}
	var names []string
	for name := range a.namespaces {
		if !a.exclude[name] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	a.inEach(ctx, k, names, read)
}

func (a *auditor) inEach(ctx context.Context, k cluster.Kind, names []string, read func(namespace string) error) {
	for _, name := range names {
		if ctx.Err() != nil || a.missing.away() {
			a.missing.unread(k)
			return
		}
		a.done(ctx, k, name, read(name))
	}
}

// done notes how a list ended.
func (a *auditor) done(ctx context.Context, k cluster.Kind, namespace string, err error) {
	if forbidden(err) {
		a.missing.forbidden("list", k, namespace)
		return
	}
	if a.listed[k.Kind] == nil {
		a.listed[k.Kind] = map[string]bool{}
	}
	// Also when it ended half-way: what was judged with its owner must not be judged again.
	a.listed[k.Kind][namespace] = true
	switch {
	case err == nil:
	case ctx.Err() != nil:
		a.missing.unread(k)
	default:
		a.missing.failed("list", k, namespace, err)
	}
}

// known tells which kinds are listed in a namespace. Deployments speak for the ReplicaSets
// that may not be listed, and CronJobs for Jobs.
func (a *auditor) known(namespace string) func(kind string) bool {
	return func(kind string) bool {
		return a.lists(kind, namespace) ||
			kind == "ReplicaSet" && a.lists("Deployment", namespace) || kind == "Job" && a.lists("CronJob", namespace)
	}
}

func (a *auditor) lists(kind, namespace string) bool {
	return a.listed[kind][""] || a.listed[kind][namespace]
}

// progress tells how far the run is.
type progress struct {
	tell   func(what string, judged int)
	what   atomic.Value
	judged atomic.Int64
}

func (p *progress) begin(what string) {
	p.what.Store(what)
	p.say(p.judged.Load())
}

func (p *progress) say(judged int64) {
	if p.tell != nil {
		what, _ := p.what.Load().(string)
		p.tell(what, int(judged))
	}
}
