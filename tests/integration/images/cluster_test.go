//go:build integration

package images

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// TestRunningImages: the tag has moved since the Pod started, and what runs is what its node reported.
func TestRunningImages(t *testing.T) {
	r := passwords(t)
	first := image(t, "amd64", orders)
	r.push(t, first)
	digest, err := first.Digest()
	if err != nil {
		t.Fatal(err)
	}
	moved := orders
	moved.Entrypoint = []string{"sleep", "infinity"}
	r.push(t, image(t, "amd64", moved))

	cluster, err := plane.Start(t.Context(), plane.Options{NoWebhook: true, Binary: binary})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	namespace := cluster.Namespace(t)
	started(t, cluster, namespace, r.host+"/team/orders:1", r.host+"/team/orders@"+digest.String())
	started(t, cluster, namespace, r.host+"/team/none:1", "sha256:"+strings.Repeat("0", 64))

	dir := t.TempDir()
	reach := []string{"--kubeconfig", cluster.Kubeconfig, "-n", namespace, "--registry-ca", r.authority}
	run := func(wanted int, arguments ...string) (out, said string) {
		t.Helper()
		out, said, code := r.headroom(t, dir, append(arguments, reach...)...)
		if code != wanted {
			t.Fatalf("headroom %q: exit code %d, not %d\n%s%s", arguments, code, wanted, out, said)
		}
		return out, said
	}
	table, said := run(0, "images")
	if !strings.Contains(table, "entrypoint  java -Xmx2g") || !strings.Contains(table, digest.String()) {
		t.Errorf("not what runs:\n%s", table)
	}
	if strings.Count(said, "/team/none:1: the registry has no such image") != 1 {
		t.Errorf("an image that is not there: %s", said)
	}
	if lock, said := run(2, "images", "lock", "-o", "-"); lock != "" || !strings.Contains(said, "no lock is written") {
		t.Errorf("a lock without an image that runs:\n%s%s", lock, said)
	}
	out, _ := run(1, "audit", "--images", "-o", "json", "--no-progress")
	if rules(t, out)["HR304"] == "" {
		t.Errorf("audit --images finds no HR304:\n%s", out)
	}
	out, _ = run(0, "audit", "-o", "json", "--no-progress")
	if rules(t, out)["HR304"] != "" {
		t.Errorf("audit without images finds HR304:\n%s", out)
	}
	if _, _, code := r.headroom(t, dir, append([]string{"images", "deploy", "-A"}, reach...)...); code != 2 {
		t.Errorf("files and -A together: exit code %d", code)
	}
}

// started makes a Pod whose node has pulled the image.
func started(t *testing.T, cluster *plane.Plane, namespace, image, id string) {
	t.Helper()
	pods := cluster.Client.CoreV1().Pods(namespace)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "orders-"}}
	pod.Annotations = map[string]string{"headroom.dev/workload-class": "latency-sensitive"}
	pod.Spec.Containers = []corev1.Container{{Name: "orders", Image: image}}
	memory, cpu := resource.MustParse("1Gi"), resource.MustParse("500m")
	pod.Spec.Containers[0].Resources = corev1.ResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceCPU: cpu, corev1.ResourceMemory: memory},
		Limits:   corev1.ResourceList{corev1.ResourceMemory: memory},
	}
	pod, err := pods.Create(t.Context(), pod, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "orders", Image: image, ImageID: id}}
	if _, err := pods.UpdateStatus(t.Context(), pod, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}
