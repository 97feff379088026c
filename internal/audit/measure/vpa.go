package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

const (
	sourceVPA = "VerticalPodAutoscaler"
	// pageSize is how many objects are read at once.
	pageSize = 500
	// history is for how long the recommender remembers samples: eight days.
	history = 8 * 24 * time.Hour
)

var (
	autoscaling = schema.GroupVersion{Group: "autoscaling.k8s.io", Version: "v1"}
	autoscalers = autoscaling.WithResource("verticalpodautoscalers")
	checkpoints = autoscaling.WithResource("verticalpodautoscalercheckpoints")
)

// VPA is a Source that reads what VerticalPodAutoscalers recommend, in any update mode.
func VPA(client dynamic.Interface) Source { return &vpa{client: client, now: time.Now} }

type vpa struct {
	client dynamic.Interface
	now    func() time.Time
}

func (v *vpa) Describe() string { return "recommendations of VerticalPodAutoscalers" }

func (v *vpa) Namespace(ctx context.Context, namespace string, _ cluster.Owners) (Use, error) {
	use := Use{}
	kept := map[place]checkpoint{} // the key is the autoscaler
	failedCheckpoints := v.each(ctx, checkpoints, namespace, func(object *unstructured.Unstructured) {
		of, read := readCheckpoint(object)
		kept[of] = read
	})
	failed := v.each(ctx, autoscalers, namespace, func(object *unstructured.Unstructured) {
		kind, _, _ := unstructured.NestedString(object.Object, "spec", "targetRef", "kind")
		name, _, _ := unstructured.NestedString(object.Object, "spec", "targetRef", "name")
		recommended, _, _ := unstructured.NestedSlice(object.Object,
			"status", "recommendation", "containerRecommendations")
		if kind == "" || name == "" {
			return
		}
		for _, entry := range recommended {
			one, _ := entry.(map[string]any)
			container, _ := one["containerName"].(string)
			if container == "" {
				continue
			}
			m := Unknown(sourceVPA)
			m.CPUAverage, m.MemoryPeak = recommendation(one, len(recommended))
			m.Samples, m.Age, m.Window = -1, -1, history
			if c, ok := kept[place{autoscalerKey(namespace, object.GetName()), container}]; ok {
				m.Samples, m.Age, m.Window = c.seen(v.now())
				m.Seen = m.Window // from its first sample to its last
			}
			put(use, cluster.Key{Kind: kind, Namespace: namespace, Name: name}, container, m)
		}
	})
	if failed != nil {
		// Without autoscalers their checkpoints do not matter.
		return use, failed
	}
	return use, failedCheckpoints
}

// each reads the objects of a kind page by page.
func (v *vpa) each(
	ctx context.Context, kind schema.GroupVersionResource, namespace string, take func(*unstructured.Unstructured),
) error {
	options := metav1.ListOptions{Limit: pageSize}
	for {
		list, err := v.client.Resource(kind).Namespace(namespace).List(ctx, options)
		if apierrors.IsResourceExpired(err) && options.Continue != "" {
			// The pages are too old to go on with: what follows is read as it is now.
			options.Limit, options.Continue = 0, ""
			continue
		}
		if err != nil {
			return explainList(kind, err)
		}
		for i := range list.Items {
			take(&list.Items[i])
		}
		if options.Continue = list.GetContinue(); options.Continue == "" {
			return nil
		}
	}
}

func explainList(kind schema.GroupVersionResource, err error) error {
	switch {
	case apierrors.IsNotFound(err), meta.IsNoMatchError(err):
		return fmt.Errorf("the cluster has no %s: is the Vertical Pod Autoscaler installed? Its CRDs are not",
			kind.GroupResource())
	case apierrors.IsForbidden(err):
		return fmt.Errorf("not allowed to list %s: the audit's role needs get and list of them", kind.GroupResource())
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("list %s: %w", kind.GroupResource(), err)
	}
	return fmt.Errorf("list %s: %s", kind.GroupResource(), clean(err.Error()))
}

func autoscalerKey(namespace, name string) cluster.Key {
	return cluster.Key{Kind: sourceVPA, Namespace: namespace, Name: name}
}
