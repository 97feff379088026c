//go:build system

package watch

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

const horizontal = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: by-cpu}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: cart}
  maxReplicas: 5
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]
`

// vertical controls resources of the target.
func vertical(target, resources string) string {
	return `
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: sizes}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: ` + target + `}
  resourcePolicy: {containerPolicies: [{containerName: "*", controlledResources: [` + resources + `]}]}
`
}

const boost = `
apiVersion: autoscaling.x-k8s.io/v1alpha1
kind: StartupCPUBoost
metadata: {name: starts}
selector: {matchLabels: {app: jvm}}
spec: {resourcePolicy: {containerPolicies: [{containerName: app, percentageIncrease: {value: 50}}]}}
`

// boosted is a JVM that counts the processors of its limit.
const boosted = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: jvm}
spec:
  selector: {matchLabels: {app: jvm}}
  template:
    metadata: {labels: {app: jvm}, annotations: {headroom.dev/workload-class: batch}}
    spec:
      containers:
        - name: app
          image: registry.example/app:1
          command: [java, -XX:MaxRAMPercentage=50.0, -XX:ParallelGCThreads=4, -XX:ConcGCThreads=2, -Xlog:gc*:stdout,
            -XX:MaxMetaspaceSize=256m, -XX:MaxDirectMemorySize=256m, -XX:ReservedCodeCacheSize=240m, -Xss1m,
            -jar, app.jar]
          resources: {requests: {cpu: "1", memory: 4Gi}, limits: {cpu: "2", memory: 4Gi}}
`

// TestAutoscalersChange: what scales and boosts a workload is judged with it. The cluster begins without the kinds.
// Verdicts follow from the moment that it gets them, through every change, and until they are gone.
func TestAutoscalersChange(t *testing.T) {
	serve(t, openReports)
	namespace := cluster.Namespace(t)
	kubectl := func(arguments ...string) { cluster.Must(t, append(arguments, "--namespace", namespace)...) }
	apply(t, namespace, deployment("latency-sensitive", sound))
	put(t, namespace, horizontal)
	settle(t)
	only(t, namespace, "")

	// The kinds appear under a leader that has judged everything.
	cluster.InstallAutoscalers(t)
	put(t, "", plane.BoostKind)
	cluster.Must(t, "wait", "--for=condition=Established", "crd/startupcpuboosts.autoscaling.x-k8s.io", "--timeout=10m")
	put(t, namespace, vertical("cart", "cpu"))
	first := only(t, namespace, "HR608=warn")
	t.Log(first.Results[0].Message)
	if first.Scope.Kind != "Deployment" || first.Scope.Name != "cart" {
		t.Errorf("the finding is one of %+v", first.Scope)
	}

	// What the recommender writes is no reason to judge.
	settle(t)
	at := leader(t, "")
	judged, err := at.metric("headroom_audit_judged_total")
	if err != nil {
		t.Fatal(err)
	}
	cluster.Recommend(t, namespace, "vpa", "sizes", map[string]any{
		"recommendation": map[string]any{"containerRecommendations": []any{map[string]any{
			"containerName": "app", "target": map[string]any{"cpu": "300m", "memory": "256Mi"},
		}}},
	})
	kubectl("label", "hpa", "by-cpu", "example.com/note=anything")
	time.Sleep(3 * time.Second)
	if now, err := at.metric("headroom_audit_judged_total"); err != nil || now != judged {
		t.Errorf("%v verdicts before, %v after what changes nothing (%v)", judged, now, err)
	}

	put(t, namespace, vertical("cart", "memory"))
	only(t, namespace, "")
	put(t, namespace, vertical("cart", "cpu, memory"))
	only(t, namespace, "HR608=warn")
	kubectl("patch", "hpa", "by-cpu", "--type=merge", "-p", `{"spec": {"metrics": [
		{"type": "Pods", "pods": {"metric": {"name": "rps"}, "target": {"type": "AverageValue", "averageValue": "9"}}}
	]}}`)
	only(t, namespace, "")
	put(t, namespace, horizontal)
	only(t, namespace, "HR608=warn")
	kubectl("delete", "vpa", "sizes")
	only(t, namespace, "")
	put(t, namespace, vertical("another", "cpu"))
	settle(t)
	only(t, namespace, "")
	put(t, namespace, vertical("cart", "cpu"))
	only(t, namespace, "HR608=warn")
	kubectl("delete", "hpa", "by-cpu")
	only(t, namespace, "")

	kubectl("delete", "deployment", "cart")
	apply(t, namespace, boosted)
	settle(t)
	only(t, namespace, "")
	put(t, namespace, boost)
	only(t, namespace, "HR607=warn")
	// With the kind goes what was of it.
	cluster.Must(t, "delete", "crd", "startupcpuboosts.autoscaling.x-k8s.io")
	only(t, namespace, "")
}

// put is what an administrator does.
func put(t testing.TB, namespace, manifest string) {
	t.Helper()
	cluster.Must(t, "apply", "--namespace", namespace, "-f", file(t, manifest))
}

// TestForbiddenAutoscalers: where autoscalers may not be read, the rest is judged and the log says once what would
// allow it; once it is allowed, they are judged.
func TestForbiddenAutoscalers(t *testing.T) {
	serve(t, openReports)
	cluster.InstallAutoscalers(t)
	namespace := cluster.Namespace(t)
	put(t, namespace, horizontal)
	put(t, namespace, vertical("cart", "cpu"))
	apply(t, namespace, deployment("batch", sound))
	only(t, namespace, "HR204=fail HR608=warn")

	allow := func(rules []rbacv1.PolicyRule) {
		t.Helper()
		patch, err := json.Marshal(map[string]any{"rules": rules})
		if err != nil {
			t.Fatal(err)
		}
		cluster.Must(t, "patch", "clusterrole", name, "--type=merge", "-p", string(patch))
	}
	var role rbacv1.ClusterRole
	if err := json.Unmarshal([]byte(cluster.Must(t, "get", "clusterrole", name, "-o", "json")), &role); err != nil {
		t.Fatal(err)
	}
	defer allow(role.Rules)
	allow(slices.DeleteFunc(slices.Clone(role.Rules), func(rule rbacv1.PolicyRule) bool {
		return slices.Contains(rule.Resources, "verticalpodautoscalers")
	}))
	at := leader(t, "")
	cluster.Must(t, "rollout", "restart", "deployment", name, "--namespace", plane.ReleaseNamespace)
	cluster.Must(t, "rollout", "status", "deployment", name, "--namespace", plane.ReleaseNamespace, "--timeout=10m")
	at = leader(t, at.pod)
	only(t, namespace, "HR204=fail")
	time.Sleep(2500 * time.Millisecond)
	log := at.log()
	const rule = `{apiGroups: [\"autoscaling.k8s.io\"], resources: [verticalpodautoscalers], verbs: [list, watch]}`
	if strings.Count(log, "forbidden") != 1 || !strings.Contains(log, rule) {
		t.Errorf("%s", log)
	}
	allow(role.Rules)
	only(t, namespace, "HR204=fail HR608=warn")
}
