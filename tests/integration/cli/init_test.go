//go:build integration

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const served = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: app
          ports: [{containerPort: 8080}]
          readinessProbe: {httpGet: {path: /, port: 8080}}
          resources: {requests: {cpu: 100m, memory: 1Gi}, limits: {cpu: "2", memory: 2Gi}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front}
spec:
  rules:
    - http:
        paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: mail-worker}
spec:
  template:
    metadata: {labels: {app: mail-worker}}
    spec:
      containers: [{name: app, resources: {requests: {cpu: 100m, memory: 1Gi}, limits: {memory: 1Gi}}}]
`

// TestInit goes the way that init describes: look, write, review, lint.
func TestInit(t *testing.T) {
	dir := write(t, map[string]string{"deploy/web.yaml": served})
	got := headroom(t, dir, "", "init")
	if got.code != 0 || strings.Count(got.stdout, "\n") > 10 {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	for _, want := range []string{
		"2 workloads, 2 containers\n",
		"class suggested for 2 workloads: batch 1, latency-sensitive 1\n",
		"headroom.yaml is written: 1 class row for you to review, 1 more as comments\n",
		"headroom-baseline.yaml is written: ",
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%q is not in\n%s", want, got.stdout)
		}
	}
	config := text(t, filepath.Join(dir, "headroom.yaml"))
	for _, want := range []string{
		"\n  - {class: latency-sensitive, labels: {\"app\": \"web\"}} # Ingress front leads to it; Service web selects it, with a readiness probe\n",
		"\n#   - {class: batch, labels: {\"app\": \"mail-worker\"}} # it is named like a queue consumer, and no Service leads to it\n",
	} {
		if !strings.Contains(config, want) {
			t.Errorf("%q is not in\n%s", want, config)
		}
	}
	// What was found is known, and the class is judged by now.
	if lint := headroom(t, dir, "", "lint", ".", "--baseline", "headroom-baseline.yaml"); lint.code != 0 {
		t.Errorf("exit code %d\n%s", lint.code, lint.stdout)
	}
	if lint := headroom(t, dir, "", "lint", "deploy"); lint.code != 1 || !strings.Contains(lint.stdout, "HR202") {
		t.Errorf("exit code %d\n%s", lint.code, lint.stdout)
	}
}

// TestInitOverwritesNothing: also where a folder above has the config.
func TestInitOverwritesNothing(t *testing.T) {
	const own = "apiVersion: headroom.dev/v1alpha1\nkind: Config\ndefaultClass: batch\n"
	dir := write(t, map[string]string{"headroom.yaml": own, "headroom-baseline.yaml": "mine\n", "deploy/web.yaml": served})
	for _, at := range []string{".", "deploy"} {
		got := headroom(t, filepath.Join(dir, at), "", "init")
		if got.code != 0 || !strings.Contains(got.stdout, "headroom.yaml is there already and stays as it is") {
			t.Errorf("%s: exit code %d\n%s%s", at, got.code, got.stdout, got.stderr)
		}
	}
	if text(t, filepath.Join(dir, "headroom.yaml")) != own || text(t, filepath.Join(dir, "headroom-baseline.yaml")) != "mine\n" {
		t.Error("a file that was there is another")
	}
	if _, err := os.Stat(filepath.Join(dir, "deploy/headroom.yaml")); err == nil {
		t.Error("a second headroom.yaml below the first")
	}
	other := write(t, map[string]string{
		"headroom.yaml": "apiVersion: headroom.dev/v1alpha1\nkind: Config\n", "deploy/web.yaml": served,
	})
	if got := headroom(t, other, "", "init"); !strings.Contains(got.stdout, "classes that it lacks, as suggested:\n  - {class: latency-sensitive, ") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	printed := headroom(t, dir, "", "init", "--print")
	if printed.code != 0 || !strings.HasPrefix(printed.stdout, "# ") || !strings.Contains(printed.stdout, "classes: []\n") {
		t.Errorf("exit code %d\n%s", printed.code, printed.stdout)
	}
	broken := write(t, map[string]string{"a.yaml": "a: [\n"})
	got := headroom(t, broken, "", "init")
	if got.code != 2 || !strings.Contains(got.stdout, "headroom-baseline.yaml is not written") {
		t.Errorf("exit code %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
