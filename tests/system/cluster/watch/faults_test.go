//go:build system

package watch

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

func holder(t testing.TB) string {
	t.Helper()
	return cluster.Must(t, "get", "lease", name, "--namespace", plane.ReleaseNamespace,
		"-o", "jsonpath={.spec.holderIdentity}")
}

// TestKilledLeader: another one takes over.
func TestKilledLeader(t *testing.T) {
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	at := leader(t, "")
	if holder(t) != at.pod {
		t.Errorf("%s leads, and the Lease is %s's", at.pod, holder(t))
	}
	cluster.HoldRestarts(true)
	defer cluster.HoldRestarts(false)
	at.signal(t, syscall.SIGKILL)
	apply(t, namespace, deployment("latency-sensitive", tooSmall))
	leader(t, at.pod)
	only(t, namespace, "HR306=fail")
}

// TestTerminatedLeader gives up the Lease, and writes nothing after that.
func TestTerminatedLeader(t *testing.T) {
	serve(t, openReports)
	plane.Eventually(t, "two replicas", func() error {
		all, err := replicas()
		if err == nil && len(all) != 2 {
			err = errNone
		}
		return err
	})
	at := leader(t, "")
	cluster.HoldRestarts(true)
	defer cluster.HoldRestarts(false)
	at.signal(t, syscall.SIGTERM)
	// Much sooner than the Lease would end by itself.
	plane.Eventually(t, "another holder", func() error {
		if now := holder(t); now == at.pod || now == "" {
			return errOld
		}
		return nil
	})
	plane.Eventually(t, "its log to say so", func() error {
		log := at.log()
		if !strings.Contains(log, "not leading any more") ||
			strings.LastIndex(log, `"stopped"`) < strings.LastIndex(log, "not leading any more") {
			return fmt.Errorf("it ends\n%s", log[max(0, len(log)-2000):])
		}
		return nil
	})
}

// TestAPIServerAway: it goes on when the API server is back.
func TestAPIServerAway(t *testing.T) {
	serve(t, openReports)
	namespace, empty := cluster.Namespace(t), cluster.Namespace(t)
	// The controllers would look for the API server less and less often: the tests that follow
	// need them.
	defer func() {
		if err := cluster.Controllers.Restart(); err != nil {
			t.Error(err)
		}
	}()
	apply(t, namespace, deployment("latency-sensitive", tooSmall))
	before := only(t, namespace, "HR306=fail")
	for _, away := range []time.Duration{time.Second, 30 * time.Second} { // the Lease is kept; it is lost
		cluster.APIServer.Stop(10 * time.Second)
		time.Sleep(away)
		if err := cluster.APIServer.Start(); err != nil {
			t.Fatal(err)
		}
		if err := cluster.WaitHealthy(t.Context()); err != nil {
			t.Fatal(err)
		}
		leader(t, "")
		settleIn(t, empty)
		if after := only(t, namespace, "HR306=fail"); after.Metadata.ResourceVersion != before.Metadata.ResourceVersion {
			t.Errorf("after %s: a report that says the same was written again", away)
		}
	}
	all, err := replicas()
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	for _, r := range all {
		if _, err := get("http://" + r.probes + "/readyz"); err != nil {
			t.Error(err)
		}
	}
}
