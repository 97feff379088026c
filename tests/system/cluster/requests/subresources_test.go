//go:build system

package requests

import (
	"context"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// node is the kubelet of a node.
func node(config *rest.Config) {
	config.Impersonate = rest.ImpersonationConfig{UserName: "system:node:node-a", Groups: []string{"system:nodes"}}
}

// mirror is what a kubelet shows of a static Pod.
func mirror() *corev1.Pod {
	pod := wrong("static-node-a")
	pod.Annotations[corev1.MirrorPodAnnotationKey] = "0123456789abcdef"
	pod.Annotations["kubernetes.io/config.source"] = "file"
	pod.Spec.NodeName = "node-a"
	return pod
}

func named(pod *corev1.Pod, name string) *corev1.Pod {
	pod.Name = name
	return pod
}

// F23: what a kubelet already runs cannot be changed, so its mirror Pods are left alone. Another user
// who writes their annotation gets a Pod that no kubelet runs, and cannot take the annotation off
// again.
func TestF23MirrorPod(t *testing.T) {
	namespace := cluster.Namespace(t, enforce, mutate)
	a := create(t.Context(), client(t, node), namespace, mirror(), false)
	if a.err != nil {
		t.Fatal(a.err)
	}
	if len(a.warnings) > 0 || a.pod.Annotations[applied] != "" || !limited(a.pod.Spec.Containers[0]) {
		t.Errorf("%q %s", a.warnings, text(t, a.pod))
	}
	// A tenant's word is not (M2), unless it makes a node the owner of its Pod, as a kubelet does.
	b := create(t.Context(), client(t), namespace, named(mirror(), "d"), true)
	if b.err != nil || b.pod.Annotations[applied] == "" {
		t.Errorf("a tenant's: %v", b.err)
	}
	owned := named(mirror(), "b")
	yes := true
	owned.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "Node", Name: "node-a", UID: "6a2ca8a7-0000-4000-8000-000000000000", Controller: &yes,
	}}
	b = create(t.Context(), client(t), namespace, owned, false)
	if b.err != nil || !limited(b.pod.Spec.Containers[0]) {
		t.Errorf("a tenant's, and a node's: %v", b.err)
	}
	out := cluster.Kubectl("annotate", "pod", "b", "-n", namespace, corev1.MirrorPodAnnotationKey+"-")
	if out.Code == 0 || !strings.Contains(out.Stderr, "may not remove or update mirror pod annotation") {
		t.Errorf("a Pod that nobody judged can run: %s", out.Stderr)
	}
	// A node's word is good for mirror Pods only.
	lie := named(mirror(), "c")
	delete(lie.Annotations, corev1.MirrorPodAnnotationKey)
	b = create(t.Context(), client(t, node), namespace, lie, true)
	if b.err != nil || b.pod.Annotations[applied] == "" {
		t.Errorf("a Pod that a node creates without the annotation: %v", b.err)
	}
}

// F23: limits of a Windows container are no cgroups; nothing here knows what is right.
func TestF23WindowsPod(t *testing.T) {
	namespace := cluster.Namespace(t, enforce, mutate)
	pod := wrong("a")
	pod.Spec.OS = &corev1.PodOS{Name: corev1.Windows}
	a := create(t.Context(), client(t), namespace, pod, false)
	if a.err != nil {
		t.Fatal(a.err)
	}
	if len(a.warnings) > 0 || a.pod.Annotations[applied] != "" || !limited(a.pod.Spec.Containers[0]) {
		t.Errorf("%q %s", a.warnings, text(t, a.pod))
	}
	// Who only says so gets a Pod that no Linux node runs, for good.
	out := cluster.Kubectl("patch", "pod", "a", "-n", namespace, "-p", `{"spec":{"os":{"name":"linux"}}}`)
	if out.Code == 0 || !strings.Contains(out.Stderr, "pod updates may not change fields") {
		t.Errorf("a Pod that nobody judged can run: %s", out.Stderr)
	}
	if out := cluster.Apply(namespace, manifest(t, pod, 0)); out.Code != 0 || out.Stderr != "" {
		t.Errorf("a Deployment of them: %s", out.Stderr)
	}
}

// F23: a sidecar among the init containers is judged and fixed as one, by its peak. An init
// container that ends is not held to what is right for a service.
func TestF23NativeSidecar(t *testing.T) {
	namespace := cluster.Namespace(t, enforce, mutate)
	always := corev1.ContainerRestartPolicyAlways
	pod := right("a")
	pod.Annotations["cpu-peak.headroom.dev/proxy"] = "400m"
	pod.Spec.InitContainers = []corev1.Container{
		{
			Name: "migrate", Image: "registry.example.com/migrate:1.0.0",
			Resources: corev1.ResourceRequirements{Requests: amounts("500m", "128Mi"), Limits: amounts("2", "128Mi")},
		},
		{
			Name: "proxy", Image: "registry.example.com/proxy:1.0.0", RestartPolicy: &always,
			Resources: corev1.ResourceRequirements{Requests: amounts("100m", "128Mi"), Limits: amounts("200m", "128Mi")},
		},
	}
	a := create(t.Context(), client(t), namespace, pod, false)
	if a.err != nil {
		t.Fatal(a.err)
	}
	migrate, proxy := a.pod.Spec.InitContainers[0], a.pod.Spec.InitContainers[1]
	limit := proxy.Resources.Limits[corev1.ResourceCPU]
	if limit.String() != "400m" ||
		!strings.Contains(a.pod.Annotations[applied], "/spec/initContainers/1/resources/limits/cpu") {
		t.Errorf("the sidecar is not fixed: %s", text(t, a.pod))
	}
	if *proxy.RestartPolicy != always {
		t.Error("the sidecar has become an init container")
	}
	if limit = migrate.Resources.Limits[corev1.ResourceCPU]; limit.String() != "2" {
		t.Errorf("the init container is changed: %s", text(t, migrate))
	}
	if len(a.pod.Spec.Containers) != 1 || limited(a.pod.Spec.Containers[0]) {
		t.Errorf("the container is changed: %s", text(t, a.pod))
	}
}

// F23: a resize is refused for what it brings, never for what was there before it, and is
// never changed: kubectl's word on running Pods holds.
func TestF23Resize(t *testing.T) {
	namespace := cluster.Namespace(t, off)
	java := right("java")
	delete(java.Annotations, "runtime.headroom.dev/app")
	java.Spec.Containers[0].Command = []string{"java", "-XX:MaxRAMPercentage=50", "-XX:ActiveProcessorCount=2", "-jar", "app.jar"}
	java.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: amounts("500m", "8Gi"), Limits: amounts("", "8Gi")}
	for _, pod := range []*corev1.Pod{right("right"), wrong("wrong"), java} {
		if a := create(t.Context(), client(t), namespace, pod, false); a.err != nil {
			t.Fatal(a.err)
		}
	}
	tighten(t, namespace)
	resize := func(pod, resources string) plane.Output {
		patch := `{"spec":{"containers":[{"name":"app","resources":` + resources + `}]}}`
		return cluster.Kubectl("patch", "pod", pod, "-n", namespace, "--subresource=resize", "-p", patch)
	}
	get := func(pod string) *corev1.Pod {
		live, err := cluster.Client.CoreV1().Pods(namespace).Get(t.Context(), pod, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return live
	}
	if out := resize("right", `{"requests":{"cpu":"750m"}}`); out.Code != 0 || len(out.Warnings()) > 0 {
		t.Errorf("more CPU: %s", out.Stderr)
	}
	if out := resize("right", `{"limits":{"cpu":"1"}}`); out.Code == 0 || !strings.Contains(out.Stderr, "[HR202]") {
		t.Errorf("a limit that was not there: exit code %d: %s", out.Code, out.Stderr)
	}
	out := resize("wrong", `{"limits":{"cpu":"3"}}`)
	if out.Code != 0 || !strings.Contains(out.Stderr, "[HR202]") {
		t.Errorf("another limit for the one that was there: exit code %d: %s", out.Code, out.Stderr)
	}
	limit := get("wrong").Spec.Containers[0].Resources.Limits[corev1.ResourceCPU]
	if limit.String() != "3" || get("wrong").Annotations[applied] != "" {
		t.Errorf("the resize is changed: %s", text(t, get("wrong")))
	}
	if limited(get("right").Spec.Containers[0]) {
		t.Error("what was refused is there")
	}

	// The JVM that runs was started for half of 8Gi.
	if out := resize("java", `{"requests":{"memory":"2Gi"},"limits":{"memory":"2Gi"}}`); out.Code == 0 || !strings.Contains(out.Stderr, "[HR606]") {
		t.Errorf("less memory than its heap: exit code %d: %s", out.Code, out.Stderr)
	}
	if out := resize("java", `{"requests":{"memory":"7Gi"},"limits":{"memory":"7Gi"}}`); out.Code != 0 {
		t.Errorf("as much as it was started for: exit code %d: %s", out.Code, out.Stderr)
	}
	if out := resize("java", `{"requests":{"memory":"9Gi"},"limits":{"memory":"9Gi"}}`); out.Code != 0 ||
		!strings.Contains(out.Stderr, "keeps its heap; ") || !strings.Contains(out.Stderr, "want: a restart") {
		t.Errorf("more memory than its heap can use: exit code %d: %s", out.Code, out.Stderr)
	}
}

// A resize under a running process: refused in enforce, warned of in warn, also if the updater of
// VerticalPodAutoscalers asks for it.
func TestResizeUnderARunningProcess(t *testing.T) {
	namespace := cluster.Namespace(t, off)
	batch := func(name string, command ...string) *corev1.Pod {
		pod := right(name)
		pod.Annotations = map[string]string{"headroom.dev/workload-class": "batch"}
		pod.Spec.Containers[0].Command = command
		pod.Spec.Containers[0].Resources = corev1.ResourceRequirements{
			Requests: amounts("1", "4Gi"), Limits: amounts("2", "4Gi"),
		}
		return pod
	}
	for _, pod := range []*corev1.Pod{
		batch("fixed", "java", "-Xmx3g", "-XX:ActiveProcessorCount=2", "-jar", "app.jar"),
		batch("counted", "java", "-Xmx1g", "-jar", "app.jar"),
		batch("node", "node", "--max-old-space-size-percentage=75", "app.js"),
	} {
		if a := create(t.Context(), client(t), namespace, pod, false); a.err != nil {
			t.Fatal(a.err)
		}
	}
	updater := client(t, func(config *rest.Config) {
		config.Impersonate = rest.ImpersonationConfig{
			UserName: "system:serviceaccount:kube-system:vpa-updater", Groups: []string{"system:masters"},
		}
	})
	const memory, processors = `{"requests":{"memory":"2Gi"},"limits":{"memory":"2Gi"}}`, `{"limits":{"cpu":"4"}}`
	resize := func(pod, resources string) (string, error) {
		var said heard
		patch := []byte(`{"spec":{"containers":[{"name":"app","resources":` + resources + `}]}}`)
		ctx := context.WithValue(t.Context(), heardKey{}, &said)
		_, err := updater.CoreV1().Pods(namespace).Patch(ctx, pod,
			types.StrategicMergePatchType, patch, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}}, "resize")
		return strings.Join(said.texts, "\n"), err
	}
	for _, c := range []struct{ pod, resources, says string }{
		{"fixed", memory, "is OOMKilled"},
		{"node", memory, "keeps its bound"},
	} {
		cluster.Must(t, "label", "--overwrite", "namespace", namespace, warn)
		settle()
		if said, err := resize(c.pod, c.resources); err != nil || !strings.Contains(said, "[HR606") {
			t.Errorf("%s in warn: %v, %s", c.pod, err, said)
		}
		tighten(t, namespace)
		if _, err := resize(c.pod, c.resources); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s in enforce: %v", c.pod, err)
		}
	}
	cluster.Must(t, "label", "--overwrite", "namespace", namespace, warn)
	settle()
	for pod, says := range map[string]string{
		"fixed":   "the running JVM still counts 2 processors",
		"counted": "keeps its threads for 2 processors",
	} {
		if said, err := resize(pod, processors); err != nil || !strings.Contains(said, says) {
			t.Errorf("other CPUs under %s: %v, %s", pod, err, said)
		}
	}
}

// F23: kubectl debug works in the strictest namespace, on right and wrong Pods; it brings a
// container without resources, which can have none.
func TestF23EphemeralContainers(t *testing.T) {
	namespace := cluster.Namespace(t, off)
	for _, pod := range []*corev1.Pod{right("right"), wrong("wrong")} {
		if a := create(t.Context(), client(t), namespace, pod, false); a.err != nil {
			t.Fatal(a.err)
		}
	}
	tighten(t, namespace)
	for _, name := range []string{"right", "wrong"} {
		out := cluster.Kubectl("debug", "pod/"+name, "-n", namespace, "--image=busybox:1.37",
			"--container=debugger", "--attach=false", "--", "sleep", "1")
		if out.Code != 0 || slices.ContainsFunc(out.Warnings(), func(w string) bool { return strings.Contains(w, "HR") }) {
			t.Errorf("kubectl debug pod/%s: exit code %d: %s", name, out.Code, out.Stderr)
		}
		pod, err := cluster.Client.CoreV1().Pods(namespace).Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(pod.Spec.EphemeralContainers) != 1 || pod.Annotations[applied] != "" {
			t.Errorf("%s", text(t, pod))
		}
	}
	// A copy of a Pod to debug is a new Pod.
	out := cluster.Kubectl("debug", "pod/wrong", "-n", namespace, "--copy-to=copy",
		"--set-image=app=busybox:1.37", "--attach=false")
	if out.Code != 0 || !strings.Contains(out.Stderr, "[HR202]") {
		t.Errorf("kubectl debug --copy-to: exit code %d: %s", out.Code, out.Stderr)
	}
}

// F23: a violating Deployment from before enforcement is scaled by people and by the
// autoscaler; the Pods that it makes are judged.
func TestF23Scale(t *testing.T) {
	namespace := cluster.Namespace(t, off)
	if out := cluster.Apply(namespace, manifest(t, wrong("a"), 1)); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	cluster.Pods(t, namespace, "app=shop", 1)
	tighten(t, namespace)
	cluster.Must(t, "scale", "deployment", "shop", "--replicas=3", "-n", namespace)
	right := 0
	for _, pod := range cluster.Pods(t, namespace, "app=shop", 3) {
		if !limited(pod.Spec.Containers[0]) && strings.Contains(pod.Annotations[applied], "HR202") {
			right++
		}
	}
	if right != 2 {
		t.Errorf("%d of the new Pods are fixed, want 2", right)
	}
	// Without mutation the new ones are refused, and the Deployment says why.
	cluster.Must(t, "label", "--overwrite", "namespace", namespace, "headroom.dev/mutate=disabled")
	settle()
	if out := cluster.Kubectl("scale", "deployment", "shop", "--replicas=4", "-n", namespace); out.Code != 0 {
		t.Errorf("the scale itself is refused: %s", out.Stderr)
	}
	plane.Eventually(t, "an Event that tells the rule", func() error {
		events := cluster.Must(t, "events", "-n", namespace, "--types=Warning")
		if strings.Contains(events, "headroom refuses Pod") && strings.Contains(events, "[HR202]") {
			return nil
		}
		return errNotYet
	})
	cluster.Must(t, "scale", "deployment", "shop", "--replicas=0", "-n", namespace)
	cluster.Pods(t, namespace, "app=shop", 0)
}
