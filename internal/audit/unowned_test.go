package audit

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
)

// podsOnly is an API server that has Pods and a Namespace, and that counts what it is asked.
type podsOnly struct {
	pods      []corev1.Pod
	forbidden string // a path
	mu        sync.Mutex
	asked     map[string]int
}

func (s *podsOnly) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	partial := strings.Contains(r.Header.Get("Accept"), "PartialObjectMetadataList")
	name, one := strings.CutPrefix(r.URL.Path, "/api/v1/namespaces/shop/pods/")
	s.mu.Lock()
	switch {
	case one:
		s.asked["get"]++
	case r.URL.Path == "/api/v1/pods" && partial:
		s.asked["metadata"]++
	case r.URL.Path == "/api/v1/pods":
		s.asked["list"]++
	}
	s.mu.Unlock()
	var answer any
	switch {
	case r.URL.Path == s.forbidden:
		w.WriteHeader(http.StatusForbidden)
		answer = metav1.Status{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
			Reason: metav1.StatusReasonForbidden, Code: http.StatusForbidden,
		}
	case one:
		i := slices.IndexFunc(s.pods, func(p corev1.Pod) bool { return p.Name == name })
		if i < 0 || name == "a-gone" {
			w.WriteHeader(http.StatusNotFound)
			answer = metav1.Status{
				TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusFailure,
				Reason: metav1.StatusReasonNotFound, Code: http.StatusNotFound,
			}
			break
		}
		answer = s.pods[i]
	case partial:
		list := metav1.PartialObjectMetadataList{
			TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList"},
		}
		if r.URL.Path == "/api/v1/pods" {
			for i := range s.pods {
				list.Items = append(list.Items, metav1.PartialObjectMetadata{ObjectMeta: s.pods[i].ObjectMeta})
			}
		}
		answer = list
	case r.URL.Path == "/api/v1/pods":
		answer = corev1.PodList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PodList"}, Items: s.pods}
	default:
		answer = map[string]any{"metadata": map[string]any{}, "items": []any{}}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

func podNamed(name string, phase corev1.PodPhase, owner ...string) corev1.Pod {
	p := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop"}, Status: corev1.PodStatus{Phase: phase}}
	p.Spec.Containers = []corev1.Container{{Name: "app", Image: "a:1"}}
	if len(owner) > 0 {
		yes := true
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: owner[0], Kind: owner[1], Name: owner[2], Controller: &yes}}
	}
	return p
}

// somePodsOf are Pods of a ReplicaSet, and some that no workload speaks for, in the order of a list.
func somePodsOf(managed int) []corev1.Pod {
	mirror := podNamed("mirror", corev1.PodRunning, "v1", "Node", "one")
	mirror.Annotations = map[string]string{"kubernetes.io/config.mirror": "x"}
	pods := []corev1.Pod{
		podNamed("alone", corev1.PodRunning), podNamed("done", corev1.PodSucceeded),
		podNamed("kafka-0", corev1.PodRunning, "core.strimzi.io/v1beta2", "StrimziPodSet", "kafka"),
		podNamed("kafka-1", corev1.PodRunning, "core.strimzi.io/v1beta2", "StrimziPodSet", "kafka"),
		podNamed("kafka-2", corev1.PodFailed, "core.strimzi.io/v1beta2", "StrimziPodSet", "kafka"),
		mirror,
	}
	for i := range managed {
		pods = append(pods, podNamed(fmt.Sprintf("web-1-%04d", i), corev1.PodRunning, "apps/v1", "ReplicaSet", "web-1"))
	}
	return pods
}

// Pods are listed once, unless that may miss some or would ask for too many one by one; the verdicts are the same.
func TestPodsAreListedOnce(t *testing.T) {
	e := defaults.Engine(t)
	gone := append([]corev1.Pod{podNamed("a-gone", corev1.PodRunning)}, somePodsOf(60)...)
	for name, c := range map[string]struct {
		server *podsOnly
		want   map[string]int
	}{
		"once":                        {&podsOnly{pods: somePodsOf(60)}, map[string]int{"list": 1, "get": 2}},
		"a Pod that is gone":          {&podsOnly{pods: gone}, map[string]int{"list": 1, "get": 3}},
		"a kind that is not listed":   {&podsOnly{pods: somePodsOf(60), forbidden: "/apis/apps/v1/daemonsets"}, map[string]int{"list": 1, "metadata": 1, "get": 6}},
		"many that are of nobody":     {&podsOnly{pods: somePodsOf(0)}, map[string]int{"list": 2, "metadata": 1, "get": 1}},
		"Pods that may not be listed": {&podsOnly{pods: somePodsOf(60), forbidden: "/api/v1/pods"}, map[string]int{"list": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.server
			s.asked = map[string]int{}
			server := httptest.NewServer(s)
			defer server.Close()
			r, err := Run(t.Context(), e, Options{Config: &rest.Config{Host: server.URL}, All: true})
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, w := range r.Workloads {
				found = append(found, fmt.Sprintf("%s %s %d", w.Resource.Kind, w.Resource.Name, w.Replicas))
			}
			slices.Sort(found)
			want := []string{"Pod alone 1", "Pod mirror 1", "StrimziPodSet kafka 2"}
			if s.forbidden == "/api/v1/pods" {
				want = nil
			}
			if !slices.Equal(found, want) {
				t.Errorf("%q are judged, not %q; problems: %v", found, want, r.Problems)
			}
			if s.forbidden == "" && len(r.Problems) > 0 {
				t.Errorf("problems: %v", r.Problems)
			}
			if !reflect.DeepEqual(s.asked, c.want) {
				t.Errorf("asked %v, not %v", s.asked, c.want)
			}
		})
	}
}

// What is kept of Pods is bounded, however large their annotations are.
func TestUnownedIsBounded(t *testing.T) {
	var u unowned
	node := &metav1.OwnerReference{APIVersion: "v1", Kind: "Node", Name: "one"}
	yes := true
	node.Controller = &yes
	for i := range 200 {
		u.add(&cluster.Object{
			Kind: cluster.Pods, Namespace: "a", Name: fmt.Sprint(i), Controller: node,
			Annotations: map[string]string{"a": strings.Repeat("x", 1<<18)},
		})
	}
	if u.pods != nil || !u.again || u.kept > maxUnowned+1<<20 {
		t.Errorf("%d Pods are kept, of %d bytes", len(u.pods), u.kept)
	}
}
