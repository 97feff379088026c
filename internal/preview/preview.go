// Package preview tells what the webhook would do to workloads if the mode of their namespace
// were another one now: what it would refuse, warn of, and fixed in Pods.
//
// It judges as the webhook does and not as lint and audit do. Admission knows neither ConfigMaps
// nor measured use, so both are left out. Each workload is judged twice, once as it would be
// created and once as its Pods would.
package preview

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Modes that can be previewed.
const (
	Enforce = "enforce"
	Warn    = "warn"
)

// Of tells what would happen to the object of a review in a mode, and whether anything would.
// Mutate says that Pods of its namespace are fixed. Objects that the webhook is not
// called for have no preview.
func Of(
	ctx context.Context, e *engine.Engine, review engine.Review, mode string, mutate bool,
) (report.PreviewItem, bool, error) {
	apiVersion, kind, path := template(review.Manifest)
	if path != nil && !asked(review.Manifest, path) {
		return report.PreviewItem{}, false, nil
	}
	o := object{engine: e, review: review, owners: ownersOf(review.Manifest), mutate: mutate}
	o.review.Measured, o.review.Comments = nil, nil // the webhook sees neither
	var v verdict
	var err error
	if path == nil {
		v, err = o.ofOperator(ctx)
	} else {
		v, err = o.verdict(ctx, apiVersion, kind, path)
	}
	if err != nil {
		return report.PreviewItem{}, false, fmt.Errorf("preview %s %s: %w", kind, nameOf(review.Manifest), err)
	}
	item := report.PreviewItem{Resource: v.resource, Changed: v.changed}
	for _, f := range v.findings {
		// The same finding in the report's list has them.
		f.Changes, f.Figures = nil, none
		switch {
		case mode == Enforce && f.refuses:
			item.Refused = append(item.Refused, f.Finding)
		case f.Severity != engine.SeverityInfo: // the webhook shows no infos
			item.Warned = append(item.Warned, f.Finding)
		}
	}
	return item, len(item.Refused)+len(item.Warned)+len(item.Changed) > 0, nil
}

var none = map[string]any{}

// object is what is created, and where.
type object struct {
	engine *engine.Engine
	review engine.Review
	owners []engine.Owner // of the object itself, nearest first
	mutate bool
}

// found is a finding, and whether it refuses the object or its Pods.
type found struct {
	engine.Finding
	refuses bool
}

type verdict struct {
	resource engine.Resource
	findings []found
	changed  []engine.Applied
}

// verdict is what the webhook says of the object, and then of its Pods.
func (o object) verdict(ctx context.Context, apiVersion, kind string, path []string) (verdict, error) {
	namespace := text(o.review.Manifest, "metadata", "namespace")
	if namespace == "" && o.review.Around != nil {
		namespace = o.review.Around.Namespace
	}
	v := verdict{resource: engine.Resource{
		APIVersion: apiVersion, Kind: kind, Namespace: namespace, Name: nameOf(o.review.Manifest),
	}}
	if len(path) > 0 && !judgedOwner(o.review.Manifest) {
		review := o.review
		review.Around = o.review.Around.Admitted(namespace, o.owners)
		result, err := o.engine.Evaluate(ctx, review)
		if err != nil {
			return v, err
		}
		engine.FixableInPods(result.Findings, review.Manifest)
		for _, f := range result.Findings {
			v.findings = append(v.findings, found{f, f.Refuses(o.mutate)})
		}
	}
	pod, owners := o.review.Manifest, o.owners
	if len(path) > 0 {
		pod, owners = podOf(o.review.Manifest, path, namespace), o.podOwners(kind)
	}
	around := o.review.Around.Admitted(namespace, owners)
	pod = admitted(pod, around.Listed("limit_ranges"))
	findings, changed, err := o.pod(ctx, engine.Review{Manifest: pod, Around: around})
	if err != nil {
		return v, err
	}
	v.changed = changed
	for _, f := range findings {
		v.add(found{f, f.Refuses(false)}, o.review.Prefix, path)
	}
	return v, nil
}

// ofOperator is what the webhook says of an object of a kind beside Kubernetes' own, where the
// policies know how it describes Pods. Whatever makes the Pods is judged by them.
func (o object) ofOperator(ctx context.Context) (verdict, error) {
	var v verdict
	review := o.review
	review.Around = o.review.Around.Admitted(text(o.review.Manifest, "metadata", "namespace"), o.owners)
	result, err := o.engine.Evaluate(ctx, review)
	if err != nil || len(result.Objects) == 0 || !result.Objects[0].Judged || len(result.Objects[0].Containers) == 0 {
		return v, err
	}
	v.resource = result.Objects[0].Resource
	engine.FixableInPods(result.Findings, review.Manifest)
	for _, f := range result.Findings {
		v.findings = append(v.findings, found{f, f.Refuses(o.mutate)})
	}
	return v, nil
}

// pod judges a Pod as it is created: fixed first, where that is wanted.
func (o object) pod(ctx context.Context, review engine.Review) ([]engine.Finding, []engine.Applied, error) {
	if !o.mutate {
		result, err := o.engine.Evaluate(ctx, review)
		return result.Findings, nil, err
	}
	fixed, err := o.engine.Fix(ctx, review)
	return fixed.After.Findings, fixed.Applied, err
}

// add adds what is found in the Pods alone, under the name of the workload.
func (v *verdict) add(f found, prefix []any, path []string) {
	for i := range v.findings {
		if same := &v.findings[i]; same.Rule == f.Rule && same.Container == f.Container {
			// A Pod that is refused stops the workload just as well.
			same.refuses = same.refuses || f.refuses
			return
		}
	}
	f.Resource = v.resource
	f.Path = pointer(prefix, path) + f.Path
	v.findings = append(v.findings, f)
}

// pointer leads to a pod template.
func pointer(prefix []any, path []string) string {
	for _, key := range path {
		prefix = append(slices.Clip(prefix), any(key))
	}
	return engine.Pointer(prefix)
}

// template is where an object has its pod template: nil for a kind that the webhook is not
// called for, and empty for a Pod.
func template(manifest map[string]any) (apiVersion, kind string, path []string) {
	apiVersion, kind = text(manifest, "apiVersion"), text(manifest, "kind")
	switch at := engine.TemplatePath(apiVersion, kind); at {
	case "":
		return apiVersion, kind, nil
	case "-":
		return apiVersion, kind, []string{}
	default:
		return apiVersion, kind, strings.Split(at, ".")
	}
}

// asked says whether the API server asks the webhook about an object or its Pods at all. The
// chart's match conditions leave out Windows Pods, by the field that tells them for sure, and
// mirror Pods, which a node makes.
func asked(manifest map[string]any, path []string) bool {
	if text(at(manifest, path...), "spec", "os", "name") == "windows" {
		return false
	}
	if len(path) > 0 {
		return true
	}
	_, mirror := at(manifest, "metadata", "annotations")["kubernetes.io/config.mirror"]
	return !mirror
}

// judgedOwner says that an object is made by a controller of a workload whose template the
// webhook has judged: it is asked only about the Pods then.
func judgedOwner(manifest map[string]any) bool {
	owner := controllerOf(manifest)
	kind, group := text(owner, "kind"), text(owner, "apiVersion")
	return kind == "Deployment" && strings.HasPrefix(group, "apps/") ||
		kind == "CronJob" && strings.HasPrefix(group, "batch/")
}
