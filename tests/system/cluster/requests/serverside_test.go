//go:build system

package requests

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// serverSide is `kubectl apply --server-side` by a manager.
func serverSide(namespace, manager, manifest string) plane.Output {
	return cluster.Apply(namespace, manifest, "--server-side", "--field-manager="+manager)
}

// managers are who owns fields of an object.
func managers(entries []metav1.ManagedFieldsEntry) map[string]string {
	owners := map[string]string{}
	for _, entry := range entries {
		if entry.FieldsV1 != nil {
			owners[entry.Manager] += entry.FieldsV1.GetRawString()
		}
	}
	return owners
}

// F21: two managers apply the same Deployment, again and again, where its Pods are put
// right. Neither meets a conflict, as headroom changes no workload and owns no field.
func TestF21ServerSideApplyOfADeployment(t *testing.T) {
	for _, mode := range []string{warn, enforce} {
		namespace := cluster.Namespace(t, mode, mutate)
		deployment := manifest(t, wrong("a"), 1)
		for i := range 2 {
			for _, manager := range []string{"argo", "flux"} {
				out := serverSide(namespace, manager, deployment)
				if out.Code != 0 {
					t.Errorf("%s, the %d. time: %s", manager, i+1, out.Stderr)
				}
			}
		}
		live, err := cluster.Client.AppsV1().Deployments(namespace).Get(t.Context(), "shop", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if live.Generation != 1 || !limited(live.Spec.Template.Spec.Containers[0]) {
			t.Errorf("the Deployment is changed: generation %d", live.Generation)
		}
		owners := managers(live.ManagedFields)
		for manager, fields := range owners {
			if manager != "argo" && manager != "flux" && strings.Contains(fields, "f:template") {
				t.Errorf("%s owns %s", manager, fields)
			}
		}
		if !strings.Contains(owners["argo"], "f:limits") || !strings.Contains(owners["flux"], "f:limits") {
			t.Errorf("the managers own %v", owners)
		}
		if pod := cluster.Pods(t, namespace, "app=shop", 1)[0]; limited(pod.Spec.Containers[0]) {
			t.Error("the Pod is not fixed")
		}
	}
}

// The same with a bare Pod that has nothing to be fixed.
func TestF21ServerSideApplyOfAPod(t *testing.T) {
	namespace := cluster.Namespace(t, enforce, mutate)
	for i := range 2 {
		for _, manager := range []string{"argo", "flux"} {
			if out := serverSide(namespace, manager, text(t, right("a"))); out.Code != 0 || out.Stderr != "" {
				t.Errorf("%s, the %d. time: %s", manager, i+1, out.Stderr)
			}
		}
	}
}

// A bare Pod that was fixed is not what its file says any more, and the resources of a Pod cannot
// be changed. The API server refuses the same file, as it does with every webhook that changes bare
// Pods. headroom adds nothing to that, the Pod stays as it is, and a file that is right goes
// through.
func TestF21ServerSideApplyOfAPodThatWasPutRight(t *testing.T) {
	namespace := cluster.Namespace(t, enforce, mutate)
	first := serverSide(namespace, "argo", text(t, wrong("a")))
	if first.Code != 0 || !strings.Contains(first.Stderr, "removed limits.cpu 2") {
		t.Fatal(first.Stderr)
	}
	get := func() *corev1.Pod {
		live, err := cluster.Client.CoreV1().Pods(namespace).Get(t.Context(), "a", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return live
	}
	before := get()
	for manager := range managers(before.ManagedFields) {
		if manager != "argo" {
			t.Errorf("%s owns fields", manager)
		}
	}
	again := serverSide(namespace, "argo", text(t, wrong("a")))
	if again.Code == 0 || !strings.Contains(again.Stderr, "pod updates may not change fields") ||
		strings.Contains(again.Stderr, "headroom") {
		t.Errorf("exit code %d: %s", again.Code, again.Stderr)
	}
	if after := get(); after.ResourceVersion != before.ResourceVersion {
		t.Errorf("the Pod is changed: %s", text(t, after))
	}
	for range 2 {
		for _, manager := range []string{"argo", "flux"} {
			if out := serverSide(namespace, manager, text(t, right("a"))); out.Code != 0 {
				t.Errorf("%s: %s", manager, out.Stderr)
			}
		}
	}
	owners := managers(get().ManagedFields)
	if len(owners) != 2 || strings.Contains(owners["argo"], `"f:limits":{"f:cpu"`) {
		t.Errorf("the fields belong to %v", owners)
	}
}
