//go:build system

package audit

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/tests/harness/plane"
	"github.com/headroom-dev/headroom/tests/harness/program"
)

// sleeper is a workload with nothing to fix.
const sleeper = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: sleeper, labels: {team: night}}
spec:
  selector: {matchLabels: {app: sleeper}}
  template:
    metadata:
      labels: {app: sleeper}
      annotations: {headroom.dev/workload-class: batch}
    spec:
      containers:
        - name: app
          image: registry.example/app:1
          resources:
            requests: {cpu: 500m, memory: 64Mi}
            limits: {cpu: "1", memory: 64Mi}
---`

type printed struct {
	Summary  report.Summary   `json:"summary"`
	Problems []report.Problem `json:"problems"`
}

func parse(t *testing.T, o output) printed {
	t.Helper()
	var p printed
	if err := json.Unmarshal([]byte(o.stdout), &p); err != nil {
		t.Fatalf("%v: %s%s", err, o.stdout, o.stderr)
	}
	return p
}

func TestExitCodes(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, sleeper)
	forbidden := cluster.Namespace(t)
	developer := filepath.Join(cluster.Dir, plane.Developer+".kubeconfig")
	for _, c := range []struct {
		name      string
		arguments []string
		code      int
		workloads int
		says      string
	}{
		{"sound", nil, 0, 1, ""},
		{"findings", []string{"--fail-on=info", "-n", "kube-system-like"}, 2, 0, "there is no namespace kube-system-like"},
		{"forbidden", []string{"--as=nobody", "-n", forbidden}, 2, 0, "forbidden in namespace " + forbidden},
		{"a group that may", []string{"--as=nobody", "--as-group=system:masters"}, 0, 1, ""},
		{"who may not be another", []string{"--as=jane", "--kubeconfig=" + developer}, 2, 0, "need the right to impersonate"},
		{"unreachable", []string{"--server=https://127.0.0.1:1"}, 2, 0, "connection refused"},
		{"a wrong token", []string{"--token=wrong", "--kubeconfig=" + tokenConfig(t)}, 2, 0, "Unauthorized"},
		{"a selector that fits", []string{"-l", "team=night"}, 0, 1, ""},
		{"a selector that does not", []string{"-l", "team!=night"}, 0, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := headroom(t, append([]string{"audit", "-n", namespace, "-o", "json"}, c.arguments...)...)
			p := parse(t, out)
			if out.code != c.code || p.Summary.Workloads != c.workloads {
				t.Errorf("exit code %d with %d workloads, want %d with %d\n%s", out.code, p.Summary.Workloads,
					c.code, c.workloads, out.stdout)
			}
			said := ""
			for _, problem := range p.Problems {
				said += problem.Message + "\n"
			}
			if !strings.Contains(said, c.says) || c.says == "" && said != "" {
				t.Errorf("%q, want %q", said, c.says)
			}
		})
	}
	saidToBeServices(t, namespace)
	apply(t, namespace, workload("Deployment", "web", "replicas: 1"))
	for level, code := range map[string]int{"error": 1, "never": 0} {
		if out := headroom(t, "audit", "-n", namespace, "--fail-on", level); out.code != code {
			t.Errorf("--fail-on %s: exit code %d, want %d\n%s", level, out.code, code, out.stdout)
		}
	}
}

// tokenConfig is a kubeconfig that has no user.
func tokenConfig(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(cluster.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kubeconfig")
	before, _, _ := strings.Cut(string(text), "users:")
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// What cannot be run at all is an error, and no report.
func TestWrongCommands(t *testing.T) {
	for want, arguments := range map[string][]string{
		"--fail-on":             {"--fail-on=always"},
		"output format":         {"-o", "yaml"},
		`context "nowhere"`:     {"--context=nowhere"},
		"no such file":          {"--kubeconfig=/nowhere"},
		"read the selector":     {"-l", "a in ("},
		"--preview":             {"--preview=loud"},
		"takes no arguments":    {"shop"},
		"nowhere/headroom.yaml": {"--config=nowhere/headroom.yaml"},
	} {
		out := headroom(t, append([]string{"audit"}, arguments...)...)
		if out.code != 2 || out.stdout != "" || !strings.Contains(out.stderr, want) {
			t.Errorf("audit %v: exit code %d\n%s%s", arguments, out.code, out.stdout, out.stderr)
		}
	}
}

// As krew installs it, and as kubectl finds it.
func TestKubectlPlugin(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, sleeper)
	file, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(file, filepath.Join(dir, "kubectl-headroom")); err != nil {
		t.Fatal(err)
	}
	kubectl := func(arguments ...string) string {
		c := exec.CommandContext(t.Context(), program.Tool(t, "kubectl"), arguments...)
		c.Env = []string{"HOME=" + dir, "PATH=" + dir, "KUBECONFIG=" + cluster.Kubeconfig}
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	if out := kubectl("headroom", "audit", "-n", namespace, "-o", "json"); !strings.Contains(out, `"workloads": 1`) {
		t.Errorf("kubectl headroom audit:\n%s", out)
	}
	help := kubectl("headroom", "audit", "--help")
	if !strings.Contains(help, "kubectl headroom audit [-n") ||
		!strings.Contains(help, "  kubectl headroom audit -n shop") {
		t.Errorf("help:\n%s", help)
	}
	if strings.Contains(help, "\n  headroom ") {
		t.Errorf("help speaks of headroom alone:\n%s", help)
	}
}

// hanging is an API server that does not answer for one resource.
func hanging(t *testing.T, resource string) (address string, asked chan struct{}) {
	t.Helper()
	target, err := url.Parse(cluster.Server)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(cluster.Config)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.Transport = transport
	asked = make(chan struct{}, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if strings.HasSuffix(request.URL.Path, "/"+resource) {
			asked <- struct{}{}
			<-request.Context().Done()
			return
		}
		proxy.ServeHTTP(w, request)
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// Ctrl-C: what was judged is reported, and said to be a part. Nothing tells when the workload has been judged, so that
// a busy machine gets more time.
func TestInterrupt(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, sleeper)
	var out output
	var p printed
	for _, judging := range []time.Duration{0, time.Second, 10 * time.Second} {
		out = interrupted(t, judging, "audit", "-n", namespace, "-o", "json")
		if p = parse(t, out); p.Summary.Workloads > 0 {
			break
		}
	}
	if out.code != 130 || p.Summary.Workloads != 1 || len(p.Problems) != 2 ||
		p.Problems[0].Message != "interrupted: 1 workload had been judged, the rest is missing" ||
		!strings.HasSuffix(p.Problems[1].Message, ": jobs.batch, pods") {
		t.Errorf("exit code %d\n%s", out.code, out.stdout)
	}
}

// interrupted is a command that gets Ctrl-C while it waits for Jobs, after a while.
func interrupted(t *testing.T, after time.Duration, arguments ...string) output {
	t.Helper()
	server, asked := hanging(t, "jobs")
	c, stdout, stderr := command(t, append(arguments, "--server", server)...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	time.Sleep(after)
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // the exit code says it
	return output{stdout.String(), stderr.String(), c.ProcessState.ExitCode()}
}

// An API server that does not answer is given up after --request-timeout, and once.
func TestSlowServer(t *testing.T) {
	namespace := cluster.Namespace(t)
	apply(t, namespace, sleeper)
	server, asked := hanging(t, "daemonsets")
	out := headroom(t, "audit", "-n", namespace, "--server", server, "-o", "json", "--request-timeout=1s")
	p := parse(t, out)
	if out.code != 2 || p.Summary.Workloads != 1 || len(p.Problems) != 2 {
		t.Fatalf("exit code %d\n%s", out.code, out.stdout)
	}
	if !strings.Contains(p.Problems[0].Message, "list daemonsets.apps of namespace "+namespace) ||
		!strings.Contains(p.Problems[1].Message,
			"cronjobs.batch, replicationcontrollers, replicasets.apps, jobs.batch, pods") {
		t.Errorf("%+v", p.Problems)
	}
	if len(asked) != 4 {
		t.Errorf("asked %d times", len(asked))
	}
}
