//go:build system

package faults

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// F1: a replica is killed without a warning, under load. Where mutation has the last word
// nothing is refused; where enforcement has it nothing unjudged gets in.
func TestF1KilledReplica(t *testing.T) {
	fault(t)
	l := startLoad(t, 30)
	var broken []window
	for i := range 4 {
		time.Sleep(time.Second)
		victim := cluster.Replicas()[i%2]
		now := time.Now()
		if err := victim.Kill(); err != nil {
			t.Fatal(err)
		}
		<-victim.Process.Exited()
		// Its connections went with it, and its endpoint goes when the kubelet knows: what
		// was under way then may fail, and nothing later.
		broken = append(broken, window{from: now, to: healed(t, l.streams[1].namespace)})
		time.Sleep(beat)
		t.Logf("ready again after %s", (time.Since(now) + recovered(t)).Round(100*time.Millisecond))
	}
	time.Sleep(time.Second)
	l.end(t, hung, broken...)
}

// restarts is how often all replicas are replaced in F3.
const restarts = 20

// F3: all replicas are replaced again and again, at fifty Pods a second, and no client notices.
func TestF3RollingRestart(t *testing.T) {
	fault(t)
	l := startLoad(t, 50)
	for i := range restarts {
		rollout(t, fmt.Sprint("restart-", i))
	}
	time.Sleep(time.Second)
	l.end(t, hung)
}

// rollout restarts as `kubectl rollout restart` does, and waits until the new replicas are
// ready. The old may still be draining then.
func rollout(t *testing.T, mark string) {
	t.Helper()
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"template": map[string]any{
		"metadata": map[string]any{"annotations": map[string]any{"kubectl.kubernetes.io/restartedAt": mark}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	deployments := cluster.Client.AppsV1().Deployments(plane.ReleaseNamespace)
	_, err = deployments.Patch(t.Context(), plane.WebhookName, types.StrategicMergePatchType, patch, metav1.PatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	plane.Eventually(t, "the rollout", func() error {
		d, err := deployments.Get(t.Context(), plane.WebhookName, metav1.GetOptions{})
		if err != nil {
			return err
		}
		want, status := *d.Spec.Replicas, d.Status
		if status.ObservedGeneration < d.Generation || status.UpdatedReplicas != want ||
			status.Replicas != want || status.AvailableReplicas != want {
			return fmt.Errorf("%d replicas, %d updated, %d available",
				status.Replicas, status.UpdatedReplicas, status.AvailableReplicas)
		}
		return nil
	})
}
