package audit

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

const somePods = `
apiVersion: v1
kind: PodList
metadata: {resourceVersion: "7"}
items:
- metadata:
    name: a
    namespace: shop
    labels: {pod-template-hash: 5d9c}
    ownerReferences:
    - {apiVersion: v1, kind: Other, name: other, uid: u1}
    - {apiVersion: apps/v1, kind: ReplicaSet, name: web-5d9c, uid: u2, controller: true}
  spec:
    nodeName: one
    overhead: {cpu: 250m, memory: 1Gi}
    initContainers:
    - {name: once, resources: {requests: {cpu: "1"}}}
    - {name: mesh, restartPolicy: Always, resources: {requests: {cpu: 100m}}}
    containers:
    - {name: app, resources: {requests: {cpu: "1.5", memory: 1Gi}, limits: {cpu: "4"}}}
    - {name: bare}
  status:
    phase: Running
    initContainerStatuses:
    - {name: once, state: {terminated: {reason: Completed, exitCode: 0, finishedAt: "2026-01-02T03:04:05Z"}}}
    containerStatuses:
    - name: app
      imageID: example.com/app@sha256:00
      state: {running: {startedAt: "2026-01-02T03:04:05Z"}}
      lastState: {terminated: {reason: OOMKilled, exitCode: 137, finishedAt: "2026-01-02T03:04:05Z"}}
- metadata: {name: b, namespace: shop}
  spec: {nodeName: two, resources: {requests: {cpu: "3"}}, containers: [{name: app, resources: {requests: {cpu: 500m}}}]}
- metadata: {name: c, namespace: shop}
  spec: {nodeName: two, containers: [{name: app, resources: {requests: {cpu: "8"}}}]}
  status: {phase: Failed}
- metadata: {name: d, namespace: shop}
  spec: {containers: [{name: app, resources: {requests: {cpu: "8"}}}]}
`

// podServer answers with somePods, in protobuf where that is asked for and it has it. The first answers break off.
func podServer(t *testing.T, hasProtobuf bool, broken int32) (*cluster.Reader, *atomic.Int32) {
	t.Helper()
	var pods corev1.PodList
	if err := yaml.UnmarshalStrict([]byte(somePods), &pods); err != nil {
		t.Fatal(err)
	}
	var answered, inProtobuf atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/pods" {
			_, _ = w.Write([]byte(`{"metadata":{},"items":[]}`))
			return
		}
		var text strings.Builder
		var err error
		kind := "application/json"
		if hasProtobuf && strings.Contains(r.Header.Get("Accept"), "protobuf") {
			kind = "application/vnd.kubernetes.protobuf"
			err = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(&pods, &text)
			inProtobuf.Add(1)
		} else {
			err = json.NewEncoder(&text).Encode(&pods)
		}
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", kind)
		answer := text.String()
		if answered.Add(1) <= broken {
			w.Header().Set("Content-Length", "100000")
			answer = answer[:len(answer)/2]
		}
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(server.Close)
	reader, err := cluster.New(cluster.Options{Config: &rest.Config{Host: server.URL}})
	if err != nil {
		t.Fatal(err)
	}
	// Nothing is tried twice before the API server has answered.
	if err := reader.Each(context.Background(), cluster.Nodes, "", func(*cluster.Object) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return reader, &inProtobuf
}

// Read in protobuf, or in JSON by the same types, Pods say what they say as whole objects.
func TestPodsInProtobuf(t *testing.T) {
	type seen struct {
		Nodes    nodes
		Statuses [][]cluster.ContainerStatus
		Runners  []cluster.Key
		Finished []bool
	}
	look := func(each func(func(*cluster.Object) error) error) seen {
		s := seen{Nodes: newNodes()}
		err := each(func(pod *cluster.Object) error {
			s.Nodes.add(pod)
			s.Statuses = append(s.Statuses, pod.Statuses)
			s.Runners = append(s.Runners, runner(pod))
			s.Finished = append(s.Finished, pod.Finished)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ctx := context.Background()
	for name, c := range map[string]struct {
		protobuf bool
		broken   int32
	}{"protobuf": {true, 0}, "JSON": {false, 0}, "cut off": {true, 1}} {
		t.Run(name, func(t *testing.T) {
			r, inProtobuf := podServer(t, c.protobuf, c.broken)
			got := look(func(visit func(*cluster.Object) error) error { return r.EachPod(ctx, "", visit) })
			want := look(func(visit func(*cluster.Object) error) error { return r.Each(ctx, cluster.Pods, "", visit) })
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if asked := want.Nodes.asked; len(want.Runners) != 4 || !reflect.DeepEqual(asked, []int64{1850, 3000}) {
				t.Errorf("%d Pods, nodes are asked for %v", len(want.Runners), asked)
			}
			if c.protobuf != (inProtobuf.Load() > 0) {
				t.Errorf("%d answers in protobuf", inProtobuf.Load())
			}
		})
	}
}
