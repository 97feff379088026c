//go:build system

package cluster

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

const applied = "headroom.dev/applied"

// The Pod that comes out of each bad sample, where Pods are fixed: what was changed in
// it and what is recorded about that. Without mutation it is as the template has it.
func TestWrongSamplesPutRight(t *testing.T) {
	for _, file := range samples(t, "wrong") {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			namespace := "pods-" + name
			sample := read(t, file, namespace)
			sample.furnish(t, namespace, "headroom.dev/mutate=enabled", "headroom.dev/mode=warn")
			if out := cluster.Apply(namespace, sample.workloads); out.Code != 0 {
				t.Fatal(out.Stderr)
			}
			if name == "nginx-proxy" {
				refusedByLimitRange(t, namespace)
				return
			}
			if name == "nightly-report" {
				startJob(t, namespace, "nightly-report")
			}
			checkGolden(t, filepath.Join("pods", name+".json"), summary(t, anyPod(t, namespace)))
		})
	}
}

// HR208 of this sample: the LimitRange's limit is below the request, and is put back into
// the Pod after every webhook. Neither side may loop over it.
func refusedByLimitRange(t *testing.T, namespace string) {
	t.Helper()
	plane.Eventually(t, "the ReplicaSet to be refused its Pods", func() error {
		list, err := cluster.Client.AppsV1().ReplicaSets(namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		for _, set := range list.Items {
			for _, condition := range set.Status.Conditions {
				if strings.Contains(condition.Message, "must be less than or equal to cpu limit of 500m") {
					return nil
				}
			}
		}
		return fmt.Errorf("no such condition yet")
	})
}

func startJob(t *testing.T, namespace, cronjob string) {
	t.Helper()
	out := cluster.KubectlAs(plane.Developer, "", "create", "job", "by-hand", "--from=cronjob/"+cronjob, "-n", namespace)
	if out.Code != 0 {
		t.Fatal(out.Stderr)
	}
}

// anyPod waits for the Pods of each Deployment and takes the one whose name sorts first.
func anyPod(t *testing.T, namespace string) corev1.Pod {
	t.Helper()
	var pod corev1.Pod
	plane.Eventually(t, "a Pod in "+namespace, func() error {
		list, err := cluster.Client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		deployments, err := cluster.Client.AppsV1().Deployments(namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			return err
		}
		owners := map[string]bool{}
		for _, pod := range list.Items {
			for _, owner := range pod.OwnerReferences {
				owners[owner.Name] = true
			}
		}
		if len(list.Items) == 0 || len(owners) < len(deployments.Items) {
			return fmt.Errorf("%d of %d Deployments have some", len(owners), len(deployments.Items))
		}
		pod = list.Items[0]
		return nil
	})
	return pod
}

// summary is what headroom looks at in a Pod, and what it recorded.
func summary(t *testing.T, pod corev1.Pod) string {
	t.Helper()
	type container struct {
		Name      string                      `json:"name"`
		Resources corev1.ResourceRequirements `json:"resources"`
		Env       []corev1.EnvVar             `json:"env,omitempty"`
	}
	var shown struct {
		Class      string          `json:"class,omitempty"`
		Containers []container     `json:"containers"`
		Applied    json.RawMessage `json:"applied,omitempty"`
	}
	shown.Class = pod.Annotations["headroom.dev/workload-class"]
	for _, c := range append(pod.Spec.InitContainers, pod.Spec.Containers...) {
		shown.Containers = append(shown.Containers, container{c.Name, c.Resources, c.Env})
	}
	if record := pod.Annotations[applied]; record != "" {
		shown.Applied = json.RawMessage(record)
	}
	text, err := json.MarshalIndent(shown, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// A good workload comes through the strictest namespace without a word and without a change.
func TestGoodSamples(t *testing.T) {
	if out := criticalService(); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	for _, file := range samples(t, "") {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			namespace := "good-" + name
			sample := read(t, file, namespace)
			sample.furnish(t, namespace, "headroom.dev/mutate=enabled", "headroom.dev/mode=enforce")
			out := cluster.Apply(namespace, sample.workloads)
			if out.Code != 0 || out.Stderr != "" {
				t.Fatalf("kubectl exits with %d and says\n%s", out.Code, out.Stderr)
			}
			if name == "nightly-report" {
				startJob(t, namespace, "nightly-report")
			}
			if record, found := anyPod(t, namespace).Annotations[applied]; found {
				t.Errorf("the Pod is changed: %s", record)
			}
		})
	}
}

// Where mutation is not asked for, as fresh from the chart, nothing is changed.
func TestNothingChangedByDefault(t *testing.T) {
	namespace := cluster.Namespace(t)
	sample := read(t, filepath.Join(cluster.Root(), "samples", "wrong", "article-service.yaml"), namespace)
	out := cluster.Apply(namespace, sample.workloads)
	if out.Code != 0 || len(ours(out)) == 0 {
		t.Errorf("exit code %d, %d warnings; want 0 and some:\n%s", out.Code, len(ours(out)), out.Stderr)
	}
	pod := anyPod(t, namespace)
	if _, found := pod.Annotations[applied]; found || pod.Spec.Containers[0].Resources.Limits.Cpu().String() != "2" {
		t.Errorf("the Pod is changed:\n%s", summary(t, pod))
	}
}
