//go:build system

package requests

import (
	"slices"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/tests/harness/plane"
)

const account = "system:serviceaccount:" + plane.ReleaseNamespace + ":" + plane.WebhookName

// What the webhook's ServiceAccount may do is to read what decisions depend on: no Secrets,
// no wildcards, nothing to write (S3).
func TestRightsAreFew(t *testing.T) {
	groups := []string{
		"system:serviceaccounts", "system:serviceaccounts:" + plane.ReleaseNamespace, "system:authenticated",
	}
	c := client(t, func(config *rest.Config) {
		config.Impersonate = rest.ImpersonationConfig{UserName: account, Groups: groups}
	})
	rules := c.AuthorizationV1().SelfSubjectRulesReviews()
	readable := []string{
		"namespaces", "limitranges", "resourcequotas", "deployments", "replicasets", "statefulsets", "daemonsets", "jobs",
		"cronjobs", "replicationcontrollers",
	}
	for _, namespace := range []string{plane.ReleaseNamespace, "kube-system", "default"} {
		review, err := rules.Create(t.Context(), &authorizationv1.SelfSubjectRulesReview{
			Spec: authorizationv1.SelfSubjectRulesReviewSpec{Namespace: namespace},
		}, metav1.CreateOptions{})
		if err != nil || review.Status.Incomplete {
			t.Logf("%v %s", err, review.Status.EvaluationError)
		}
		seen := 0
		for _, rule := range review.Status.ResourceRules {
			if strings.HasPrefix(rule.APIGroups[0], "auth") && strings.HasPrefix(rule.Resources[0], "selfsubject") {
				continue // to ask who it is and what it may do, as everybody
			}
			for _, resource := range rule.Resources {
				seen++
				if !slices.Contains(readable, resource) {
					t.Errorf("%s: %v of %s", namespace, rule.Verbs, resource)
				}
			}
			for _, verb := range rule.Verbs {
				if verb != "get" && verb != "list" && verb != "watch" {
					t.Errorf("%s: %s of %v", namespace, verb, rule.Resources)
				}
			}
		}
		if seen < len(readable) {
			t.Errorf("%s: only %d resources: %+v", namespace, seen, review.Status.ResourceRules)
		}
	}
	// The same as a person asks it.
	list := cluster.Must(t, "auth", "can-i", "--list", "--as="+account, "-n", plane.ReleaseNamespace)
	for line := range strings.Lines(list) {
		if strings.Contains(line, "*") && !strings.Contains(line, "[/") || strings.Contains(line, "secrets") ||
			strings.Contains(line, "webhookconfigurations") {
			t.Errorf("can-i --list: %s", line)
		}
	}
	for _, question := range []string{
		"get secrets", "list secrets", "watch secrets", "get configmaps", "create pods", "patch pods", "create pods/exec",
		"update namespaces", "patch mutatingwebhookconfigurations", "update validatingwebhookconfigurations",
		"delete validatingwebhookconfigurations", "create tokenreviews", "impersonate users", "get nodes", "create events",
		"escalate clusterroles", "create serviceaccounts/token",
	} {
		verb, resource, _ := strings.Cut(question, " ")
		for _, where := range [][]string{{"-A"}, {"-n", plane.ReleaseNamespace}} {
			out := cluster.Kubectl(append([]string{"auth", "can-i", verb, resource, "--as=" + account}, where...)...)
			if strings.TrimSpace(out.Stdout) != "no" {
				t.Errorf("can-i %s %v: %s%s", question, where, out.Stdout, out.Stderr)
			}
		}
	}
	out := cluster.Kubectl("auth", "can-i", "watch", "namespaces", "--as="+account, "-A")
	if strings.TrimSpace(out.Stdout) != "yes" {
		t.Errorf("can-i watch namespaces: %s%s", out.Stdout, out.Stderr)
	}
}

// All that the chart installs, its test as well, fits into a namespace held to the
// restricted Pod Security Standard, without a warning (S1).
func TestPodsAreRestricted(t *testing.T) {
	var labels, undo []string
	for _, what := range []string{"enforce", "warn", "audit"} {
		labels = append(labels, "pod-security.kubernetes.io/"+what+"=restricted")
		undo = append(undo, "pod-security.kubernetes.io/"+what+"-")
	}
	t.Cleanup(func() {
		cluster.Kubectl(append([]string{"label", "namespace", plane.ReleaseNamespace}, undo...)...)
		cluster.Restore(t)
	})
	// The API server looks at the Pods that are there.
	out := cluster.Kubectl(append([]string{"label", "--overwrite", "namespace", plane.ReleaseNamespace}, labels...)...)
	if out.Code != 0 || len(out.Warnings()) > 0 {
		t.Fatalf("exit code %d: %s", out.Code, out.Stderr)
	}
	rendered := cluster.Helm("get", "manifest", plane.Release, "--namespace", plane.ReleaseNamespace)
	if rendered.Code != 0 || !strings.Contains(rendered.Stdout, "kind: Deployment") {
		t.Fatalf("%s\n%s", rendered.Stderr, rendered.Stdout)
	}
	out = cluster.KubectlAs("admin", rendered.Stdout, "apply", "--server-side", "--force-conflicts", "--dry-run=server",
		"-n", plane.ReleaseNamespace, "-f", "-")
	if out.Code != 0 || len(out.Warnings()) > 0 {
		t.Errorf("exit code %d: %s", out.Code, out.Stderr)
	}
	out = cluster.Helm("test", plane.Release, "--namespace", plane.ReleaseNamespace, "--timeout", "10m")
	if out.Code != 0 || strings.Contains(out.Stderr, "PodSecurity") {
		t.Errorf("helm test: exit code %d: %s", out.Code, out.Stderr)
	}
	// And real Pods come up in it.
	pods := cluster.Replicas()
	cluster.Must(t, "delete", "pod", pods[0].Pod, "-n", plane.ReleaseNamespace)
	if err := cluster.WaitWebhook(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Such a namespace does refuse what is not restricted.
	if a := create(t.Context(), client(t), plane.ReleaseNamespace, right("a"), true); a.err == nil ||
		!strings.Contains(a.err.Error(), "PodSecurity") {
		t.Errorf("the namespace is not restricted: %v", a.err)
	}
}

// Who may do everything inside of a namespace, and is even its administrator, cannot take it
// out of enforcement (S8); nor can a workload's labels and annotations.
func TestATenantCannotRelabelItself(t *testing.T) {
	namespace := cluster.Namespace(t, enforce)
	cluster.Must(t, "annotate", "namespace", namespace, "headroom.dev/allow-ignore=HR401")
	cluster.Must(t, "create", "rolebinding", "tenant", "--clusterrole=admin", "--user="+plane.Developer, "-n", namespace)
	settle()
	tenant := func(arguments ...string) plane.Output { return cluster.KubectlAs(plane.Developer, "", arguments...) }
	for _, attempt := range [][]string{
		{"label", "--overwrite", "namespace", namespace, off},
		{"label", "namespace", namespace, "headroom.dev/mode-"},
		{"label", "--overwrite", "namespace", namespace, "kubernetes.io/metadata.name=kube-system"},
		{"annotate", "--overwrite", "namespace", namespace, "headroom.dev/allow-ignore=*"},
		{"delete", "namespace", namespace},
		{"delete", "validatingwebhookconfiguration", plane.Release},
		{"create", "namespace", "of-my-own"},
	} {
		if out := tenant(attempt...); out.Code == 0 || !strings.Contains(out.Stderr, "orbidden") {
			t.Errorf("%v: exit code %d: %s%s", attempt, out.Code, out.Stdout, out.Stderr)
		}
	}
	yes := true
	for name, alter := range map[string]func(*corev1.Pod){
		"nothing": func(*corev1.Pod) {},
		"labels of the namespace": func(pod *corev1.Pod) {
			pod.Labels = map[string]string{"headroom.dev/mode": "off", corev1.LabelMetadataName: "kube-system"}
		},
		"annotations of the namespace": func(pod *corev1.Pod) {
			pod.Annotations["headroom.dev/mode"] = "off"
			pod.Annotations["headroom.dev/allow-ignore"] = "*"
			pod.Annotations["ignore.headroom.dev/HR202"] = "I want to"
		},
		"it was fixed already": func(pod *corev1.Pod) { pod.Annotations[applied] = "[]" },
		"a Deployment that is not there": func(pod *corev1.Pod) {
			pod.OwnerReferences = []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "Deployment", Name: "shop", UID: "6a2ca8a7-0000-4000-8000-000000000000",
				Controller: &yes,
			}}
		},
	} {
		pod := wrong("a")
		alter(pod)
		out := cluster.KubectlAs(plane.Developer, text(t, pod), "create", "-n", namespace, "-f", "-")
		if out.Code == 0 || !strings.Contains(out.Stderr, "[HR202]") {
			t.Errorf("%s: exit code %d: %s", name, out.Code, out.Stderr)
		}
	}
	// An administrator of the cluster cannot rename it either: the API server writes the label.
	cluster.Must(t, "label", "--overwrite", "namespace", namespace, "kubernetes.io/metadata.name=kube-system")
	settle()
	if a := create(t.Context(), client(t), namespace, wrong("a"), true); !refused(a.err) {
		t.Errorf("renamed: %v", a.err)
	}
}
