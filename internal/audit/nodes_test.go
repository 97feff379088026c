package audit

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/policies/engine"
)

func podOn(t *testing.T, text string) *cluster.Object {
	t.Helper()
	var manifest map[string]any
	if err := yaml.Unmarshal([]byte(text), &manifest); err != nil {
		t.Fatal(err)
	}
	pod, err := cluster.FromManifest(cluster.Pods, manifest)
	if err != nil {
		t.Fatal(err)
	}
	return pod
}

// What the scheduler counts of a Pod (PodRequests, of k8s.io/component-helpers).
func TestRequested(t *testing.T) {
	for text, want := range map[string]int64{
		`{}`: 0,
		`{containers: [{resources: {requests: {cpu: 500m}}}, {resources: {requests: {cpu: "1"}}}, {}]}`:                                                                             1500,
		`{containers: [{resources: {requests: {cpu: 500m}}}], initContainers: [{resources: {requests: {cpu: "2"}}}]}`:                                                               2000,
		`{containers: [{resources: {requests: {cpu: 500m}}}], initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 100m}}}]}`:                                       600,
		`{containers: [{resources: {requests: {cpu: 500m}}}], initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 100m}}}, {resources: {requests: {cpu: "1"}}}]}`:  1100,
		`{containers: [{resources: {requests: {cpu: 500m}}}], initContainers: [{resources: {requests: {cpu: 550m}}}, {restartPolicy: Always, resources: {requests: {cpu: 100m}}}]}`: 600,
		`{overhead: {cpu: 250m}, containers: [{resources: {requests: {cpu: 500m}}}]}`:                                                                                               750,
		`{overhead: {cpu: 250m}, resources: {requests: {cpu: "3"}}, containers: [{resources: {requests: {cpu: 500m}}}]}`:                                                            3250,
		`{resources: {requests: {memory: 1Gi}}, containers: [{resources: {requests: {cpu: 500m}}}]}`:                                                                                500,
		`{containers: [{resources: {requests: {cpu: many}}}, {resources: {requests: {cpu: "-1"}}}, {resources: none}, none], initContainers: none, overhead: 7, resources: [1]}`:    0,
	} {
		var spec map[string]any
		if err := yaml.Unmarshal([]byte(text), &spec); err != nil {
			t.Fatal(err)
		}
		if got := requested(spec); got != want {
			t.Errorf("%s: %d m, want %d", text, got, want)
		}
	}
}

func TestFullest(t *testing.T) {
	n := newNodes()
	for _, text := range []string{
		`{metadata: {name: web-5d9c-a, namespace: shop, labels: {pod-template-hash: 5d9c}, ownerReferences: [{kind: ReplicaSet, name: web-5d9c, controller: true}]},
		  spec: {nodeName: a, containers: [{resources: {requests: {cpu: "1"}}}]}}`,
		`{metadata: {name: web-5d9c-b, namespace: shop, labels: {pod-template-hash: 5d9c}, ownerReferences: [{kind: ReplicaSet, name: web-5d9c, controller: true}]},
		  spec: {nodeName: b, containers: [{resources: {requests: {cpu: "1"}}}]}}`,
		`{metadata: {name: db-0, namespace: shop, ownerReferences: [{kind: StatefulSet, name: db, controller: true}]},
		  spec: {nodeName: b, containers: [{resources: {requests: {cpu: "2"}}}]}}`,
		`{metadata: {name: done, namespace: shop}, spec: {nodeName: b, containers: [{resources: {requests: {cpu: "8"}}}]}, status: {phase: Succeeded}}`,
		`{metadata: {name: waits, namespace: shop}, spec: {containers: [{resources: {requests: {cpu: "8"}}}]}}`,
		`{metadata: {name: alone, namespace: shop}, spec: {nodeName: c, containers: [{}]}}`,
		`{metadata: {name: own, namespace: shop, ownerReferences: [{kind: ReplicaSet, name: own-1, controller: true}]}, spec: {nodeName: a, containers: [{}]}}`,
	} {
		n.add(podOn(t, text))
	}
	n.allocatable[n.numberOf("a")], n.allocatable[n.numberOf("b")] = 4000, 4000
	deployment := cluster.Key{Kind: "Deployment", Namespace: "shop", Name: "web"}
	want := engine.Node{Name: "b", Requested: 3000, Allocatable: 4000, Of: 2}
	for key, known := range map[cluster.Key]bool{
		deployment: true,
		{Kind: "Rollout", Namespace: "shop", Name: "web"}:     true,
		{Kind: "StatefulSet", Namespace: "shop", Name: "web"}: false,
		{Kind: "Deployment", Namespace: "other", Name: "web"}: false,
		{Kind: "Deployment", Namespace: "shop", Name: "own"}:  false, // its ReplicaSet has no owner
		{Kind: "Pod", Namespace: "shop", Name: "alone"}:       false, // of node c nothing is known
		{Kind: "Pod", Namespace: "shop", Name: "waits"}:       false,
	} {
		got, ok := n.fullest(key)
		if ok != known || ok && got != want {
			t.Errorf("%v: %+v, %t", key, got, ok)
		}
	}
	if got, _ := n.fullest(cluster.Key{Kind: "StatefulSet", Namespace: "shop", Name: "db"}); got.Name != "b" || got.Of != 1 {
		t.Errorf("%+v", got)
	}
	// The first by name of two that are equally full, in whatever order they are looked at.
	n.asked[n.numberOf("a")] = 3000
	for range 20 {
		if got, _ := n.fullest(deployment); got.Name != "a" {
			t.Fatalf("%+v", got)
		}
	}
}
