//go:build system

package cluster

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// throttled is a workload with one certain and fixable error, HR202.
func throttled() string {
	return head("apps/v1", "Deployment") + selector + template(known+", headroom.dev/workload-class: latency-sensitive",
		"{requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: 600m, memory: 1Gi}}")
}

// A namespace's mode and whether it is mutated are felt within seconds of `kubectl label`.
func TestLabelsAreFeltAtOnce(t *testing.T) {
	namespace := cluster.Namespace(t, "headroom.dev/mode=off")
	warned := func(out plane.Output) bool { return out.Code == 0 && strings.Contains(out.Stderr, "Warning: [HR202]") }
	silent := func(out plane.Output) bool { return out.Code == 0 && out.Stderr == "" }
	refused := func(out plane.Output) bool { return out.Code == 1 && strings.Contains(out.Stderr, "headroom refuses") }
	for _, step := range []struct {
		label string
		want  func(plane.Output) bool
	}{
		{"headroom.dev/mode=off", silent},
		{"headroom.dev/mode=audit", silent},
		{"headroom.dev/mode=warn", warned},
		{"headroom.dev/mode=enforce", refused},
		// With mutation, what can be fixed is not refused.
		{"headroom.dev/mutate=enabled", warned},
		{"headroom.dev/mutate=disabled", refused},
		{"headroom.dev/mode=strict", warned}, // no such mode: the chart's default
		{"headroom.dev/mode-", warned},
	} {
		t.Run(step.label, func(t *testing.T) {
			cluster.Must(t, "label", "--overwrite", "namespace", namespace, step.label)
			began := time.Now()
			plane.Eventually(t, "the label to be felt", func() error {
				if out := cluster.Apply(namespace, throttled(), "--dry-run=server"); !step.want(out) {
					return fmt.Errorf("exit code %d: %s", out.Code, out.Stderr)
				}
				return nil
			})
			t.Logf("felt after %s", time.Since(began).Round(10*time.Millisecond))
		})
	}
}

// The audit log of the API server says what headroom found, in the mode that tells users nothing.
func TestAuditAnnotations(t *testing.T) {
	namespace := cluster.Namespace(t, "headroom.dev/mode=audit", "headroom.dev/mutate=enabled")
	if out := cluster.Apply(namespace, throttled()); out.Code != 0 || out.Stderr != "" {
		t.Fatalf("exit code %d: %s", out.Code, out.Stderr)
	}
	anyPod(t, namespace)
	want := []struct{ resource, key, value string }{
		{"deployments", "validate.headroom.dev/findings", "HR202 error app"},
		{"deployments", "validate.headroom.dev/mode", "audit"},
		{"pods", "mutate.headroom.dev/changed", "HR202 app"},
	}
	plane.Eventually(t, "the audit log to say it", func() error {
		events, err := cluster.AuditEvents(namespace)
		if err != nil {
			return err
		}
		for _, event := range events {
			if event.ObjectRef.Resource == "replicasets" && event.Annotations["validate.headroom.dev/mode"] != "" {
				t.Error("what a Deployment makes of a judged template is judged again")
			}
		}
		for _, w := range want {
			found := false
			for _, event := range events {
				found = found || event.ObjectRef.Resource == w.resource && strings.Contains(event.Annotations[w.key], w.value)
			}
			if !found {
				return fmt.Errorf("nothing about %s with %s: %s in %+v", w.resource, w.key, w.value, events)
			}
		}
		return nil
	})
}

// A CPU limit that a LimitRange puts into the Pod is put back after every webhook: it is
// left alone and named as the LimitRange's, at the workload already.
func TestLimitRange(t *testing.T) {
	namespace := cluster.Namespace(t, "headroom.dev/mode=warn", "headroom.dev/mutate=enabled")
	limits := "apiVersion: v1\nkind: LimitRange\nmetadata: {name: defaults}\n" +
		"spec: {limits: [{type: Container, default: {cpu: \"1\"}}]}\n"
	if out := cluster.KubectlAs("admin", limits, "apply", "-n", namespace, "-f", "-"); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	settle()
	out := cluster.Apply(namespace, head("apps/v1", "Deployment")+selector+
		template("headroom.dev/workload-class: latency-sensitive",
			"{requests: {cpu: 500m, memory: 512Mi}, limits: {memory: 1Gi}}"))
	if out.Code != 0 || !strings.Contains(out.Stderr, "LimitRange defaults") {
		t.Errorf("exit code %d, and no word of the LimitRange:\n%s", out.Code, out.Stderr)
	}
	pod := anyPod(t, namespace)
	resources := pod.Spec.Containers[0].Resources
	if resources.Limits.Cpu().String() != "1" || resources.Requests.Memory().String() != "1Gi" {
		t.Errorf("want the LimitRange's limits.cpu of 1, and requests.memory fixed to 1Gi:\n%s", summary(t, pod))
	}
	if strings.Contains(pod.Annotations[applied], "limits/cpu") {
		t.Errorf("a change that does not last is recorded: %s", pod.Annotations[applied])
	}
}

// A ResourceQuota counts the Pods as they were fixed, and may refuse them for it.
func TestResourceQuota(t *testing.T) {
	namespace := cluster.Namespace(t, "headroom.dev/mode=warn", "headroom.dev/mutate=enabled")
	cluster.Must(t, "create", "quota", "team", "--hard=requests.memory=5Gi", "-n", namespace)
	settle()
	deployment := head("apps/v1", "Deployment") + "  replicas: 3\n" + selector +
		template("headroom.dev/workload-class: latency-sensitive",
			"{requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 2Gi}}")
	if out := cluster.Apply(namespace, deployment); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	plane.Eventually(t, "the quota to be used", func() error {
		quota, err := cluster.Client.CoreV1().ResourceQuotas(namespace).Get(t.Context(), "team", metav1.GetOptions{})
		if err != nil {
			return err
		}
		if used := quota.Status.Used["requests.memory"]; used.String() != "4Gi" {
			return fmt.Errorf("requests.memory used is %s", used.String())
		}
		return nil
	})
	if pods := cluster.Pods(t, namespace, "app=shop", 2); len(pods) != 2 {
		t.Errorf("%d Pods of 2Gi fit into 5Gi", len(pods))
	}
}
