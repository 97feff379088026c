package assistant

import (
	"context"
	"errors"
	"fmt"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/explain"
	"github.com/headroom-dev/headroom/internal/size"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Cluster is the one cluster that a server may ask, by the flags of its start.
type Cluster struct {
	// Audit gives what an audit of a scope asks, and whom.
	Audit func(Scope) (audit.Options, error)
	// Measured is true where a Prometheus or VerticalPodAutoscalers say what containers use.
	Measured bool
}

// Scope is what of a cluster is judged.
type Scope struct {
	Namespace string // "" is that of the kubeconfig
	All       bool   // namespaces but Kubernetes' own
	Selector  string // of labels
}

type auditInput struct {
	Namespace string `json:"namespace,omitempty" jsonschema:"the namespace to judge; without it that of the kubeconfig"`
	All       bool   `json:"all_namespaces,omitempty" jsonschema:"judge all namespaces but Kubernetes' own"`
	Selector  string `json:"selector,omitempty" jsonschema:"label selector of the workloads to judge"`
	shown
}

func (s *server) audit(ctx context.Context, in auditInput) (string, error) {
	e, err := s.Engine(ctx)
	if err != nil {
		return "", err
	}
	o, err := s.Cluster.Audit(Scope{in.Namespace, in.All, in.Selector})
	if err != nil {
		return "", err
	}
	r, err := audit.Run(ctx, e, o)
	if err != nil {
		return "", err
	}
	if ctx.Err() != nil { // an audit reports what it has
		return "", ctx.Err()
	}
	return in.apply(r)
}

var errNoCluster = errors.New("this server may ask no cluster: it was started without --kubeconfig and --context")

// explainLive explains a workload that runs.
func (s *server) explainLive(
	ctx context.Context, e *engine.Engine, in explainInput, o explain.Options,
) (*explain.Report, error) {
	if s.Cluster == nil {
		return nil, errNoCluster
	}
	target, ok := explain.TargetOf(in.Workload)
	if !ok {
		return nil, fmt.Errorf("workload %q is not KIND/NAME of a workload, such as deploy/cart", in.Workload)
	}
	target.Namespace, o.Workload = in.Namespace, ""
	asked, err := s.Cluster.Audit(Scope{Namespace: in.Namespace})
	if err != nil {
		return nil, err
	}
	reader, err := cluster.New(cluster.Options{Config: asked.Config})
	if err != nil {
		return nil, err
	}
	return explain.Live(ctx, e, reader, target, o)
}

// sizeLive sizes what runs in a namespace.
func (s *server) sizeLive(ctx context.Context, e *engine.Engine, in sizeInput) (*size.Report, error) {
	switch {
	case s.Cluster == nil:
		return nil, errNoCluster
	case !s.Cluster.Measured:
		return nil, errors.New("what containers use is not known: the server needs --prometheus or --vpa to ask for it")
	}
	o, err := s.Cluster.Audit(Scope{Namespace: in.Namespace})
	if err != nil {
		return nil, err
	}
	r, err := size.Live(ctx, e, o)
	if err == nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return r, err
}
