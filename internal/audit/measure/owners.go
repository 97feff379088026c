package measure

import (
	"context"
	"fmt"

	"github.com/prometheus/common/model"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

// maxChain is more controllers than stand above any Pod.
const maxChain = 4

// owners finds the workload of every Pod that was measured. It looks in the cluster. For a Pod that
// is gone and whose name tells nothing it uses what kube-state-metrics said of it.
func (n *survey) owners(
	ctx context.Context, known *inventory, answers map[string]values, live cluster.Owners,
) map[string]cluster.Key {
	found, gone := map[string]cluster.Key{}, map[string]bool{}
	for _, answer := range answers {
		for of := range answer {
			if _, done := found[of.pod]; done || gone[of.pod] || of.pod == "" {
				continue
			}
			if key, ok := live.Of(of.pod); ok {
				found[of.pod] = key
			} else {
				gone[of.pod] = true
			}
		}
	}
	if len(gone) == 0 || !known.has(metricPodOwner) {
		return found
	}
	up := n.recorded(ctx)
	for pod := range gone {
		at := cluster.Key{Kind: "Pod", Namespace: n.namespace, Name: pod}
		for range maxChain {
			next, controlled := up[at]
			if !controlled {
				break
			}
			at = next
		}
		if at.Kind != "Pod" {
			found[pod] = at
		}
	}
	return found
}

// recorded is who controlled what in the window, one level up.
func (n *survey) recorded(ctx context.Context) map[cluster.Key]cluster.Key {
	up := map[cluster.Key]cluster.Key{}
	for _, level := range []struct{ metric, kind, label string }{
		{metricPodOwner, "Pod", "pod"},
		{metricReplicaSetOwner, "ReplicaSet", "replicaset"},
		{metricJobOwner, "Job", "job_name"},
	} {
		query := fmt.Sprintf(`group by (%s, owner_kind, owner_name) (last_over_time(%s{namespace=%s%s}[%s]))`,
			level.label, level.metric, quoted(n.namespace), n.matchers, Words(n.window))
		vector, failed := n.vector(ctx, query, n.now)
		if failed != nil {
			n.miss("whose Pods some were that have ended", failed.text)
			continue
		}
		for _, sample := range vector {
			kind, name := sample.Metric["owner_kind"], sample.Metric["owner_name"]
			if kind == "" || name == "" || kind == "<none>" || kind == "Node" {
				continue
			}
			self := cluster.Key{
				Kind: level.kind, Namespace: n.namespace, Name: string(sample.Metric[model.LabelName(level.label)]),
			}
			up[self] = cluster.Key{Kind: string(kind), Namespace: n.namespace, Name: string(name)}
		}
	}
	return up
}
