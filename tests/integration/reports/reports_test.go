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
	for module, folder := range map[string]string{
		"github.com/openreports/reports-api": "config/crd", "github.com/kyverno/kyverno": "config/crds/policyreport",
	} {
		c.kubectl(t, "", "apply", "--server-side", "-f", filepath.Join(program.Module(t, "kyverno", module), folder))
	}
	c.kubectl(t, "", "wait", "--for=condition=Established", "crd", "--all", "--timeout=5m")
	c.kubectl(t, "", "apply", "-f", filepath.Join(dir, "shop.yaml"))
	c.takesGolden(t)
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

// takesGolden applies what the renderer's golden files have, which no field of is unknown to the kinds.
func (c cluster) takesGolden(t *testing.T) {
	t.Helper()
	for _, namespace := range []string{"edge", "platform"} {
		c.kubectl(t, "", "create", "namespace", namespace)
	}
	files, err := filepath.Glob(repo.Path("internal", "render", "policyreport", "testdata", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	applied := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nkind: ") {
			c.kubectl(t, "", "apply", "--dry-run=server", "--validate=strict", "-f", file)
			applied++
		}
	}
	if applied < 8 {
		t.Errorf("%d golden files have a report", applied)
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
