//go:build integration

// Package reports gives what `-o policyreport` and `-o openreports` write to a real API server with the real kinds.
package reports

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/tests/harness/apitest"
	"github.com/headroom-dev/headroom/tests/harness/program"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

var (
	binary string
	server *apitest.Server
)

func TestMain(m *testing.M) {
	os.Exit(apitest.Run(m, func(s *apitest.Server) error {
		server = s
		return nil
	}))
}

// cluster runs kubectl as the administrator.
type cluster struct {
	kubeconfig string
}

func (c cluster) kubectl(t *testing.T, stdin string, arguments ...string) string {
	t.Helper()
	command := exec.Command(program.Tool(t, "kubectl"), append([]string{"--kubeconfig", c.kubeconfig}, arguments...)...)
	command.Stdin = strings.NewReader(stdin)
	stdout, stderr, code := program.Run(t, command)
	if code != 0 {
		t.Fatalf("kubectl %q: %s", arguments, stderr)
	}
	return stdout
}

const workloads = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: cart, namespace: shop}
spec: &spec
  selector: {matchLabels: {app: cart}}
  template:
    metadata:
      labels: {app: cart}
      annotations: {headroom.dev/workload-class: latency-sensitive}
    spec:
      containers:
        - name: app
          image: node:22
          env: [{name: TOKEN, value: canary}]
          resources:
            requests: {cpu: "1", memory: 1Gi}
            limits: {cpu: "2", memory: 1Gi}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: checkout}
spec:
  selector: {matchLabels: {app: checkout}}
  template:
    metadata:
      labels: {app: checkout}
      annotations: {headroom.dev/workload-class: latency-sensitive}
    spec:
      containers:
        - name: app
          image: node:22
          resources: {requests: {cpu: "1", memory: 1Gi}, limits: {cpu: "2", memory: 1Gi}}
`

func TestReports(t *testing.T) {
	dir := t.TempDir()
	binary = program.Headroom(t)
	c := cluster{filepath.Join(dir, "kubeconfig")}
	program.Write(t, dir, map[string]string{"kubeconfig": string(server.KubeConfig), "shop.yaml": workloads})
	crds := filepath.Join(repo.Root(), "internal", "render", "policyreport", "testdata")
	for _, kind := range []string{
		"openreports.io_reports", "openreports.io_clusterreports", "wgpolicyk8s.io_policyreports", "wgpolicyk8s.io_clusterpolicyreports",
	} {
		c.kubectl(t, "", "apply", "-f", filepath.Join(crds, kind+".yaml"))
	}
	c.kubectl(t, "", "wait", "--for=condition=Established", "crd", "--all", "--timeout=5m")
	c.kubectl(t, "", "apply", "-f", filepath.Join(dir, "shop.yaml"))
	for format, resource := range map[string]string{
		"policyreport": "policyreports.wgpolicyk8s.io", "openreports": "reports.openreports.io",
	} {
		t.Run(format, func(t *testing.T) {
			for name, arguments := range map[string][]string{
				"headroom-lint":  {"lint", filepath.Join(dir, "shop.yaml")},
				"headroom-audit": {"audit", "-A", "--kubeconfig", c.kubeconfig},
			} {
				run := exec.Command(binary, append(arguments, "-o", format, "--fail-on", "never")...)
				run.Dir = dir
				text, stderr, code := program.Run(t, run)
				if code != 0 || strings.Contains(text, "canary") {
					t.Fatalf("code %d, %s\n%s", code, stderr, text)
				}
				// Twice: the second finds what the first wrote.
				for range 2 {
					c.kubectl(t, text, "apply", "--validate=strict", "-f", "-")
				}
				for namespace, workload := range map[string]string{"shop": "cart", "default": "checkout"} {
					c.check(t, resource, namespace, name, workload)
				}
			}
		})
	}
}

// check looks at the report of a namespace, as a dashboard reads it.
func (c cluster) check(t *testing.T, resource, namespace, name, workload string) {
	t.Helper()
	var stored struct {
		Summary map[string]int
		Results []struct {
			Policy, Rule, Result, Severity, Source, Message string
			Resources                                       []struct{ Kind, Name, Namespace string }
		}
	}
	text := c.kubectl(t, "", "get", resource, "-n", namespace, name, "-o", "json")
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		t.Fatal(err)
	}
	fails := 0
	for _, r := range stored.Results {
		if r.Result != "fail" {
			continue
		}
		fails++
		if r.Rule != "HR202" || r.Policy != "latency-cpu-limit" || r.Severity != "high" || r.Source != "headroom" || r.Message == "" ||
			len(r.Resources) != 1 || r.Resources[0].Kind != "Deployment" || r.Resources[0].Name != workload {
			t.Errorf("%s/%s: %+v", namespace, name, r)
		}
	}
	if fails != 1 || stored.Summary["fail"] != 1 {
		t.Errorf("%s/%s: %s", namespace, name, text)
	}
	columns := strings.Fields(strings.Split(c.kubectl(t, "", "get", resource, "-n", namespace, name), "\n")[0])
	if !strings.Contains(strings.Join(columns, " "), "PASS FAIL WARN ERROR SKIP") {
		t.Errorf("columns %q", columns)
	}
}
