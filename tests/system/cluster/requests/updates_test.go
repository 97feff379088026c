//go:build system

package requests

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

const finalizer = "example.com/hold"

// tighten turns a namespace with wrong objects in it into a strict one.
func tighten(t *testing.T, namespace string) {
	t.Helper()
	cluster.Must(t, "label", "--overwrite", "namespace", namespace, enforce, mutate)
	settle()
}

// F22: an existing Pod that was never fixed takes labels, annotations and finalizers,
// and loses them, also while it is being deleted. Nothing of it is changed on the way.
func TestF22UpdatesOfAPod(t *testing.T) {
	namespace := cluster.Namespace(t, off)
	pods := client(t).CoreV1().Pods(namespace)
	pod := wrong("a")
	pod.Finalizers = []string{finalizer}
	if a := create(t.Context(), client(t), namespace, pod, false); a.err != nil {
		t.Fatal(a.err)
	}
	err := pods.Bind(t.Context(), &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: "a"}, Target: corev1.ObjectReference{Kind: "Node", Name: "node-a"},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	merge := func(patch string, subresource ...string) (*corev1.Pod, []string, error) {
		var h heard
		changed, err := pods.Patch(with(t, &h), "a", types.MergePatchType, []byte(patch),
			metav1.PatchOptions{}, subresource...)
		return changed, h.texts, err
	}
	if _, _, err = merge(`{"status":{"phase":"Running"}}`, "status"); err != nil {
		t.Fatal(err)
	}
	tighten(t, namespace)
	patch := func(patch string) {
		t.Helper()
		changed, warnings, err := merge(patch)
		if err != nil {
			t.Fatalf("%s: %v", patch, err)
		}
		if len(warnings) > 0 || changed.Annotations[applied] != "" || !limited(changed.Spec.Containers[0]) {
			t.Errorf("%s: %q %s", patch, warnings, text(t, changed))
		}
	}
	patch(`{"metadata":{"labels":{"team":"shop"}}}`)
	patch(`{"metadata":{"annotations":{"headroom.dev/workload-class":"batch"}}}`)
	patch(`{"metadata":{"finalizers":["` + finalizer + `","example.com/second"]}}`)
	patch(`{"spec":{"activeDeadlineSeconds":600}}`)
	if err := pods.Delete(t.Context(), "a", metav1.DeleteOptions{GracePeriodSeconds: new(int64)}); err != nil {
		t.Fatal(err)
	}
	patch(`{"metadata":{"labels":{"team":null}}}`)
	patch(`{"metadata":{"finalizers":["` + finalizer + `"]}}`)
	if _, _, err := merge(`{"metadata":{"finalizers":null}}`); err != nil {
		t.Fatal(err)
	}
	plane.Eventually(t, "the Pod to be gone", func() error {
		_, err := pods.Get(t.Context(), "a", metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return errStillThere
	})
}

// F22: a Deployment that enforcement would refuse takes labels, finalizers and replicas,
// deletes its Pods and goes, finalizers and all. A change of its template is judged.
func TestF22UpdatesOfADeployment(t *testing.T) {
	namespace := cluster.Namespace(t, off)
	bad := strings.Replace(manifest(t, wrong("a"), 1), `"name":"shop"`, `"name":"shop","finalizers":["`+finalizer+`"]`, 1)
	if out := cluster.Apply(namespace, bad); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	cluster.Must(t, "label", "--overwrite", "namespace", namespace, enforce)
	settle()
	deployment := "deployment/shop"
	for _, command := range [][]string{
		{"label", deployment, "team=shop"},
		{"annotate", deployment, "example.com/note=1"},
		{"scale", deployment, "--replicas=2"},
		{"rollout", "pause", deployment},
		{"rollout", "resume", deployment},
		{"patch", deployment, "--type=merge", "-p", `{"metadata":{"finalizers":["` + finalizer + `","example.com/second"]}}`},
		{"patch", deployment, "--type=merge", "-p", `{"spec":{"revisionHistoryLimit":2}}`},
		{"patch", deployment, "--subresource=status", "--type=merge", "-p", `{"status":{"observedGeneration":1}}`},
	} {
		if out := cluster.Kubectl(append(command, "-n", namespace)...); out.Code != 0 {
			t.Errorf("%v: %s", command, out.Stderr)
		}
	}
	restart := cluster.Kubectl("rollout", "restart", deployment, "-n", namespace)
	if restart.Code == 0 || !strings.Contains(restart.Stderr, "[HR202]") {
		t.Errorf("a new template with the old error is let in: %s", restart.Stderr)
	}
	claim := cluster.Kubectl("annotate", deployment, "headroom.dev/cpu-average=5m", "-n", namespace)
	if claim.Code == 0 || !strings.Contains(claim.Stderr, "[HR202]") {
		t.Errorf("what headroom goes by is changed unjudged: %s", claim.Stderr)
	}
	cluster.Must(t, "delete", deployment, "-n", namespace, "--wait=false")
	for _, patch := range []string{
		`{"metadata":{"labels":{"team":null}}}`, `{"metadata":{"finalizers":["` + finalizer + `"]}}`,
		`{"metadata":{"annotations":{"headroom.dev/cpu-average":"5m"}}}`, `{"metadata":{"finalizers":null}}`,
	} {
		out := cluster.Kubectl("patch", deployment, "--type=merge", "-p", patch, "-n", namespace)
		if out.Code != 0 {
			t.Errorf("being deleted, %s: %s", patch, out.Stderr)
		}
	}
	plane.Eventually(t, "the Deployment and its Pods to be gone", func() error {
		if left := cluster.Must(t, "get", "deployments,replicasets,pods", "-n", namespace, "-o", "name"); left != "" {
			return errStillThere
		}
		return nil
	})
}

// A namespace with wrong objects in it can be deleted while the webhook is strict (W39).
func TestF22DeletedNamespace(t *testing.T) {
	namespace := cluster.Namespace(t, off)
	if out := cluster.Apply(namespace, manifest(t, wrong("a"), 1)); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	cluster.Pods(t, namespace, "app=shop", 1)
	tighten(t, namespace)
	cluster.Must(t, "delete", "namespace", namespace, "--timeout=10m")
}
