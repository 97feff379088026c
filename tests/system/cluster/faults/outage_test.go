//go:build system

package faults

import (
	"errors"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// F2: both replicas are gone. Only namespaces that asked for it wait for them.
func TestF2BothKilled(t *testing.T) {
	fault(t)
	enforce := cluster.Namespace(t, "headroom.dev/mode=enforce", "headroom.dev/mutate=enabled")
	open := map[string]string{
		"unlabelled": cluster.Namespace(t),
		"off":        cluster.Namespace(t, "headroom.dev/mode=off"),
		"audit":      cluster.Namespace(t, "headroom.dev/mode=audit", "headroom.dev/mutate=enabled"),
		"warn":       cluster.Namespace(t, "headroom.dev/mode=warn", "headroom.dev/mutate=enabled"),
		"system":     metav1.NamespaceSystem,
		"own":        plane.ReleaseNamespace,
	}
	// A label does not make the cluster's own namespaces wait.
	for _, excluded := range []string{metav1.NamespaceSystem, plane.ReleaseNamespace} {
		cluster.Must(t, "label", "namespace", excluded, "headroom.dev/mode=enforce", "headroom.dev/mutate=enabled")
	}
	t.Cleanup(func() {
		for _, excluded := range []string{metav1.NamespaceSystem, plane.ReleaseNamespace} {
			cluster.Kubectl("label", "namespace", excluded, "headroom.dev/mode-", "headroom.dev/mutate-")
		}
	})
	// A workload that is there, and loses its Pod during the outage.
	if out := cluster.Apply(enforce, deployment("before")); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	cluster.Pods(t, enforce, "app=before", 1)
	cluster.HoldRestarts(true)
	for _, replica := range cluster.Replicas() {
		if err := replica.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	client := quiet(t)
	for _, pod := range []*corev1.Pod{right(), wrong()} {
		o := create(t.Context(), client, enforce, pod)
		if o.kind != closed || o.took > hung {
			t.Errorf("enforce: %s after %s: %v", o.kind, o.took, o.err)
		}
	}
	cluster.Must(t, "delete", "pod", "--namespace", enforce, "--selector", "app=before")
	for name, namespace := range open {
		pod := wrong()
		// Nothing here shall play the kubelet for it.
		pod.Spec.NodeName = "node-a"
		o := create(t.Context(), client, namespace, pod)
		if o.kind != admitted || o.took > hung {
			t.Errorf("%s: %s after %s: %v", name, o.kind, o.took, o.err)
		}
	}
	out := cluster.Apply(enforce, deployment("later"))
	if out.Code == 0 || !strings.Contains(out.Stderr, "enforce.headroom.dev") {
		t.Errorf("enforce, a Deployment: exit code %d: %s", out.Code, out.Stderr)
	}
	if left := pods(t, enforce); len(left) != 0 {
		t.Errorf("enforce: %d Pods are there", len(left))
	}
	// The webhook's own Pods can be replaced meanwhile: they do not wait for themselves.
	cluster.Must(t, "delete", "pod", "--namespace", plane.ReleaseNamespace, "--wait=false",
		"--selector", "app.kubernetes.io/component=webhook")
	t.Logf("replaced after %s", recovered(t).Round(100*time.Millisecond))
	cluster.HoldRestarts(false)
	plane.Eventually(t, "the enforced namespace to work again", func() error {
		return create(t.Context(), client, enforce, right()).err
	})
	if o := create(t.Context(), client, enforce, wrong()); o.kind != mutated {
		t.Errorf("enforce, later: %s: %v", o.kind, o.err)
	}
	// The ReplicaSet tries again by itself.
	cluster.Pods(t, enforce, "app=before", 1)
}

// deployment is one without an error.
func deployment(name string) string { return strings.ReplaceAll(deploymentOfApp, "app0", name) }

const deploymentOfApp = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: app0
spec:
  selector:
    matchLabels: {app: app0}
  template:
    metadata:
      labels: {app: app0}
      annotations:
        headroom.dev/workload-class: latency-sensitive
    spec:
      containers:
        - name: app
          image: registry.example.com/app:1.0.0
          resources:
            requests: {cpu: 500m, memory: 256Mi}
            limits: {memory: 256Mi}
`

// F4: a replica, then both, are alive but do not answer. The API server waits its 2 seconds
// and no longer.
func TestF4FrozenReplicas(t *testing.T) {
	fault(t)
	t.Run("one, under load", func(t *testing.T) {
		fault(t)
		l := startLoad(t, 20)
		time.Sleep(time.Second)
		victim := cluster.Replicas()[0]
		broken := window{from: time.Now()}
		if err := victim.Freeze(); err != nil {
			t.Fatal(err)
		}
		plane.Eventually(t, "the frozen replica to be taken out", func() error {
			return notReady(victim)
		})
		t.Logf("taken out after %s", time.Since(broken.from).Round(100*time.Millisecond))
		// Connections from before are tried once each.
		broken.to = healed(t, l.streams[1].namespace).Add(timeout)
		// The kubelet asks /healthz six times, ten seconds apart, and restarts it.
		frozen := victim.Process.PID()
		plane.Eventually(t, "the frozen process to be replaced", func() error {
			if now := victim.Process.PID(); now == 0 || now == frozen {
				return errors.New("it is the old one")
			}
			return nil
		})
		recovered(t)
		t.Logf("replaced after %s", time.Since(broken.from).Round(100*time.Millisecond))
		time.Sleep(time.Second)
		// A Pod may meet the frozen replica in both phases.
		l.end(t, hung, broken)
	})
	t.Run("both", func(t *testing.T) {
		fault(t)
		warn := cluster.Namespace(t, "headroom.dev/mode=warn")
		mutate := cluster.Namespace(t, "headroom.dev/mode=warn", "headroom.dev/mutate=enabled")
		enforce := cluster.Namespace(t, "headroom.dev/mode=enforce")
		replicas := cluster.Replicas()
		for _, replica := range replicas {
			if err := replica.Freeze(); err != nil {
				t.Fatal(err)
			}
		}
		unanswered(t, warn, mutate, enforce)
		for _, replica := range replicas {
			if err := replica.Thaw(); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("ready again after %s", recovered(t).Round(100*time.Millisecond))
		back(t, mutate, enforce)
	})
}

// unanswered says what becomes of a creation when no webhook answers. The API server waits for one timeout in each
// phase in which the namespace has a webhook of ours, and never for a second one: it counts its calls.
func unanswered(t *testing.T, warn, mutate, enforce string) {
	t.Helper()
	type test struct {
		name, namespace, kind string
		phases                float64
	}
	tests := []test{
		{"warn", warn, admitted, 1},
		{"warn with mutation", mutate, admitted, 2},
		{"enforce", enforce, closed, 1},
	}
	client := quiet(t)
	before, expected := calls(t), 0.0
	results := make([]chan outcome, len(tests))
	for i, test := range tests {
		results[i] = make(chan outcome, 1)
		go func() { results[i] <- create(t.Context(), client, test.namespace, wrong()) }()
	}
	for i, test := range tests {
		expected += test.phases
		o := <-results[i]
		t.Logf("%s: %s after %s", test.name, o.kind, o.took.Round(time.Millisecond))
		if o.kind != test.kind {
			t.Errorf("%s: %s: %v", test.name, o.kind, o.err)
		}
		if o.took > hung {
			t.Errorf("%s: took %s, more than %s", test.name, o.took, hung)
		}
	}
	if made := calls(t) - before; made != expected {
		t.Errorf("%v calls of our webhooks, want %v: one in each phase", made, expected)
	}
}

// calls are those that the API server has made of our webhooks, answered or not.
func calls(t *testing.T) float64 {
	t.Helper()
	return counted(t, "apiserver_admission_webhook_admission_duration_seconds_count", ".headroom.dev\"")
}

// back says that both ways of using headroom work again.
func back(t *testing.T, mutate, enforce string) {
	t.Helper()
	client := quiet(t)
	plane.Eventually(t, "right Pods to be let in", func() error {
		return create(t.Context(), client, enforce, right()).err
	})
	if o := create(t.Context(), client, mutate, wrong()); o.kind != mutated {
		t.Errorf("with mutation, later: %s: %v", o.kind, o.err)
	}
	if o := create(t.Context(), client, enforce, wrong()); o.kind != judged {
		t.Errorf("enforce, later: %s: %v", o.kind, o.err)
	}
}
