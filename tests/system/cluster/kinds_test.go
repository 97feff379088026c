//go:build system

package cluster

import (
	"fmt"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// template is a pod template with one container, as deep as a Deployment has it.
func template(annotations, resources string) string {
	return fmt.Sprintf(`  template:
    metadata:
      labels: {app: shop}
      annotations: {%s}
    spec:
      containers:
        - name: app
          image: registry.example.com/shop:1
          resources: %s
`, annotations, resources)
}

func head(api, kind string) string {
	return "apiVersion: " + api + "\nkind: " + kind + "\nmetadata: {name: shop}\nspec:\n"
}

// known says that the container runs something that does not count the node's cores: only
// then does headroom take a limit away.
const known = `runtime.headroom.dev/app: native`

const selector = "  selector: {matchLabels: {app: shop}}\n"

// deeper is the template where a CronJob has it, with a Job's restart policy.
func deeper(template string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(template, "\n"), "\n", "\n    ") +
		"\n          restartPolicy: Never\n"
}

// Each kind of workload makes Pods that are fixed, and each class has its own idea of right. These
// are no CPU limit, twice the average, the peak, what the tenant pays for.
func TestKindsAndClasses(t *testing.T) {
	const odd = "{requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: 600m, memory: 1Gi}}"
	class := func(name string) string {
		return known + `, headroom.dev/workload-class: ` + name + `, headroom.dev/cpu-average: 500m`
	}
	latency := template(class("latency-sensitive"), odd)
	// A proxy beside the service that it serves, which is right as it is.
	sidecar := strings.Replace(template(
		`headroom.dev/workload-class: latency-sensitive, cpu-peak.headroom.dev/nginx-proxy: 800m`,
		"{requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 1Gi}}"), "      containers:\n", `      initContainers:
        - name: nginx-proxy
          image: nginx:1.29
          restartPolicy: Always
          resources: {requests: {cpu: 200m, memory: 128Mi}, limits: {cpu: 300m, memory: 128Mi}}
      containers:
`, 1)
	for _, c := range []struct{ name, manifest, limit, rule string }{
		{"Deployment, latency-sensitive", head("apps/v1", "Deployment") + selector + latency, "", "HR202"},
		{
			"StatefulSet, latency-sensitive",
			head("apps/v1", "StatefulSet") + "  serviceName: shop\n" + selector + latency, "", "HR202",
		},
		{"DaemonSet, latency-sensitive", head("apps/v1", "DaemonSet") + selector + latency, "", "HR202"},
		{"ReplicaSet, latency-sensitive", head("apps/v1", "ReplicaSet") + selector + latency, "", "HR202"},
		{"Deployment, batch", head("apps/v1", "Deployment") + selector + template(class("batch"), odd), "1", "HR204"},
		{"Job, batch by its kind", head("batch/v1", "Job") + template("headroom.dev/cpu-average: 500m", odd) +
			"      restartPolicy: Never\n", "1", "HR204"},
		{"CronJob, cron by its kind", head("batch/v1", "CronJob") + "  schedule: 1 2 * * *\n  jobTemplate:\n    spec:\n" +
			deeper(template("cpu-peak.headroom.dev/app: 900m", odd)), "900m", "HR206"},
		{"Deployment, multi-tenant", head("apps/v1", "Deployment") + selector + template(class("multi-tenant")+
			`, headroom.dev/cpu-allocation: "2"`, odd), "2", "HR207"},
		{"Deployment, sidecar", head("apps/v1", "Deployment") + selector + sidecar, "800m", "HR205"},
	} {
		t.Run(c.name, func(t *testing.T) {
			namespace := cluster.Namespace(t, "headroom.dev/mutate=enabled", "headroom.dev/mode=enforce")
			out := cluster.Apply(namespace, c.manifest)
			if out.Code != 0 {
				t.Fatal(out.Stderr)
			}
			if !strings.Contains(out.Stderr, "["+c.rule+"]") || !strings.Contains(out.Stderr, "fixed in the Pods") {
				t.Errorf("kubectl says nothing of %s being fixed:\n%s", c.rule, out.Stderr)
			}
			if strings.HasPrefix(c.name, "CronJob") {
				startJob(t, namespace, "shop")
			}
			pod := anyPod(t, namespace)
			containers := append(pod.Spec.InitContainers, pod.Spec.Containers...)
			limit, found := containers[0].Resources.Limits["cpu"]
			if got := limit.String(); found != (c.limit != "") || found && got != c.limit {
				t.Errorf("limits.cpu is %q, want %q:\n%s", got, c.limit, summary(t, pod))
			}
			if !strings.Contains(pod.Annotations[applied], c.rule) {
				t.Errorf("%s is not recorded: %s", c.rule, pod.Annotations[applied])
			}
		})
	}
}

// A Pod that somebody creates by hand is fixed, and says so; a dry run shows the same
// Pod and creates none; a Pod that cannot be fixed is refused.
func TestPodByHand(t *testing.T) {
	namespace := cluster.Namespace(t, "headroom.dev/mutate=enabled", "headroom.dev/mode=enforce")
	pod := `apiVersion: v1
kind: Pod
metadata:
  name: shop
  annotations: {headroom.dev/workload-class: latency-sensitive, runtime.headroom.dev/app: native}
spec:
  containers:
    - name: app
      image: registry.example.com/shop:1
      resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: "1", memory: %s}}
`
	show := []string{"-o", `jsonpath={.spec.containers[0].resources}{.metadata.annotations.headroom\.dev/applied}`}
	dry := cluster.Apply(namespace, fmt.Sprintf(pod, "2Gi"), append(show, "--dry-run=server")...)
	if left := cluster.Must(t, "get", "pods", "-n", namespace, "-o", "name"); left != "" {
		t.Fatalf("a dry run leaves %s", left)
	}
	real := cluster.Apply(namespace, fmt.Sprintf(pod, "2Gi"), show...)
	if real.Code != 0 || dry.Stdout != real.Stdout || dry.Stderr != real.Stderr {
		t.Errorf("exit code %d, a dry run shows\n%s%s\nand the real one\n%s%s",
			real.Code, dry.Stdout, dry.Stderr, real.Stdout, real.Stderr)
	}
	checkGolden(t, "pods/by-hand.txt", strings.ReplaceAll(real.Stderr+real.Stdout, "}[", "}\n[")+"\n")

	cluster.Must(t, "delete", "pod", "shop", "-n", namespace)
	bad := strings.Replace(fmt.Sprintf(pod, "2Gi"), ", "+known, "", 1) +
		"      command: [java, -Xmx2g, -jar, app.jar]\n"
	refused := cluster.Apply(namespace, bad)
	if refused.Code == 0 || !strings.Contains(refused.Stderr, "[HR304]") {
		t.Errorf("a heap as large as the limit is let in:\n%s", refused.Stderr)
	}
}

// Namespaces of the cluster and of headroom itself are left alone, whatever their labels.
func TestExcludedNamespaces(t *testing.T) {
	for _, namespace := range []string{"kube-system", plane.ReleaseNamespace} {
		t.Run(namespace, func(t *testing.T) {
			cluster.Must(t, "label", "namespace", namespace, "headroom.dev/mutate=enabled", "headroom.dev/mode=enforce")
			t.Cleanup(func() { cluster.Kubectl("label", "namespace", namespace, "headroom.dev/mutate-", "headroom.dev/mode-") })
			settle()
			deployment := head("apps/v1", "Deployment") + "  replicas: 0\n" + selector +
				template("headroom.dev/workload-class: latency-sensitive", "{limits: {cpu: 1, memory: 1Gi}}")
			out := cluster.KubectlAs("admin", deployment, "apply", "-n", namespace, "-f", "-")
			if out.Code != 0 || len(ours(out)) != 0 {
				t.Errorf("exit code %d\n%s", out.Code, out.Stderr)
			}
			cluster.Must(t, "delete", "deployment", "shop", "-n", namespace)
		})
	}
}
