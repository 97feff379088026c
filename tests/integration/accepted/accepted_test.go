//go:build integration

// Package accepted asks a real API server whether it takes what the fixes make of odd objects, by dry runs.
package accepted

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/apitest"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/search"
)

const (
	objects    = 15_000 // in `make search`
	namespaces = 40
)

var apiServer *apitest.Server

func TestMain(m *testing.M) {
	os.Exit(apitest.Run(m, func(s *apitest.Server) error { apiServer = s; return nil }))
}

// What the API server takes, it takes after a fix, too. Fixed are manifests, and objects as the webhook sees them: with the
// API server's defaults and those of LimitRanges.
func TestWhatIsFixedIsAccepted(t *testing.T) {
	seed := search.Seed(t, 20261128)
	random := &odd{rand.New(rand.NewPCG(seed, 1))}
	client, err := dynamic.NewForConfig(apiServer.Config)
	if err != nil {
		t.Fatal(err)
	}
	var around []*engine.Context
	for i := range namespaces {
		around = append(around, random.namespace(t, fmt.Sprintf("odd-%d", i)))
	}
	e := defaults.Engine(t)
	accepted, changed, why := 0, 0, map[string]int{}
	total := search.Rounds(objects)
	for i := range total {
		n := random.IntN(namespaces)
		object := random.object(fmt.Sprintf("odd-%d", n))
		create := func(object map[string]any) (map[string]any, error) { return dryRun(t.Context(), client, object) }
		defaulted, err := create(object)
		if err != nil {
			why[fmt.Sprintf("%.40s", err)]++
			continue
		}
		accepted++
		for _, given := range []map[string]any{object, defaulted} {
			fixed, err := e.Fix(t.Context(), engine.Review{Manifest: given, Around: around[n]})
			if err != nil {
				t.Fatal(err)
			}
			if fixed.Object == nil {
				continue
			}
			changed++
			if _, err := create(plain(t, fixed.Object)); err != nil {
				before, _ := json.Marshal(given)
				patch, _ := json.Marshal(fixed.Patch)
				t.Errorf("object %d of %d: %v\n%s\nbecomes invalid by %s", i, total, err, before, patch)
			}
		}
	}
	t.Logf("%d of %d objects are accepted, %d fixes were made", accepted, total, changed)
	for what, n := range why {
		t.Logf("%5d refused: %s", n, what)
	}
	if accepted < total/4 || changed < total/4 {
		t.Error("too few to tell")
	}
}

// dryRun creates an object, and the Pod of its template, which quotas and LimitRanges are about.
func dryRun(ctx context.Context, client dynamic.Interface, object map[string]any) (map[string]any, error) {
	resource := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	namespace, _, _ := unstructured.NestedString(object, "metadata", "namespace")
	if object["kind"] == "Deployment" {
		resource = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
		pod, _, _ := unstructured.NestedMap(object, "spec", "template")
		pod["apiVersion"], pod["kind"] = "v1", "Pod"
		for field, value := range map[string]string{"name": "odd", "namespace": namespace} {
			if err := unstructured.SetNestedField(pod, value, "metadata", field); err != nil {
				return nil, err
			}
		}
		if _, err := dryRun(ctx, client, pod); err != nil {
			return nil, err
		}
	}
	made, err := client.Resource(resource).Namespace(namespace).Create(ctx,
		&unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		return nil, err
	}
	return made.Object, nil
}

// plain is an object as a decoder makes one.
func plain(t *testing.T, object map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var out unstructured.Unstructured
	if err := out.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	return out.Object
}

// namespace makes a Namespace with a LimitRange, a quota, both or nothing, and tells what stands there.
func (o *odd) namespace(t *testing.T, name string) *engine.Context {
	t.Helper()
	client, err := kubernetes.NewForConfig(apiServer.Config)
	if err != nil {
		t.Fatal(err)
	}
	core, lists := client.CoreV1(), map[string][]map[string]any{}
	add := func(list, kind string, object any, err error) {
		if err != nil {
			t.Fatal(err)
		}
		fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
		if err != nil {
			t.Fatal(err)
		}
		fields["apiVersion"], fields["kind"] = "v1", kind
		lists[list] = append(lists[list], plain(t, fields))
	}
	made, err := core.Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	add("namespaces", "Namespace", made, err)
	if o.IntN(2) == 0 {
		limits := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "limits"}, Spec: corev1.LimitRangeSpec{Limits: o.limits()}}
		created, err := core.LimitRanges(name).Create(t.Context(), limits, metav1.CreateOptions{})
		add("limit_ranges", "LimitRange", created, err)
	}
	if o.IntN(3) == 0 {
		quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "quota"}, Spec: corev1.ResourceQuotaSpec{Hard: o.quota()}}
		created, err := core.ResourceQuotas(name).Create(t.Context(), quota, metav1.CreateOptions{})
		if err == nil {
			// No controller counts here: a part is used already.
			created.Status.Hard, created.Status.Used = created.Spec.Hard, o.used(created.Spec.Hard)
			created, err = core.ResourceQuotas(name).UpdateStatus(t.Context(), created, metav1.UpdateOptions{})
		}
		add("resource_quotas", "ResourceQuota", created, err)
	}
	around, err := engine.NewContext(name, lists)
	if err != nil {
		t.Fatal(err)
	}
	return around
}
