//go:build system

package watch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

var (
	errOld  = errors.New("it is still the old one")
	errNone = errors.New("there is none")
)

func file(t testing.TB, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "manifest.yaml")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// settle waits until whatever has happened so far has been judged: a new Deployment, whose
// report comes after all that was before.
func settle(t testing.TB) {
	t.Helper()
	settleIn(t, cluster.Namespace(t))
}

// settleIn is settle in a namespace with nothing in it: a new one has to wait for controllers,
// which take their time when the API server was away.
func settleIn(t testing.TB, namespace string) {
	t.Helper()
	apply(t, namespace, deployment("latency-sensitive", tooSmall))
	only(t, namespace, "HR306=fail")
	cluster.Must(t, "delete", "deployment", "cart", "--namespace", namespace)
	only(t, namespace, "")
}

// TestNamespaceChanges: what a Namespace says is judged anew, and what stays keeps its time.
func TestNamespaceChanges(t *testing.T) {
	t.Parallel()
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	apply(t, namespace, deployment("", tooSmall))
	before := only(t, namespace, "HR101=warn HR306=fail")
	time.Sleep(1100 * time.Millisecond) // times are in seconds
	cluster.Must(t, "annotate", "namespace", namespace, "headroom.dev/default-class=batch")
	after := only(t, namespace, "HR204=fail HR306=fail")
	if after.Metadata.UID != before.Metadata.UID {
		t.Error("the report is another one")
	}
	old, now := before.Results, after.Results
	if now[1].Timestamp != old[1].Timestamp || now[0].Timestamp.Seconds <= old[0].Timestamp.Seconds {
		t.Errorf("results of %+v, now of %+v", old, now)
	}
	cluster.Must(t, "annotate", "namespace", namespace, "headroom.dev/default-class-")
	only(t, namespace, "HR101=warn HR306=fail")
}

// TestLimitRangeChanges: a default limit changes what a Deployment would become.
func TestLimitRangeChanges(t *testing.T) {
	t.Parallel()
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	apply(t, namespace, deployment("latency-sensitive", sound))
	settle(t)
	only(t, namespace, "")
	limits := file(t, `
apiVersion: v1
kind: LimitRange
metadata: {name: limits}
spec: {limits: [{type: Container, default: {cpu: "1"}}]}
`)
	cluster.Must(t, "apply", "--namespace", namespace, "-f", limits)
	only(t, namespace, "HR209=warn")
	cluster.Must(t, "delete", "limitrange", "limits", "--namespace", namespace)
	only(t, namespace, "")
}

// TestConfigChanges: a new headroom.yaml is one to everything.
func TestConfigChanges(t *testing.T) {
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	apply(t, namespace, deployment("", sound))
	only(t, namespace, "HR101=warn")
	const config = "apiVersion: headroom.dev/v1alpha1\\nkind: Config\\n"
	set := func(text string) {
		cluster.Must(t, "patch", "configmap", "headroom-config", "--namespace", plane.ReleaseNamespace, "--type=merge",
			"-p", `{"data":{"headroom.yaml":"`+text+`"}}`)
	}
	defer set(config)
	set(config + `rules: {HR101: {severity: \"off\"}}\n`)
	only(t, namespace, "")
	// One that is refused changes nothing.
	set(config + `ruls: {}\n`)
	plane.Eventually(t, "the config to be refused", func() error {
		refused, err := leader(t, "").metric("headroom_config_last_reload_successful")
		if err == nil && refused != 0 {
			err = errOld
		}
		return err
	})
	only(t, namespace, "")
	set(config)
	only(t, namespace, "HR101=warn")
}

// TestNothingChanges: a scale and a status are not judged, and a restart of the audit
// writes nothing that is there.
func TestNothingChanges(t *testing.T) {
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	apply(t, namespace, deployment("latency-sensitive", tooSmall))
	before := only(t, namespace, "HR306=fail")
	settle(t)
	at := leader(t, "")
	judged, err := at.metric("headroom_audit_judged_total")
	if err != nil {
		t.Fatal(err)
	}
	cluster.Must(t, "scale", "deployment", "cart", "--replicas=3", "--namespace", namespace)
	cluster.Pods(t, namespace, "app=cart", 3)
	cluster.Must(t, "annotate", "namespace", namespace, "example.com/note=anything")
	time.Sleep(3 * time.Second)
	if now, err := at.metric("headroom_audit_judged_total"); err != nil || now != judged {
		t.Errorf("%v verdicts before, %v after a scale (%v)", judged, now, err)
	}
	cluster.Must(t, "rollout", "restart", "deployment", name, "--namespace", plane.ReleaseNamespace)
	cluster.Must(t, "rollout", "status", "deployment", name, "--namespace", plane.ReleaseNamespace, "--timeout=10m")
	next := leader(t, at.pod)
	plane.Eventually(t, "the new leader to have judged everything", func() error {
		if synced, err := next.metric("headroom_audit_last_sync_timestamp_seconds"); err != nil || synced == 0 {
			return errors.Join(errNone, err)
		}
		return nil
	})
	settle(t)
	after := only(t, namespace, "HR306=fail")
	if after.Metadata.ResourceVersion != before.Metadata.ResourceVersion {
		t.Error("a report that says the same was written again")
	}
	// A report that somebody deletes is there again.
	cluster.Must(t, "delete", "reports.openreports.io", after.Metadata.Name, "--namespace", namespace)
	if again := only(t, namespace, "HR306=fail"); again.Metadata.UID == after.Metadata.UID {
		t.Error("it was not deleted")
	}
}
