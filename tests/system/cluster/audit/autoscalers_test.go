//go:build system

package audit

import (
	"slices"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// scaled are JVMs with what scales and boosts them.
const scaled = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: fixed}
spec:
  selector: {matchLabels: {app: fixed}}
  template:
    metadata: {labels: {app: fixed}, annotations: {headroom.dev/workload-class: batch}}
    spec:
      containers:
        - name: app
          image: registry.example/app:1
          command: [java, -Xmx1g, -XX:ActiveProcessorCount=2, -jar, app.jar]
          resources: {requests: {cpu: "1", memory: 4Gi}, limits: {cpu: "2", memory: 4Gi}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: boosted}
spec:
  selector: {matchLabels: {app: boosted}}
  template:
    metadata: {labels: {app: boosted}, annotations: {headroom.dev/workload-class: batch}}
    spec:
      containers:
        - name: app
          image: registry.example/app:1
          command: [java, -XX:MaxRAMPercentage=50.0, -jar, app.jar]
          resources: {requests: {cpu: "1", memory: 4Gi}, limits: {cpu: "2", memory: 4Gi}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: fixed}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: fixed}
  maxReplicas: 5
`

const verticals = `
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: fixed}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: fixed}
---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: boosted}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: boosted}
  updatePolicy: {updateMode: "Off"}
  startupBoost: {cpu: {type: Factor, factor: 3}}
---
apiVersion: autoscaling.x-k8s.io/v1alpha1
kind: StartupCPUBoost
metadata: {name: boosts}
selector: {matchExpressions: [{key: app, operator: In, values: [boosted]}]}
spec:
  resourcePolicy: {containerPolicies: [{containerName: app, percentageIncrease: {value: 50}}]}
  durationPolicy: {podCondition: {type: Ready, status: "True"}}
`

// What scales and boosts workloads counts, as far as the cluster has the kinds and the user may list them.
func TestAutoscalers(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, scaled)
	of := func(r *report.Report, name string) []string {
		return slices.DeleteFunc(findings(r, "Deployment", name), func(rule string) bool {
			return !strings.HasPrefix(rule, "HR607") && !strings.HasPrefix(rule, "HR608")
		})
	}
	o := audit.Options{Namespaces: []string{namespace}}

	// Without the kinds there is nothing to say, and nothing is missing.
	r := sound(t, run(t, o))
	if got := slices.Concat(of(r, "fixed"), of(r, "boosted")); len(got) > 0 {
		t.Errorf("without autoscalers: %q", got)
	}
	apply(t, namespace, boosterRole)
	bind(t, namespace, "booster", "peter")
	peter := audit.Options{Config: as("peter", "headroom-audit/"+t.Name()), Namespaces: []string{namespace}}
	if got := unseen(run(t, peter)); got != "" {
		t.Errorf("of kinds that are not there: %s", got)
	}

	cluster.InstallAutoscalers(t)
	apply(t, "", plane.BoostKind)
	cluster.Must(t, "wait", "--for=condition=Established", "crd/startupcpuboosts.autoscaling.x-k8s.io", "--timeout=10m")
	apply(t, namespace, verticals)
	r = sound(t, run(t, o))
	// Memory and its fixed heap, and the CPU that the HorizontalPodAutoscaler counts by default.
	if got := of(r, "fixed"); !slices.Equal(got, []string{"HR608 app", "HR608 app"}) {
		t.Errorf("fixed: %q", got)
	}
	if got := of(r, "boosted"); !slices.Equal(got, []string{"HR607 app", "HR607 app"}) {
		t.Errorf("boosted: %q", got)
	}
	for _, f := range r.Findings {
		if f.Rule == "HR607" || f.Rule == "HR608" {
			t.Logf("%s %s; want: %s", f.Rule, f.Message, f.Expected)
		}
	}

	// Who may not list them is told once what would allow it.
	r = run(t, peter)
	want := `{apiGroups: ["autoscaling.k8s.io"], resources: [verticalpodautoscalers], verbs: [list]}, ` +
		`{apiGroups: ["autoscaling.x-k8s.io"], resources: [startupcpuboosts], verbs: [list]}`
	if got := unseen(r); !strings.HasSuffix(got, "a Role with this would allow it: "+want) {
		t.Errorf("%q", got)
	}
	sound(t, r)
}

// boosterRole is what an audit needs, but for what boosts and scales vertically.
const boosterRole = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: booster}
rules:
  - {apiGroups: [""], resources: [namespaces], verbs: [get]}
  - {apiGroups: [""], resources: [pods, replicationcontrollers, limitranges, resourcequotas], verbs: [get, list]}
  - {apiGroups: [apps], resources: [deployments, statefulsets, daemonsets, replicasets], verbs: [get, list]}
  - {apiGroups: [batch], resources: [cronjobs, jobs], verbs: [get, list]}
  - {apiGroups: [autoscaling], resources: [horizontalpodautoscalers], verbs: [list]}
`

// unseen is why autoscalers were not read; "" where they were.
func unseen(r *report.Report) string {
	for _, s := range r.Skipped {
		if s.What == "autoscalers and startup boosts" {
			return s.Reason
		}
	}
	return ""
}
