//go:build system && upgrades

package watch

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/versions"
)

// Reports of the version before are taken over by this one, not doubled, and the other way round.
func TestUpgradeOfReports(t *testing.T) {
	serve(t, openReports)
	both := versions.Of(t, cluster.Binary())
	namespace := cluster.Namespace(t)
	apply(t, namespace, deployment("batch", "{requests: {cpu: 100m}}"))
	found := one(t, namespace)
	for _, version := range []string{versions.Before, versions.This, versions.Before, versions.This} {
		both.Use(t, version)
		all, err := replicas()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			if err := syscall.Kill(r.pid, syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
		plane.Eventually(t, "replicas of "+version, func() error {
			all, err := replicas()
			if err != nil {
				return err
			}
			for _, r := range all {
				if both.Running(r.pid) != version {
					return errOther
				}
			}
			_, err = leading()
			return err
		})
		// It judges what changes, in the same report.
		apply(t, namespace, deployment("latency-sensitive", "{requests: {cpu: 100m, memory: 1Gi}, limits: {cpu: 200m, memory: 1Gi}}"))
		changed := one(t, namespace)
		apply(t, namespace, deployment("batch", "{requests: {cpu: 100m}}"))
		again := one(t, namespace)
		for _, r := range []report{changed, again} {
			if r.Metadata.Name != found.Metadata.Name || r.Metadata.UID != found.Metadata.UID {
				t.Errorf("%s: report %s (%s), and before it was %s (%s)", version, r.Metadata.Name, r.Metadata.UID, found.Metadata.Name, found.Metadata.UID)
			}
		}
		t.Logf("%s: one report, taken over", version)
	}
}

var errOther = errors.New("another version runs")

// one waits for the namespace's one report.
func one(t *testing.T, namespace string) (found report) {
	t.Helper()
	plane.Eventually(t, "one report", func() error {
		all, err := reportsIn("reports.openreports.io", namespace)
		if err != nil {
			return err
		}
		if len(all) != 1 {
			return fmt.Errorf("%d reports are there", len(all))
		}
		found = all[0]
		return nil
	})
	return found
}
