//go:build system

// Package kyverno holds Kyverno's own admission controller to the engine's verdicts, on a real
// API server and with the policies that Kyverno's users install.
package kyverno

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/system/cluster/verdicts"
)

var cluster *plane.Plane

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{NoWebhook: true, Kyverno: true}, &cluster))
}

// start applies a kustomization below policies/export/kyverno and waits until Kyverno has told the API
// server of each policy. (A policy is READY when Kyverno may also list all that it matches, for
// its reports.)
func start(t *testing.T, kustomization string) *verdicts.Suite {
	t.Helper()
	dir := filepath.Join(cluster.Root(), "policies", "export", "kyverno", filepath.FromSlash(kustomization))
	plane.Eventually(t, "Kyverno to take its policies", func() error {
		out := cluster.Kubectl("apply", "--server-side", "-k", dir)
		// On a busy machine Kyverno does not compile each in the ten seconds that it has.
		late := strings.Contains(out.Stderr, "context deadline exceeded")
		if out.Code != 0 && !late {
			t.Fatal(out.Stderr)
		}
		if late {
			return errors.New(out.Stderr)
		}
		return nil
	})
	plane.Eventually(t, "Kyverno's policies to be ready", ready)
	return verdicts.NewSuite(t, cluster)
}

func ready() error {
	out := cluster.Kubectl("get", "validatingpolicies,mutatingpolicies", "-o", "json")
	var list struct {
		Items []struct {
			Metadata struct{ Name string }
			Status   struct {
				ConditionStatus struct {
					Conditions []struct{ Type, Status, Message string }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(out.Stdout), &list); err != nil || len(list.Items) == 0 {
		return errors.Join(err, fmt.Errorf("%d policies are there\n%s", len(list.Items), out.Stderr))
	}
	for _, policy := range list.Items {
		configured := false
		for _, condition := range policy.Status.ConditionStatus.Conditions {
			configured = configured || condition.Type == "WebhookConfigured" && condition.Status == "True"
		}
		if !configured {
			return fmt.Errorf("%s: %v", policy.Metadata.Name, policy.Status.ConditionStatus.Conditions)
		}
	}
	return nil
}
