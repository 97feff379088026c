//go:build system

package watch

import (
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// TestReportOfAWorkload: a fault appears, with all that a reader needs, and goes with the
// fault, with the workload.
func TestReportOfAWorkload(t *testing.T) {
	t.Parallel()
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	apply(t, namespace, deployment("latency-sensitive", tooSmall))
	got := only(t, namespace, "HR306=fail")
	uid := cluster.Must(t, "get", "deployment", "cart", "--namespace", namespace, "-o", "jsonpath={.metadata.uid}")
	owners := got.Metadata.OwnerReferences
	if len(owners) != 1 || owners[0].Kind != "Deployment" || owners[0].Name != "cart" || owners[0].UID != uid {
		t.Errorf("owned by %+v", owners)
	}
	if got.Source != "headroom" || got.Scope.Kind != "Deployment" || got.Scope.Name != "cart" ||
		got.Summary["fail"] != 1 || got.Summary["warn"] != 0 {
		t.Errorf("%+v", got)
	}
	result := got.Results[0]
	if result.Policy != "memory-unit-suspect" || result.Category != "memory" || result.Severity != "high" ||
		result.Properties["container"] != "app" || result.Properties["bytes"] != "4" ||
		!strings.HasPrefix(result.Properties["path"], "/spec/template/spec/containers/0/resources/") ||
		result.Timestamp.Seconds == 0 || !strings.Contains(result.Message, "4 byte") {
		t.Errorf("%+v", result)
	}

	apply(t, namespace, deployment("latency-sensitive", sound))
	only(t, namespace, "")

	apply(t, namespace, deployment("latency-sensitive", tooSmall))
	only(t, namespace, "HR306=fail")
	cluster.Must(t, "delete", "deployment", "cart", "--namespace", namespace)
	only(t, namespace, "")
}

// TestSuccessorOfTheSameName has a report of its own.
func TestSuccessorOfTheSameName(t *testing.T) {
	t.Parallel()
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	apply(t, namespace, deployment("latency-sensitive", tooSmall))
	first := only(t, namespace, "HR306=fail")
	same := file(t, deployment("latency-sensitive", tooSmall))
	cluster.Must(t, "replace", "--force", "--namespace", namespace, "-f", same)
	plane.Eventually(t, "the successor's report", func() error {
		all, err := reportsIn("reports.openreports.io", namespace)
		if err == nil && (len(all) != 1 || all[0].Metadata.Name == first.Metadata.Name) {
			err = errOld
		}
		return err
	})
}

// TestExemption: what is exempted is said to be, with its reason.
func TestExemption(t *testing.T) {
	t.Parallel()
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	apply(t, namespace, deployment("latency-sensitive, ignore.headroom.dev/HR306: until=2099-01-31; a test", tooSmall))
	got := only(t, namespace, "HR306=skip").Results[0]
	if got.Properties["until"] != "2099-01-31" || got.Properties["reason"] != "a test" {
		t.Errorf("%+v", got.Properties)
	}
}

// TestNamespaceIsJudgedItself, and has a report without a namespace.
func TestNamespaceIsJudgedItself(t *testing.T) {
	t.Parallel()
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	cluster.Must(t, "annotate", "namespace", namespace, "headroom.dev/default-class=bach")
	got := func() string {
		return cluster.Kubectl("get", "clusterreports.openreports.io", "-o",
			"jsonpath={range .items[?(@.scope.name==\""+namespace+"\")]}{.results[*].rule}{end}").Stdout
	}
	plane.Eventually(t, "a ClusterReport", func() error {
		if got() == "" {
			return errNone
		}
		return nil
	})
	cluster.Must(t, "annotate", "namespace", namespace, "headroom.dev/default-class-")
	plane.Eventually(t, "the ClusterReport to go", func() error {
		if got() != "" {
			return errOld
		}
		return nil
	})
}

// twice is what a Pod's report says: the API server has made a request of its limit.
const twice = "HR306=fail HR306=fail"

// TestPodsThatAnOperatorMakes are one subject: their owner, of whatever kind.
func TestPodsThatAnOperatorMakes(t *testing.T) {
	t.Parallel()
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	cluster.Must(t, "create", "configmap", "owner", "--namespace", namespace)
	uid := cluster.Must(t, "get", "configmap", "owner", "--namespace", namespace, "-o", "jsonpath={.metadata.uid}")
	for _, pod := range []string{"db-0", "db-1"} {
		apply(t, namespace, `
apiVersion: v1
kind: Pod
metadata:
  name: `+pod+`
  annotations: {headroom.dev/workload-class: latency-sensitive}
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: `+uid+`, controller: true}]
spec: {containers: [{name: app, image: example.com/db, resources: `+tooSmall+`}]}
`)
	}
	first := only(t, namespace, twice)
	if first.Scope.Kind != "ConfigMap" || first.Metadata.OwnerReferences[0].UID != uid {
		t.Errorf("%+v", first)
	}
	cluster.Must(t, "delete", "pod", "db-0", "--namespace", namespace, "--force", "--grace-period=0")
	settle(t)
	if again := only(t, namespace, twice); again.Metadata.ResourceVersion != first.Metadata.ResourceVersion {
		t.Error("the report was written again though the same holds of the Pod that is left")
	}
	cluster.Must(t, "delete", "pod", "db-1", "--namespace", namespace, "--force", "--grace-period=0")
	only(t, namespace, "")
}

// TestEndedPod: what does not run again is not judged.
func TestEndedPod(t *testing.T) {
	t.Parallel()
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	apply(t, namespace, `
apiVersion: v1
kind: Pod
metadata: {name: once, annotations: {headroom.dev/workload-class: latency-sensitive}}
spec: {containers: [{name: app, image: example.com/once, resources: `+tooSmall+`}]}
`)
	only(t, namespace, twice)
	cluster.Must(t, "patch", "pod", "once", "--namespace", namespace, "--subresource=status", "--type=merge",
		"-p", `{"status":{"phase":"Succeeded"}}`)
	only(t, namespace, "")
}
