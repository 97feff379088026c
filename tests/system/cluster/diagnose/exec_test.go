//go:build system

// Package diagnose asks containers through a real API server's exec, as kubectl does: the
// kubelet behind it is played, and the containers are processes under real limits.
package diagnose

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	authentication "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit/diagnose"
	"github.com/headroom-dev/headroom/internal/audit/diagnose/collect"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/tests/harness/cage"
	"github.com/headroom-dev/headroom/tests/harness/defaults"
	"github.com/headroom-dev/headroom/tests/harness/plane"
)

var cluster *plane.Plane

func TestMain(m *testing.M) {
	os.Exit(plane.Main(m, plane.Options{NoWebhook: true}, &cluster))
}

// local runs the commands on this machine as it is: for what is asked of the API server, any
// container will do.
type local struct{}

func (local) Exec(_ context.Context, command []string, stdout, _ io.Writer) error {
	switch {
	case strings.Contains(strings.Join(command, " "), "/sys/fs/cgroup/cpu.stat"):
		_, err := io.WriteString(stdout, "==> /sys/fs/cgroup/cpu.stat <==\n"+
			"nr_periods 600\nnr_throttled 60\nthrottled_usec 750000\n"+
			"==> /sys/fs/cgroup/memory.current <==\n1048576\n==> /sys/fs/cgroup/memory.stat <==\ninactive_file 0\n"+
			"==> /sys/fs/cgroup/memory.max <==\n67108864\n==> /sys/fs/cgroup/memory.events <==\noom_kill 0\n")
		return err
	case command[0] == "sh":
		return &collect.ExitError{Code: 3}
	}
	return errors.New(`exec: "` + command[0] + `": executable file not found in $PATH`)
}

// pod makes a Pod that runs on a node, as its status tells.
func pod(t *testing.T, namespace, node string, status corev1.ContainerStatus, command ...string) {
	t.Helper()
	pods := cluster.Client.CoreV1().Pods(namespace)
	limits := corev1.ResourceList{
		corev1.ResourceMemory: resource.MustParse("400Mi"), corev1.ResourceCPU: resource.MustParse("500m"),
	}
	made, err := pods.Create(t.Context(), &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "cart"},
		Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{
			Name: "app", Image: "shop/cart:1", Command: command, Resources: corev1.ResourceRequirements{Limits: limits},
			Env: []corev1.EnvVar{{Name: "PASSWORD", Value: "swordfish"}},
		}}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	status.Name = "app"
	made.Status.Phase = corev1.PodRunning
	made.Status.ContainerStatuses = []corev1.ContainerStatus{status}
	if _, err := pods.UpdateStatus(t.Context(), made, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

var running = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}}

// as is the configuration of a ServiceAccount that may do this and nothing else.
func as(t *testing.T, namespace, name string, rules ...rbacv1.PolicyRule) *rest.Config {
	t.Helper()
	account, err := cluster.Client.CoreV1().ServiceAccounts(namespace).Create(t.Context(),
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = cluster.Client.RbacV1().Roles(namespace).Create(t.Context(),
		&rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: name}, Rules: rules}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = cluster.Client.RbacV1().RoleBindings(namespace).Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: account.Name}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	token, err := cluster.Client.CoreV1().ServiceAccounts(namespace).CreateToken(t.Context(), name,
		&authentication.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config := rest.AnonymousClientConfig(cluster.Config)
	config.BearerToken = token.Status.Token
	return config
}

func rule(verb, what string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{what}, Verbs: []string{verb}}
}

func live(t *testing.T, config *rest.Config, namespace string, o diagnose.Options) (*diagnose.Report, error) {
	t.Helper()
	e := defaults.Engine(t)
	return diagnose.Live(t.Context(), e, config, diagnose.Target{Namespace: namespace, Pod: "cart"}, o)
}

func check(r *diagnose.Report, name string) engine.Check {
	for _, c := range r.Checks {
		if c.Check == name {
			return c
		}
	}
	return engine.Check{}
}

// A process under limits of this machine, through the API server's exec. Without cgroup v1 and
// root it cannot be made, and the canned answers of local stand in.
func TestThroughTheAPIServer(t *testing.T) {
	n := startNode(t, "node-real")
	namespace := cluster.Namespace(t)
	killed := &corev1.ContainerStateTerminated{
		Reason: "OOMKilled", ExitCode: 137, FinishedAt: metav1.NewTime(time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)),
	}
	pod(t, namespace, "node-real", corev1.ContainerStatus{
		State: running, RestartCount: 1, LastTerminationState: corev1.ContainerState{Terminated: killed},
	}, "java", "-Xmx128m", "-jar", "cart.jar")
	var x collect.Executor = local{}
	limits := cage.Limits{MemoryBytes: 64 << 20, MilliCPU: 200}
	c, err := cage.Start(t.TempDir(), limits, []string{"PATH=" + os.Getenv("PATH")},
		"timeout", "600", "sh", "-c", "while :; do :; done")
	if err != nil {
		t.Logf("this machine makes no cage: %v", err)
	} else {
		t.Cleanup(c.Close)
		x = c
	}
	n.put(namespace+"/cart/app", x)

	// What the docs say that it needs: the fallback to SPDY makes create alone enough.
	config := as(t, namespace, "sre", rule("get", "pods"), rule("create", "pods/exec"))
	folder := t.TempDir()
	report, err := live(t, config, namespace, diagnose.Options{
		Options: collect.Options{Interval: 2 * time.Second}, Save: folder, Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Problems) > 0 {
		t.Fatalf("problems: %q", report.Problems)
	}
	// Each period in which the machine lets it run is cut short; a busy machine lets it run in fewer.
	if c := check(report, "cpu-throttled"); c.Status != engine.StatusWarning && c.Status != engine.StatusError {
		t.Errorf("%+v", c)
	}
	if c := check(report, "memory"); c.Status != engine.StatusOK || !strings.Contains(c.Message, "of 64 MiB") {
		t.Errorf("%+v", c)
	}
	kills := check(report, "oom-kills")
	if kills.Status != engine.StatusError || !strings.Contains(kills.Message, "2026-11-20T10:00:00Z") {
		t.Errorf("%+v", kills)
	}
	if report.Findings == nil || report.Findings.Warnings == 0 || len(report.Regions) == 0 {
		t.Errorf("of the manifest: findings %+v, regions %+v", report.Findings, report.Regions)
	}
	for _, command := range n.asked() {
		if !strings.HasPrefix(command, "sh -c ") && !strings.HasPrefix(command, "cat /") {
			t.Errorf("another command was run: %q", command)
		}
	}
	again(t, folder, report)

	// Who may get as well goes by a WebSocket.
	config = as(t, namespace, "kubectl", rule("get", "pods"), rule("get", "pods/exec"), rule("create", "pods/exec"))
	report, err = live(t, config, namespace, diagnose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := check(report, "memory"); c.Status != engine.StatusOK || len(report.Problems) > 0 {
		t.Errorf("by a WebSocket: %+v, problems %q", c, report.Problems)
	}
}

// again judges the saved folder, which must come to the same and hold nothing of the environment.
func again(t *testing.T, folder string, report *diagnose.Report) {
	t.Helper()
	e := defaults.Engine(t)
	reports, err := diagnose.From(t.Context(), e, folder, diagnose.Target{Pod: "cart"})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range reports[0].Checks {
		if c != report.Checks[i] {
			t.Errorf("of the folder %+v, and live %+v", c, report.Checks[i])
		}
	}
	err = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "swordfish") {
			t.Errorf("%s holds a variable's value", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestForbidden(t *testing.T) {
	n := startNode(t, "node-forbidden")
	namespace := cluster.Namespace(t)
	pod(t, namespace, "node-forbidden", corev1.ContainerStatus{State: running})
	n.put(namespace+"/cart/app", local{})
	report, err := live(t, as(t, namespace, "reader", rule("get", "pods")), namespace, diagnose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Problems) != 1 || !strings.Contains(report.Problems[0], "forbidden") ||
		!strings.Contains(report.Problems[0], "pods/exec") {
		t.Errorf("problems: %q", report.Problems)
	}
	if c := check(report, "restarts"); c.Status != engine.StatusOK {
		t.Errorf("what the API tells is lost: %+v", c)
	}
	if commands := n.asked(); len(commands) > 0 {
		t.Errorf("commands were run: %q", commands)
	}
	_, err = live(t, as(t, namespace, "nobody"), namespace, diagnose.Options{})
	if err == nil || !strings.Contains(err.Error(), "get on pods") {
		t.Errorf("without get: %v", err)
	}
}

func TestContainerThatDoesNotRun(t *testing.T) {
	namespace := cluster.Namespace(t)
	pod(t, namespace, "node-a", corev1.ContainerStatus{
		RestartCount: 7,
		State:        corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
		LastTerminationState: corev1.ContainerState{
			Terminated: &corev1.ContainerStateTerminated{Reason: "Error", ExitCode: 1},
		},
	})
	report, err := live(t, cluster.Config, namespace, diagnose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := check(report, "restarts"); c.Status != engine.StatusWarning || c.Value != "7" {
		t.Errorf("%+v", c)
	}
	if len(report.Notes) != 1 || !strings.Contains(report.Notes[0], "CrashLoopBackOff") || len(report.Problems) > 0 {
		t.Errorf("notes %q, problems %q", report.Notes, report.Problems)
	}
}

// A node that is gone: the report still comes.
func TestNodeThatDoesNotAnswer(t *testing.T) {
	startNode(t, "node-gone") // the container was not told of it
	namespace := cluster.Namespace(t)
	pod(t, namespace, "node-gone", corev1.ContainerStatus{State: running})
	o := diagnose.Options{Options: collect.Options{Timeout: 10 * time.Second}}
	report, err := live(t, cluster.Config, namespace, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Problems) != 1 || check(report, "memory").Status != engine.StatusUnknown {
		t.Errorf("problems %q", report.Problems)
	}
}
