//go:build system

// Package watch runs the audit that goes on, as the chart installs it. It runs against a real API
// server with the real kinds of reports, with the rights of its own ServiceAccount.
package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

var cluster *plane.Plane

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{HelmArguments: []string{
		"--set", "audit.enabled=true,audit.replicas=2,audit.reportRate=200",
	}}, &cluster))
}

const name = "headroom-audit"

// The kinds of reports: where their definitions are, and what a report is called.
const (
	openReports   = "openreports.io/v1alpha1"
	policyReports = "wgpolicyk8s.io/v1alpha2"
)

// serve makes the cluster know these kinds of reports and no other, and waits until the audit
// writes the one that it should. Tests that want openReports and change nothing but their own
// namespace run beside each other, after those that break something.
func serve(t testing.TB, apis ...string) {
	t.Helper()
	definitions := map[string]string{
		openReports:   filepath.Join(program.Module(t, "kyverno", "github.com/openreports/reports-api"), "config", "crd"),
		policyReports: filepath.Join(program.Module(t, "kyverno", "github.com/kyverno/kyverno"), "config", "crds", "policyreport"),
	}
	for api, dir := range definitions {
		if strings.Contains(strings.Join(apis, " "), api) {
			cluster.Must(t, "apply", "--server-side", "-f", dir)
			cluster.Must(t, "wait", "--for=condition=Established", "-f", dir, "--timeout=10m")
		} else {
			cluster.Must(t, "delete", "--ignore-not-found", "-f", dir)
		}
	}
	want := ""
	if len(apis) > 0 {
		want = apis[0]
	}
	plane.Eventually(t, "the audit to write "+want, func() error {
		leader, err := leading()
		if err != nil {
			return err
		}
		for _, api := range []string{openReports, policyReports} {
			writes, err := leader.metric("headroom_audit_reports_api", `api="`+api+`"`)
			if err != nil {
				return err
			}
			if (writes == 1) != (api == want) {
				return fmt.Errorf("writes %s: %v", api, writes)
			}
		}
		return nil
	})
}

// report is what the tests read of one.
type report struct {
	Kind     string
	Metadata struct {
		Name, Namespace, UID, ResourceVersion string
		OwnerReferences                       []struct{ Kind, Name, UID string }
	}
	Source  string
	Scope   struct{ Kind, Namespace, Name string }
	Summary map[string]int
	Results []struct {
		Source, Policy, Rule, Category, Severity, Result, Message string
		Properties                                                map[string]string
		Timestamp                                                 struct{ Seconds int64 }
	}
}

// rules are the IDs of a report's results with what they came to, in order.
func (r report) rules() string {
	var all []string
	for _, result := range r.Results {
		all = append(all, result.Rule+"="+result.Result)
	}
	return strings.Join(all, " ")
}

func reportsIn(resource, namespace string) ([]report, error) {
	out := cluster.Kubectl("get", resource, "--namespace", namespace, "-o", "json")
	if out.Code != 0 {
		return nil, errors.New(out.Stderr)
	}
	var list struct{ Items []report }
	err := json.Unmarshal([]byte(out.Stdout), &list)
	return list.Items, err
}

// only waits for the namespace's one report, until it says these rules; "" waits for none.
func only(t testing.TB, namespace, rules string) report {
	t.Helper()
	return onlyOf(t, "reports.openreports.io", namespace, rules)
}

func onlyOf(t testing.TB, resource, namespace, rules string) (found report) {
	t.Helper()
	plane.Eventually(t, "a report with "+rules, func() error {
		all, err := reportsIn(resource, namespace)
		switch {
		case err != nil:
			return err
		case rules == "" && len(all) == 0:
			return nil
		case rules == "" || len(all) != 1:
			return fmt.Errorf("%d reports are there", len(all))
		case all[0].rules() != rules:
			return fmt.Errorf("the report says %s", all[0].rules())
		}
		found = all[0]
		return nil
	})
	return found
}

// apply is what a developer does.
func apply(t testing.TB, namespace, manifest string) {
	t.Helper()
	if out := cluster.Apply(namespace, manifest); out.Code != 0 {
		t.Fatal(out.Stdout, out.Stderr)
	}
}

// deployment has a class and the resources, as YAML's flow style.
func deployment(class, resources string) string {
	annotations := ""
	if class != "" {
		annotations = "headroom.dev/workload-class: " + class
	}
	return `
apiVersion: apps/v1
kind: Deployment
metadata: {name: cart}
spec:
  selector: {matchLabels: {app: cart}}
  template:
    metadata: {labels: {app: cart}, annotations: {` + annotations + `}}
    spec: {containers: [{name: app, image: example.com/cart, resources: ` + resources + `}]}
`
}

const (
	sound    = "{requests: {cpu: 250m, memory: 128Mi}, limits: {memory: 128Mi}}"
	tooSmall = "{requests: {cpu: 250m}, limits: {memory: 4}}"
)
