package audit

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
)

// nodes knows how much CPU the Pods of each node ask for, and which nodes each workload is on. It keeps a name and two
// numbers a node, and a number for each node of each workload.
type nodes struct {
	number map[string]int
	names  []string
	asked  []int64 // millicores
	on     map[cluster.Key]map[int]bool
	// whole: the Pods of all namespaces were seen. Fewer Pods do not tell how full a node is.
	whole bool
	// allocatable is in millicores; a node without one is not there.
	allocatable map[int]int64
	// largest is the most that a node has for Pods, in millicores and bytes; 0 is not known.
	largest engine.Room
}

func newNodes() nodes {
	return nodes{number: map[string]int{}, on: map[cluster.Key]map[int]bool{}, allocatable: map[int]int64{}}
}

func (n *nodes) numberOf(name string) int {
	i, known := n.number[name]
	if !known {
		i = len(n.asked)
		n.number[name], n.names, n.asked = i, append(n.names, name), append(n.asked, 0)
	}
	return i
}

// add takes in a Pod.
func (n *nodes) add(pod *cluster.Object) {
	spec, _ := pod.Manifest["spec"].(map[string]any)
	name, _ := spec["nodeName"].(string)
	if name == "" || pod.Finished {
		return
	}
	i := n.numberOf(name)
	n.asked[i] += requested(spec)
	owner := runner(pod)
	if n.on[owner] == nil {
		n.on[owner] = map[int]bool{}
	}
	n.on[owner][i] = true
}

// runner is the workload of a Pod, as far as the Pod itself tells: its controller. A ReplicaSet with a template's
// hash in its name stands for what makes ReplicaSets under the rest of that name.
func runner(pod *cluster.Object) cluster.Key {
	c := pod.Controller
	if c == nil {
		return cluster.Key{Kind: pod.Kind.Kind, Namespace: pod.Namespace, Name: pod.Name}
	}
	if c.Kind == "ReplicaSet" {
		for _, label := range []string{"pod-template-hash", "rollouts-pod-template-hash"} {
			if name, made := strings.CutSuffix(c.Name, "-"+pod.Labels[label]); made && name != "" {
				return cluster.Key{Kind: ofReplicaSets, Namespace: pod.Namespace, Name: name}
			}
		}
	}
	return cluster.Key{Kind: c.Kind, Namespace: pod.Namespace, Name: c.Name}
}

// ofReplicaSets is not the name of a kind, so it cannot collide with one.
const ofReplicaSets = "(of ReplicaSets)"

// besides are the kinds that own their Pods directly, without a ReplicaSet.
var besides = map[string]bool{
	"StatefulSet": true, "DaemonSet": true, "Job": true, "CronJob": true, "Pod": true, "ReplicationController": true,
}

// requested is what the scheduler counts of a Pod, in millicores. That is what its containers ask for together or, if
// that is more, an init container with the sidecars that were started before it. The Pod's own request goes before
// these.
func requested(spec map[string]any) int64 {
	overhead := milli(spec["overhead"])
	if resources, _ := spec["resources"].(map[string]any); resources != nil {
		if own := milli(resources["requests"]); own > 0 {
			return own + overhead
		}
	}
	var sidecars, most, together int64
	for _, c := range list(spec["initContainers"]) {
		asked := requestOf(c)
		if c["restartPolicy"] == "Always" {
			sidecars += asked
			asked = 0
		}
		most = max(most, sidecars+asked)
	}
	for _, c := range list(spec["containers"]) {
		together += requestOf(c)
	}
	return max(most, sidecars+together) + overhead
}

func list(value any) []map[string]any {
	entries, _ := value.([]any)
	var objects []map[string]any
	for _, entry := range entries {
		if object, ok := entry.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}

func requestOf(container map[string]any) int64 {
	resources, _ := container["resources"].(map[string]any)
	return milli(resources["requests"])
}

// milli is the CPU of a list of resources in millicores; 0 if it has no CPU.
func milli(resources any) int64 {
	values, _ := resources.(map[string]any)
	text, _ := values["cpu"].(string)
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return 0
	}
	return max(0, q.MilliValue())
}

// bytesOf is the memory of a list of resources; 0 if it has none.
func bytesOf(resources map[string]any) int64 {
	text, _ := resources["memory"].(string)
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return 0
	}
	return max(0, q.Value())
}

// readNodes reads what each node has for Pods. Without it the price of a fix leaves the nodes out, and no request is
// compared with the largest.
func (a *auditor) readNodes(ctx context.Context) {
	if !a.nodes.whole || ctx.Err() != nil || a.missing.away() {
		return
	}
	a.progress.begin(cluster.Nodes.Resource)
	err := a.reader.Each(ctx, cluster.Nodes, "", func(o *cluster.Object) error {
		if has := milli(o.Allocatable); has > 0 {
			a.nodes.allocatable[a.nodes.numberOf(o.Name)] = has
			a.nodes.largest.Millicores = max(a.nodes.largest.Millicores, has)
		}
		a.nodes.largest.Bytes = max(a.nodes.largest.Bytes, bytesOf(o.Allocatable))
		return nil
	})
	switch {
	case forbidden(err):
		a.missing.noNodes()
	case err != nil && ctx.Err() == nil:
		a.missing.failed("list", cluster.Nodes, "", err)
	}
}

// fullest is the fullest of the nodes that a workload is on, as the policies read it; false where that is not known.
func (n *nodes) fullest(of cluster.Key) (engine.Node, bool) {
	on := n.on[of]
	if on == nil && !besides[of.Kind] {
		on = n.on[cluster.Key{Kind: ofReplicaSets, Namespace: of.Namespace, Name: of.Name}]
	}
	best := -1
	for i := range on {
		if n.allocatable[i] == 0 {
			return engine.Node{}, false // the fullest may be the one of which nothing is known
		}
		if best < 0 || n.fuller(i, best) {
			best = i
		}
	}
	if best < 0 {
		return engine.Node{}, false
	}
	return engine.Node{Name: n.names[best], Requested: n.asked[best], Allocatable: n.allocatable[best], Of: len(on)}, true
}

// fuller compares two nodes; of two that are equally full, the first by name counts as fuller.
func (n *nodes) fuller(i, than int) bool {
	one, other := float64(n.asked[i])/float64(n.allocatable[i]), float64(n.asked[than])/float64(n.allocatable[than])
	return one > other || one == other && n.names[i] < n.names[than]
}
