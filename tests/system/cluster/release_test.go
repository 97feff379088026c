//go:build system

package cluster

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// `helm test` as the chart's notes tell a user to run it: a Pod asks the API server whether
// it finds, trusts and obeys the webhook. It leaves nothing behind.
func TestHelmTest(t *testing.T) {
	out := cluster.Helm("test", plane.Release, "--namespace", plane.ReleaseNamespace, "--timeout", "10m")
	if out.Code != 0 || !strings.Contains(out.Stdout, "Succeeded") {
		t.Fatalf("exit code %d\n%s%s\n%s", out.Code, out.Stdout, out.Stderr, cluster.Diagnosis())
	}
	left := cluster.Must(t, "get", "pods,roles,rolebindings,serviceaccounts", "-n", plane.ReleaseNamespace, "-o", "name")
	if strings.Contains(left, "test") {
		t.Errorf("left behind:\n%s", left)
	}
}

// What `helm install` prints at its end: what to do next.
func TestNotes(t *testing.T) {
	notes := cluster.Helm("get", "notes", plane.Release, "--namespace", plane.ReleaseNamespace)
	if notes.Code != 0 {
		t.Fatal(notes.Stderr)
	}
	checkGolden(t, "notes.txt", notes.Stdout)
}

// Replicas follow their Pods: this is the harness that all other tests stand on.
func TestReplicasFollowTheirPods(t *testing.T) {
	deployment := "deployment/" + plane.WebhookName
	const namespace = "--namespace=" + plane.ReleaseNamespace
	names := func() []string {
		var names []string
		for _, replica := range cluster.Replicas() {
			names = append(names, replica.Pod)
		}
		return names
	}
	before := names()

	t.Run("scale", func(t *testing.T) {
		cluster.Must(t, "scale", deployment, "--replicas=3", namespace)
		cluster.Must(t, "rollout", "status", deployment, "--timeout=10m", namespace)
		if now := names(); len(now) != 3 || !slices.Contains(now, before[0]) || !slices.Contains(now, before[1]) {
			t.Errorf("of %v came %v", before, now)
		}
		// The third ends while the next tests run.
		cluster.Must(t, "scale", deployment, "--replicas=2", namespace)
	})

	// at is a replica that stays.
	at := func() plane.Replica {
		replicas := cluster.Replicas()
		return replicas[slices.IndexFunc(replicas, func(r plane.Replica) bool { return r.Pod == before[0] })]
	}

	t.Run("kill", func(t *testing.T) {
		replica := at()
		pid := replica.Process.PID()
		if err := replica.Kill(); err != nil {
			t.Fatal(err)
		}
		<-replica.Process.Exited()
		if err := cluster.WaitWebhook(t.Context()); err != nil {
			t.Fatal(err)
		}
		if again := replica.Process.PID(); again == 0 || again == pid {
			t.Errorf("process %d became %d", pid, again)
		}
		if !slices.Contains(names(), replica.Pod) {
			t.Errorf("its Pod is gone: %v", names())
		}
	})

	t.Run("delete", func(t *testing.T) {
		replica := at()
		cluster.Must(t, "delete", "pod", replica.Pod, "--wait=false", namespace)
		plane.Eventually(t, "the endpoint to be withdrawn", func() error {
			ready := cluster.Must(t, "get", "endpointslices", namespace, "-o",
				`jsonpath={range .items[*]}{.endpoints[0].targetRef.name}={.endpoints[0].conditions.ready} {end}`)
			return contains(ready, replica.Pod+"=false")
		})
		// preStop holds SIGTERM back: the API server still has connections.
		response, err := http.Get("http://" + replica.Probes + "/healthz")
		if err != nil {
			t.Fatalf("the process ended before its endpoint was withdrawn: %v", err)
		}
		_ = response.Body.Close()
		if err := cluster.WaitWebhook(t.Context()); err != nil {
			t.Fatal(err)
		}
		plane.Eventually(t, "the process to end", func() error {
			if replica.Process.Running() {
				return fmt.Errorf("it runs")
			}
			return nil
		})
	})

	t.Run("rollout", func(t *testing.T) {
		old := names()
		cluster.Must(t, "rollout", "restart", deployment, namespace)
		if err := cluster.WaitWebhook(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, name := range names() {
			if slices.Contains(old, name) {
				t.Errorf("%s is of the old rollout", name)
			}
		}
	})
}
