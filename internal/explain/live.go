//go:build !js && !lean

package explain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Target is a workload in a cluster.
type Target struct {
	Kind            cluster.Kind
	Namespace, Name string
}

// TargetOf reads KIND/NAME; false where it is no such thing.
func TargetOf(argument string) (Target, bool) {
	kind, name, both := strings.Cut(argument, "/")
	known, ok := KindNamed(kind)
	return Target{Kind: known, Name: name}, both && ok && name != "" && !strings.Contains(name, "/")
}

// KindNamed finds a kind of workload by any name that kubectl knows it by.
func KindNamed(name string) (cluster.Kind, bool) {
	kind := kindNamed(name)
	at := slices.IndexFunc(cluster.Kinds, func(k cluster.Kind) bool { return k.Kind == kind })
	if at < 0 {
		return cluster.Kind{}, false
	}
	return cluster.Kinds[at], true
}

// Live explains a workload that runs, with what stands around it in its namespace.
func Live(ctx context.Context, e *engine.Engine, reader *cluster.Reader, t Target, o Options) (*Report, error) {
	found, err := reader.Get(ctx, t.Kind, t.Namespace, t.Name)
	if err != nil {
		return nil, fmt.Errorf("get %s %s in namespace %s: %w", t.Kind.Kind, t.Name, t.Namespace, cause(err))
	}
	r, err := newRunner(ctx, e, o)
	if err != nil {
		return nil, err
	}
	around, err := r.around(ctx, reader, t.Namespace, found)
	if err != nil {
		return nil, err
	}
	if err := r.object(ctx, object{manifest: found.Manifest}, around); err != nil {
		return nil, err
	}
	if len(r.report.Workloads) == 0 && len(r.report.Problems) == 0 {
		return nil, r.nothing()
	}
	if owner := found.Controller; owner != nil && len(r.report.Workloads) > 0 {
		r.report.Workloads[0].Notes = []string{fmt.Sprintf(
			"It was made by %s %s: what is to be changed is changed there.", owner.Kind, owner.Name)}
	}
	return &r.report, nil
}

// around reads the Namespace, its LimitRanges and ResourceQuotas, and the ConfigMaps that the
// workload takes variables from. What may not be read is a problem, and the rest is used.
func (r *runner) around(
	ctx context.Context, reader *cluster.Reader, namespace string, o *cluster.Object,
) (*engine.Context, error) {
	lost := func(verb string, k cluster.Kind, err error) {
		if err != nil && ctx.Err() == nil {
			r.problem("", 0, fmt.Errorf("%s %s of namespace %s: %w; they are not considered",
				verb, k.Resource, namespace, cause(err)))
		}
	}
	list := func(k cluster.Kind) []*cluster.Object {
		var all []*cluster.Object
		lost("list", k, reader.Each(ctx, k, namespace, func(o *cluster.Object) error {
			all = append(all, o)
			return nil
		}))
		return all
	}
	itself, err := reader.Get(ctx, cluster.Namespaces, "", namespace)
	lost("get", cluster.Namespaces, err)
	ranges, quotas := list(cluster.LimitRanges), list(cluster.ResourceQuotas)
	variables := cluster.NewVariables(reader, func(string) {
		r.report.Notes = append(r.report.Notes, "its ConfigMaps may not be read, so what they hold is not known")
	})
	maps, err := variables.Named(ctx, namespace, engine.ConfigMapsNamed(o.Manifest))
	lost("get", cluster.ConfigMaps, err)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	around, err := cluster.Around(namespace, itself, ranges, quotas, nil)
	if err != nil {
		return nil, err
	}
	return around.With(cluster.Manifests(maps))
}

// cause says in words what an API server says in many.
func cause(err error) error {
	switch {
	case apierrors.IsNotFound(err):
		return errors.New("not found")
	case apierrors.IsForbidden(err):
		return errors.New("your role does not allow it")
	case apierrors.IsUnauthorized(err):
		return errors.New("the API server does not know who asks (Unauthorized): log in again, or name another --context")
	}
	return err
}
