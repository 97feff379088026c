//go:build system

// Package explain asks `headroom explain -n NS KIND/NAME` about workloads of a real API server.
package explain

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	authentication "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/explain"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

var live *plane.Plane

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{NoWebhook: true, AuditReads: true}, &live))
}

const objects = `apiVersion: v1
kind: LimitRange
metadata: {name: usual}
spec: {limits: [{type: Container, default: {memory: 2Gi}, defaultRequest: {cpu: 250m}}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: jvm}
data: {JAVA_TOOL_OPTIONS: -Xmx1g -XX:ParallelGCThreads=25}
---
apiVersion: v1
kind: Secret
metadata: {name: keys}
stringData: {PASSWORD: swordfish}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: cart}
spec:
  replicas: 1
  selector: {matchLabels: {app: cart}}
  template:
    metadata:
      labels: {app: cart}
      annotations: {headroom.dev/workload-class: latency-sensitive}
    spec:
      containers:
      - name: cart
        image: registry.example/cart:1
        command: [java, -jar, cart.jar]
        envFrom: [{configMapRef: {name: jvm}}, {secretRef: {name: keys}}]
        resources: {limits: {cpu: "2"}}
`

// TestLive explains a workload with what stands around it, and one of its Pods, by the program.
func TestLive(t *testing.T) {
	namespace := live.Namespace(t)
	if out := live.KubectlAs("admin", objects, "apply", "-n", namespace, "-f", "-"); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	pod := live.Pods(t, namespace, "app=cart", 1)[0].Name
	headroom := program.Headroom(t)
	explain := func(arguments ...string) (stdout, stderr string, code int) {
		t.Helper()
		return run(t, headroom, append([]string{"explain", "--kubeconfig", live.Kubeconfig, "-n", namespace}, arguments...)...)
	}
	stdout, stderr, code := explain("deploy/cart", "--timeline")
	for _, text := range []string{
		"Deployment " + namespace + "/cart", "LimitRange " + namespace + "/usual", "-XX:ParallelGCThreads=25", "ConfigMap",
		"25 GC threads", "FROZEN",
	} {
		if !strings.Contains(stdout, text) || code != 0 {
			t.Errorf("exit code %d, does not say %q:\n%s%s", code, text, stdout, stderr)
		}
	}
	if strings.Contains(stdout+stderr, "swordfish") {
		t.Error("tells a secret")
	}
	stdout, stderr, code = explain("pod/" + pod)
	if code != 0 || !strings.Contains(stdout, "It was made by ReplicaSet cart-") {
		t.Errorf("exit code %d:\n%s%s", code, stdout, stderr)
	}
	stdout, stderr, code = explain("sts/cart")
	if code != 2 || !strings.Contains(stderr, "StatefulSet cart in namespace "+namespace+": not found") {
		t.Errorf("exit code %d:\n%s%s", code, stdout, stderr)
	}
	var events []plane.AuditEvent
	plane.Eventually(t, "the API server's log", func() (err error) {
		events, err = live.AuditEventsThat(func(e *plane.AuditEvent) bool {
			return strings.HasPrefix(e.UserAgent, "headroom-explain/") && e.ObjectRef.Namespace == namespace
		})
		if err == nil && len(events) == 0 {
			err = errors.New("it has nothing")
		}
		return err
	})
	for _, e := range events {
		if e.ObjectRef.Resource == "secrets" || !slices.Contains([]string{"get", "list"}, e.Verb) {
			t.Errorf("%s %s was asked for", e.Verb, e.ObjectRef.Resource)
		}
	}
}

// TestFewRights: who may only get Deployments is told what was not seen, and the rest is explained.
func TestFewRights(t *testing.T) {
	namespace := live.Namespace(t)
	if out := live.KubectlAs("admin", objects, "apply", "-n", namespace, "-f", "-"); out.Code != 0 {
		t.Fatal(out.Stderr)
	}
	reader, err := cluster.New(cluster.Options{Config: only(t, namespace)})
	if err != nil {
		t.Fatal(err)
	}
	e := defaults.Engine(t)
	target, ok := explain.TargetOf("deployments/cart")
	if !ok {
		t.Fatal("deployments/cart names nothing")
	}
	target.Namespace = namespace
	r, err := explain.Live(t.Context(), e, reader, target, explain.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, p := range r.Problems {
		said = append(said, p.Message)
	}
	all := strings.Join(said, "\n")
	for _, what := range []string{"list limitranges", "list resourcequotas", "get namespaces"} {
		if !strings.Contains(all, what) {
			t.Errorf("does not say %q: %s", what, all)
		}
	}
	if len(r.Workloads) != 1 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "ConfigMaps") {
		t.Errorf("%d workloads, notes %q", len(r.Workloads), r.Notes)
	}
	target.Kind, _ = explain.KindNamed("pod")
	if _, err := explain.Live(t.Context(), e, reader, target, explain.Options{}); err == nil ||
		!strings.Contains(err.Error(), "your role does not allow it") {
		t.Errorf("%v", err)
	}
}

// only is the configuration of a ServiceAccount that may get Deployments and nothing else.
func only(t *testing.T, namespace string) *rest.Config {
	t.Helper()
	meta := metav1.ObjectMeta{Name: "reader"}
	if _, err := live.Client.CoreV1().ServiceAccounts(namespace).Create(t.Context(),
		&corev1.ServiceAccount{ObjectMeta: meta}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	may := []rbacv1.PolicyRule{{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: []string{"get"}}}
	if _, err := live.Client.RbacV1().Roles(namespace).Create(t.Context(),
		&rbacv1.Role{ObjectMeta: meta, Rules: may}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := live.Client.RbacV1().RoleBindings(namespace).Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: meta.Name},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: meta.Name}},
	}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	token, err := live.Client.CoreV1().ServiceAccounts(namespace).CreateToken(t.Context(), meta.Name,
		&authentication.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config := rest.AnonymousClientConfig(live.Config)
	config.BearerToken = token.Status.Token
	return config
}

func run(t *testing.T, file string, arguments ...string) (stdout, stderr string, code int) {
	t.Helper()
	return program.Run(t, exec.CommandContext(t.Context(), file, arguments...))
}
