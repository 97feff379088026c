//go:build system

// Package faults breaks a running headroom in the ways that its webhook must survive: no
// wrong admission, no call that hangs, recovery without a person. Each test is named after
// its fault.
package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

var cluster *plane.Plane

// Production waits 5 seconds before the order to stop and 10 after it for endpoints to be
// withdrawn. Here they are withdrawn within milliseconds, and twenty rollouts would take half an
// hour. Without the first wait the order comes at once, while the API server still calls: the drain
// alone has to do.
func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{
		HelmArguments: []string{"--set", "preStopSeconds=0", "--set", "drainSeconds=3"},
	}, &cluster))
}

const (
	// timeout is that of each of our webhooks: one in each of the two phases of admission.
	timeout = 2 * time.Second
	// hung is what no call to the API server takes, on a slow machine either. For a webhook without a timeout the
	// API server waits 10 s.
	hung = 9 * time.Second
	// beat is how long a test lets the load run on.
	beat = time.Second
)

// fault prepares a test that breaks something: whatever it leaves broken is fixed, and
// the next test starts with two ready replicas.
func fault(t *testing.T) {
	t.Helper()
	t.Cleanup(func() {
		cluster.Restore(t)
		if t.Failed() {
			t.Log(cluster.Diagnosis())
		}
	})
}

// pods asks for Pods of a namespace.
func pods(t *testing.T, namespace string) []corev1.Pod {
	t.Helper()
	list, err := cluster.Client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return list.Items
}

// recovered waits for the replicas, which have to recover by themselves, and says how long it took.
func recovered(t *testing.T) time.Duration {
	t.Helper()
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if err := cluster.WaitWebhook(ctx); err != nil {
		t.Fatal(err)
	}
	return time.Since(began)
}

// healed waits until the API server has heard that all is well, from its own watches: until ten Pods in a row are
// judged. It gives the time after which all must go as in health.
func healed(t *testing.T, enforced string) time.Time {
	t.Helper()
	client := quiet(t)
	plane.Eventually(t, "Pods to be judged again", func() error {
		for range 10 {
			if o := create(t.Context(), client, enforced, wrong()); o.kind != judged {
				return fmt.Errorf("%s: %w", o.kind, o.err)
			}
		}
		return nil
	})
	return time.Now()
}

// notReady is nil where the replica's Pod is not ready.
func notReady(replica plane.Replica) error {
	if replica.Ready() {
		return errors.New(replica.Pod + " is still ready")
	}
	return nil
}

// readyz asks a replica's process whether it is ready.
func readyz(replica plane.Replica) (status int, text string, err error) {
	client := http.Client{Timeout: timeout}
	response, err := client.Get("http://" + replica.Probes + "/readyz")
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}
