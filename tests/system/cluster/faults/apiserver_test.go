//go:build system

package faults

import (
	"strings"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// F12: the API server is restarted under load. What it refuses while it is away does not count.
// The webhook's processes live on and follow the cluster again.
func TestF12APIServerRestart(t *testing.T) {
	fault(t)
	before := map[string]int{}
	for _, replica := range cluster.Replicas() {
		before[replica.Pod] = replica.Process.PID()
	}
	l := startLoad(t, 20)
	for _, s := range l.streams {
		s.legal = append(s.legal, failed)
	}
	time.Sleep(time.Second)
	away := window{from: time.Now(), waits: true}
	if err := cluster.APIServer.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := cluster.WaitHealthy(t.Context()); err != nil {
		t.Fatal(err)
	}
	healthy := time.Now()
	t.Logf("the API server was away for %s", healthy.Sub(away.from).Round(100*time.Millisecond))
	// It is ready before it has its webhook configurations from its own watches.
	away.to = healed(t, l.streams[1].namespace)
	namespace := cluster.Namespace(t, "headroom.dev/mode=enforce")
	client := quiet(t)
	plane.Eventually(t, "a new namespace to be enforced", func() error {
		return create(t.Context(), client, namespace, right()).err
	})
	if o := create(t.Context(), client, namespace, wrong()); o.kind != judged {
		t.Errorf("in a namespace made afterwards: %s: %v", o.kind, o.err)
	}
	time.Sleep(beat)
	l.end(t, hung, away)
	for _, replica := range cluster.Replicas() {
		if before[replica.Pod] != replica.Process.PID() {
			t.Errorf("%s has another process than before", replica.Pod)
		}
		if strings.Contains(replica.Logs(), "panic") {
			t.Errorf("%s panicked", replica.Pod)
		}
	}
}
