//go:build system

package watch

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// TestKindsOfReports: PolicyReports where there are only those, nothing where there is
// neither, and Reports as soon as they are known; of the other kind nothing is left.
func TestKindsOfReports(t *testing.T) {
	defer serve(t, openReports)
	serve(t)
	namespace := cluster.Namespace(t)
	apply(t, namespace, deployment("", tooSmall))
	plane.Eventually(t, "metrics without reports", func() error {
		at, err := leading()
		if err != nil {
			return err
		}
		errors306, err := at.metric("headroom_audit_findings",
			`namespace="`+namespace+`"`, `rule="HR306"`, `severity="error"`)
		if err == nil && errors306 != 1 {
			err = fmt.Errorf("%v findings", errors306)
		}
		return err
	})
	if told := strings.Count(leader(t, "").log(), "only metrics are kept"); told == 0 {
		t.Error("the log does not say that no reports are written")
	}

	serve(t, policyReports)
	got := onlyOf(t, "policyreports.wgpolicyk8s.io", namespace, "HR101=warn HR306=fail")
	if got.Results[0].Source != "headroom" || got.Scope.Name != "cart" || got.Summary["fail"] != 1 {
		t.Errorf("%+v", got)
	}

	serve(t, openReports, policyReports)
	only(t, namespace, "HR101=warn HR306=fail")
	onlyOf(t, "policyreports.wgpolicyk8s.io", namespace, "")
	// And back again.
	serve(t, policyReports)
	onlyOf(t, "policyreports.wgpolicyk8s.io", namespace, "HR101=warn HR306=fail")
}

// TestLeftoverReports: one of an earlier run about something that is gone is deleted, and
// others' are left alone.
func TestLeftoverReports(t *testing.T) {
	t.Parallel()
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	leftover := func(name, labels string) string {
		return "---\napiVersion: openreports.io/v1alpha1\nkind: Report\nmetadata: {name: " + name +
			", namespace: " + namespace + ", labels: {" + labels + "}}\nsource: test\n"
	}
	const ours = "app.kubernetes.io/managed-by: headroom"
	cluster.Must(t, "apply", "-f", file(t, leftover("headroom-deployment-0123456789abcdef", ours)+
		leftover("mine", ours)+leftover("headroom-of-kyverno", "app.kubernetes.io/managed-by: kyverno")))
	plane.Eventually(t, "the leftover to go", func() error {
		all, err := reportsIn("reports.openreports.io", namespace)
		var names []string
		for _, r := range all {
			names = append(names, r.Metadata.Name)
		}
		if got := strings.Join(names, " "); got != "headroom-of-kyverno mine" {
			err = errors.Join(err, errors.New("there are "+got))
		}
		return err
	})
}
