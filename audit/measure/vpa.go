package measure

import (
	"context"
	"errors"

	"k8s.io/client-go/dynamic"

	"github.com/headroom-dev/headroom/audit/cluster"
)

// VPA is a Source that reads VerticalPodAutoscalers.
func VPA(client dynamic.Interface) Source { return &vpa{client} }

type vpa struct{ client dynamic.Interface }

func (v *vpa) Describe() string { return "VerticalPodAutoscalers" }

func (v *vpa) Namespace(context.Context, string, cluster.Owners) (Use, error) {
	return nil, errors.New("not measured")
}
