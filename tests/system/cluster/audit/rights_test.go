//go:build system

package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/tests/harness/plane"
)

// as is the configuration of a user, by impersonation.
func as(user, agent string) *rest.Config {
	config := rest.CopyConfig(cluster.Config)
	config.Impersonate.UserName = user
	config.UserAgent = agent
	return config
}

// flagsInConfigMap is a JVM whose flags are in a ConfigMap, and a Secret that must not be read.
const flagsInConfigMap = `
apiVersion: v1
kind: ConfigMap
metadata: {name: flags}
data: {JAVA_TOOL_OPTIONS: "-Xmx3g"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: other}
data: {JAVA_TOOL_OPTIONS: "-Xmx1g"}
---
apiVersion: v1
kind: Secret
metadata: {name: hidden}
stringData: {JDK_JAVA_OPTIONS: "-Xmx1g"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: java}
spec:
  selector: {matchLabels: {app: java}}
  template:
    metadata: {labels: {app: java}}
    spec:
      containers:
        - name: app
          image: registry.example/app:1
          command: [java, -jar, app.jar]
          env:
            - name: JDK_JAVA_OPTIONS
              valueFrom: {secretKeyRef: {name: hidden, key: JDK_JAVA_OPTIONS, optional: true}}
          envFrom: [{configMapRef: {name: flags}}]
          resources: {limits: {memory: 2Gi}}
`

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(cluster.Root(), "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// bind gives a user a Role that lists Pods, and waits for it to hold.
func bind(t *testing.T, namespace, role, user string) {
	t.Helper()
	cluster.Must(t, "create", "rolebinding", role, "-n", namespace, "--role", role, "--user", user)
	allowed(t, user, "list", "pods", "-n", namespace)
}

// allowed waits for the API server's authorizer, whose informers learn of a binding later than
// its writer does.
func allowed(t *testing.T, user string, what ...string) {
	t.Helper()
	eventually(t, "the rights of "+user, func() error {
		out := cluster.Kubectl(append([]string{"auth", "can-i", "--as", user}, what...)...)
		if out.Code != 0 {
			return fmt.Errorf("%s%s", out.Stdout, out.Stderr)
		}
		return nil
	})
}

// The rights in the docs are enough, and no more is used. As that user nothing is missing. The API
// server's own log has lists and gets only, none of a Secret.
func TestRightsOfTheDocs(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, flagsInConfigMap)
	apply(t, "", document(t, "audit-rbac.yaml"))
	const user = "system:serviceaccount:headroom-audit:auditor"
	allowed(t, user, "list", "pods", "-A")
	agent := "headroom-audit/" + t.Name()
	r := sound(t, run(t, audit.Options{Config: as(user, agent), All: true, Exclude: []string{"kube-system"}}))
	// 3 GiB of heap in 2 GiB: only the ConfigMap tells.
	if got := findings(r, "Deployment", "java"); !slices.Contains(got, "HR304 app") {
		t.Errorf("the ConfigMap was not taken into account: %q", got)
	}
	held(t, agent, user, namespace)
}

// held looks into the API server's log: what the audit asked for.
func held(t *testing.T, agent, user, namespace string) {
	t.Helper()
	asked := 0
	var events []plane.AuditEvent
	eventually(t, "the API server's log", func() (err error) {
		events, err = cluster.AuditEventsThat(func(e *plane.AuditEvent) bool { return e.UserAgent == agent })
		if err == nil && (len(events) < 10 || !slices.ContainsFunc(events, func(e plane.AuditEvent) bool {
			return e.ObjectRef.Namespace == namespace && e.ObjectRef.Resource == "configmaps"
		})) {
			err = fmt.Errorf("%d events of %s, or nobody has asked for the ConfigMap", len(events), agent)
		}
		return err
	})
	for _, e := range events {
		switch {
		case e.Verb != "get" && e.Verb != "list":
			t.Errorf("%s %s", e.Verb, e.RequestURI)
		case e.ObjectRef.Resource == "secrets" || strings.Contains(e.RequestURI, "secrets"):
			t.Errorf("a Secret was asked for: %s", e.RequestURI)
		case e.ObjectRef.Resource == "configmaps" && e.Verb != "get":
			t.Errorf("%s %s: more than a workload names", e.Verb, e.RequestURI)
		case e.ObjectRef.Namespace == namespace && e.ObjectRef.Resource == "configmaps":
			if asked++; asked > 1 || e.ObjectRef.Name != "flags" {
				t.Errorf("%s, which no workload takes variables from, or which has been read", e.RequestURI)
			}
		case e.ImpersonatedUser.Username != user:
			t.Errorf("%s %s as %q", e.Verb, e.RequestURI, e.ImpersonatedUser.Username)
		}
	}
}

// The Role of the docs is enough for its namespace.
func TestRoleOfTheDocs(t *testing.T) {
	namespace := cluster.Namespace(t, "headroom.dev/mode=enforce")
	apply(t, namespace, flagsInConfigMap)
	apply(t, namespace, document(t, "audit-rbac-namespace.yaml"))
	bind(t, namespace, "headroom-audit", "jane")
	other := cluster.Namespace(t)
	agent := "headroom-audit/" + t.Name()
	r := sound(t, run(t, audit.Options{Config: as("jane", agent), Namespaces: []string{namespace}}))
	if got := workloads(r); !slices.Equal(got, []string{"Deployment/java ×1"}) {
		t.Errorf("%q", got)
	}
	if len(r.Cluster.Namespaces) != 1 || r.Cluster.Namespaces[0].Mode != "enforce" {
		t.Errorf("namespaces: %+v", r.Cluster.Namespaces)
	}
	held(t, agent, "jane", namespace)

	// What she may not do is said, with the rule that would allow it.
	r = run(t, audit.Options{Config: as("jane", agent), Namespaces: []string{namespace, other}})
	said := problems(r)
	for _, want := range []string{
		"forbidden in namespace " + other + "; a Role there",
		`{apiGroups: [""], resources: [limitranges, pods, replicationcontrollers, resourcequotas], verbs: [get, list]}`,
		`{apiGroups: [""], resources: [namespaces], verbs: [get]}`,
		`{apiGroups: ["apps"], resources: [daemonsets, deployments, replicasets, statefulsets], verbs: [get, list]}`,
		`{apiGroups: ["batch"], resources: [cronjobs, jobs], verbs: [get, list]}`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in:\n%s", want, said)
		}
	}
	if len(r.Problems) != 1 || len(r.Workloads) != 1 {
		t.Errorf("%d problems and %d workloads, want 1 and 1", len(r.Problems), len(r.Workloads))
	}
}

// Who may list Namespaces but not everything in them gets what he may see.
func TestForbiddenInSomeNamespaces(t *testing.T) {
	mine, other := cluster.Namespace(t), cluster.Namespace(t)
	for _, namespace := range []string{mine, other} {
		apply(t, namespace, workload("Deployment", "web", "replicas: 2"))
		cluster.Pods(t, namespace, "app=web", 2)
	}
	apply(t, mine, document(t, "audit-rbac-namespace.yaml"))
	bind(t, mine, "headroom-audit", "joe")
	r := run(t, audit.Options{Config: as("joe", ""), All: true})
	if said := problems(r); !strings.Contains(said, "forbidden in the whole cluster") || len(r.Workloads) != 0 {
		t.Errorf("%d workloads, %s", len(r.Workloads), said)
	}
	cluster.Must(t, "create", "clusterrole", "namespace-reader", "--verb=list", "--resource=namespaces")
	cluster.Must(t, "create", "clusterrolebinding", "joe", "--clusterrole=namespace-reader", "--user=joe")
	allowed(t, "joe", "list", "namespaces", "-A")
	r = run(t, audit.Options{Config: as("joe", ""), All: true})
	if got := workloads(r); !slices.Equal(got, []string{"Deployment/web ×2"}) {
		t.Errorf("%q", got)
	} else if r.Workloads[0].Resource.Namespace != mine {
		t.Errorf("of %s", r.Workloads[0].Resource.Namespace)
	}
	// The namespaces of the other tests are among them, and some are only counted.
	if said := problems(r); !strings.HasPrefix(said, "forbidden in namespaces default, ") ||
		strings.Contains(said, mine+",") || strings.Contains(said, mine+";") {
		t.Errorf("%s", said)
	}
}

// An account that may not list Deployments still learns of them by their ReplicaSets.
func TestForbiddenKind(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, workload("Deployment", "web", "replicas: 2"))
	cluster.Pods(t, namespace, "app=web", 2)
	cluster.Must(t, "create", "role", "some", "-n", namespace, "--verb=get,list",
		"--resource=pods,replicasets.apps,limitranges,resourcequotas,statefulsets.apps,daemonsets.apps,jobs.batch")
	bind(t, namespace, "some", "ann")
	r := run(t, audit.Options{Config: as("ann", ""), Namespaces: []string{namespace}})
	if got := workloads(r); !slices.Equal(got, []string{"Deployment/web ×2"}) {
		t.Errorf("%q", got)
	}
	said := problems(r)
	for _, want := range []string{"deployments", "cronjobs", "replicationcontrollers", "namespaces"} {
		if !strings.Contains(said, want) {
			t.Errorf("nothing of %s in %s", want, said)
		}
	}
}

// Without the right to get ConfigMaps, flags in them are unknown, and that is no failure.
func TestForbiddenConfigMaps(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, flagsInConfigMap)
	role := strings.Replace(document(t, "audit-rbac-namespace.yaml"), "resources: [configmaps]", "resources: [none]", 1)
	apply(t, namespace, role)
	bind(t, namespace, "headroom-audit", "tom")
	r := sound(t, run(t, audit.Options{Config: as("tom", ""), Namespaces: []string{namespace}}))
	if got := findings(r, "Deployment", "java"); slices.Contains(got, "HR304 app") || !slices.Contains(got, "HR412 app") {
		t.Errorf("%q", got)
	}
	if got := skipped(r); !slices.Equal(got, []string{"ConfigMaps of namespace " + namespace}) {
		t.Errorf("skipped: %q", got)
	}
}
