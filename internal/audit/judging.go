package audit

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// part is what one worker gave.
type part struct {
	documents          int
	findings, exempted []engine.Finding
	skipped            []report.Skip
	workloads          []report.Workload
	preview            []report.PreviewItem
	finished           map[[2]string]int // by namespace and kind
}

// judgeTarget judges a target, or looks at it for its group.
func (a *auditor) judgeTarget(ctx context.Context, p *part, t target) {
	if t.group != nil {
		defer a.looking.Done()
	}
	if ctx.Err() != nil {
		return
	}
	o, err := a.object(ctx, t)
	switch {
	case ctx.Err() != nil:
	case err != nil:
		a.lost(t, err)
	case o.Finished:
		p.finished[[2]string{o.Namespace, o.Kind.Kind}]++
	case t.group != nil:
		t.group.offer(o)
	default:
		a.judge(ctx, p, t, o)
	}
}

// object reads what of the target has not been read.
func (a *auditor) object(ctx context.Context, t target) (o *cluster.Object, err error) {
	if t.object != nil {
		return t.object, nil
	}
	if a.missing.away() {
		return nil, errAway
	}
	for _, name := range t.names {
		if o, err = a.reader.Get(ctx, t.kind, t.namespace.name, name); !apierrors.IsNotFound(err) {
			break
		}
	}
	return o, err
}

var errAway = errors.New("the API server is away")

// lost says that an object could not be had.
func (a *auditor) lost(t target, err error) {
	what := fmt.Sprintf("%s %s/%s", t.kind.Kind, t.namespace.name, strings.Join(t.names, ", "))
	switch {
	case apierrors.IsNotFound(err):
		if t.group == nil && !t.early { // others of a group may be left
			a.missing.problem(what + " was deleted before it could be judged")
		}
	case forbidden(err):
		a.missing.forbidden("get", t.kind, t.namespace.name)
	case errors.Is(err, errAway):
		a.missing.unread(t.kind)
	case cluster.Unreachable(err):
		a.missing.failed("get", t.kind, t.namespace.name, err)
	default:
		a.missing.problem(fmt.Sprintf("get %s: %s", what, err))
	}
}

// judge judges an object and notes what was found.
func (a *auditor) judge(ctx context.Context, p *part, t target, o *cluster.Object) {
	around, err := a.around(t.namespace, o)
	if err == nil {
		err = a.evaluate(ctx, p, t, o, around)
	}
	if err != nil && ctx.Err() == nil {
		// One object that cannot be judged must not hide the others.
		a.missing.problem(engine.Unjudged(engine.Resource{Kind: o.Kind.Kind, Namespace: o.Namespace, Name: o.Name}, err))
	}
}

func (a *auditor) evaluate(ctx context.Context, p *part, t target, o *cluster.Object, around *engine.Context) error {
	key := cluster.Key{Kind: o.Kind.Kind, Namespace: o.Namespace, Name: o.Name}
	if t.owner != nil {
		key.Kind, key.Name = t.owner.Kind, t.owner.Name
	}
	measured := a.measured(ctx, t.namespace)[key]
	if node, known := a.nodes.fullest(key); known {
		around = around.On(node)
	}
	r := Review(o.Manifest, around.Within(a.nodes.largest), measured)
	result, err := a.engine.Evaluate(ctx, r)
	if err != nil {
		return err
	}
	for _, failure := range result.Failed {
		a.missing.problem(fmt.Sprintf("%s %s/%s: %s", o.Kind.Kind, o.Namespace, o.Name, failure))
	}
	if t.slight && len(result.Skipped) == 0 {
		t.slight, t.object = false, nil // there is more to it than the metadata tell
		a.judgeTarget(ctx, p, t)
		return nil
	}
	replicas := o.Replicas
	if t.owner != nil {
		replicas = t.replicas
	}
	var details []engine.Detail
	if judged(result) {
		a.progress.say(a.progress.judged.Add(1))
		if details, err = a.details(ctx, r); err != nil {
			return err
		}
		if err := a.preview(ctx, p, t, replicas, r); err != nil {
			return err
		}
	}
	if t.owner != nil {
		rename(&result, *t.owner)
	}
	if judged(result) {
		if err := a.tellEach(ctx, t, result, replicas, r); err != nil {
			return err
		}
	}
	p.note(result, replicas, details, measured)
	return nil
}

func (a *auditor) tellEach(ctx context.Context, t target, result engine.Result, replicas int, r engine.Review) error {
	if a.options.Each == nil || len(result.Objects) == 0 {
		return nil
	}
	scalers := map[string]map[string]any{}
	for _, scaler := range t.namespace.signs["autoscalers"] {
		if r := engine.ResourceOf(scaler); r.Kind == "HorizontalPodAutoscaler" {
			scalers[r.Name] = scaler
		}
	}
	return a.options.Each(ctx, Judged{
		Resource: result.Objects[0].Resource, Replicas: replicas, Made: t.owner != nil, Review: r, Autoscalers: scalers,
	})
}

// around is what stands around an object: what does in its namespace, and the ConfigMaps that
// it names, as far as the policies ask for them.
func (a *auditor) around(n *namespace, o *cluster.Object) (*engine.Context, error) {
	names := engine.ConfigMapsNamed(o.Manifest)
	if len(names) == 0 || o.Kind.Kind == "Namespace" || a.missing.away() {
		return n.context()
	}
	around, err := n.context()
	if err != nil {
		return nil, err
	}
	return around.Later(names[:min(len(names), cluster.MaxConfigMaps)], func(ctx context.Context, names []string) []map[string]any {
		if a.missing.away() {
			return nil
		}
		maps, err := a.variables.Named(ctx, n.name, names)
		if err != nil && ctx.Err() == nil {
			a.missing.failed("get", cluster.ConfigMaps, n.name, err)
		}
		return cluster.Manifests(maps)
	}), nil
}

func judged(result engine.Result) bool {
	for i := range result.Objects {
		if result.Objects[i].Judged {
			return true
		}
	}
	return false
}

// rename reports an owner in the place of the object that was judged for it.
func rename(result *engine.Result, owner engine.Resource) {
	for _, list := range [][]engine.Finding{result.Findings, result.Exempted} {
		for i := range list {
			list[i].Resource = owner
		}
	}
	for i := range result.Skipped {
		result.Skipped[i].Resource = owner
	}
	for i := range result.Objects {
		result.Objects[i].Resource = owner
	}
}

func (p *part) note(
	result engine.Result, replicas int, details []engine.Detail, measured map[string]engine.Measured,
) {
	p.documents++
	p.findings = append(p.findings, bare(result.Findings)...)
	p.exempted = append(p.exempted, bare(result.Exempted)...)
	for _, s := range result.Skipped {
		p.skipped = append(p.skipped, report.Skip{Resource: s.Resource, What: s.What, Reason: s.Reason})
	}
	for i := range result.Objects {
		if !result.Objects[i].Judged {
			continue
		}
		w := report.Judged(&result.Objects[i])
		w.Replicas = replicas
		for i := range w.Containers {
			container := &w.Containers[i]
			if i < len(details) && details[i].Container == container.Name {
				container.Detail = &details[i]
			}
			if use, ok := measured[container.Name]; ok {
				container.Measured = &use
			}
		}
		p.workloads = append(p.workloads, w)
	}
}

// bare leaves out the fixes: a report of ten thousand workloads has no use for them.
func bare(findings []engine.Finding) []engine.Finding {
	for i := range findings {
		findings[i].Changes = nil
	}
	return findings
}

// Review is what is judged of a manifest that lives in a cluster, with what stands around it and what was measured of its
// containers; either may be nil.
func Review(
	manifest map[string]any, around *engine.Context, measured map[string]engine.Measured,
) engine.Review {
	if around == nil {
		// It is judged as one object, whatever it looks like: a live object is no list and no request.
		around = &engine.Context{}
	}
	return engine.Review{Manifest: manifest, Around: around, Measured: measured}
}

// details are what the policies know of each container; nil if the report needs none.
func (a *auditor) details(ctx context.Context, r engine.Review) ([]engine.Detail, error) {
	if !a.options.Details && a.options.Measure == nil {
		return nil, nil
	}
	return a.engine.Details(ctx, r)
}
