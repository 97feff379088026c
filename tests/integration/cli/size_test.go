//go:build integration

package cli

import (
	"strings"
	"testing"
)

const sizedCart = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cart}
spec:
  replicas: 2
  selector: {matchLabels: {app: cart}}
  template:
    metadata:
      labels: {app: cart}
      annotations: {headroom.dev/workload-class: latency-sensitive, runtime.headroom.dev/app: native}
    spec:
      containers:
      - name: app
        image: registry.example/cart:1
        resources:
          requests: {cpu: {{ .Values.cpu }}, memory: {{ .Values.memory }}}
          limits: {memory: {{ .Values.memory }}}
`

func TestSize(t *testing.T) {
	plain := strings.NewReplacer("{{ .Values.cpu }}", `"1"`, "{{ .Values.memory }}", "512Mi").Replace(sizedCart)
	dir := write(t, map[string]string{
		"use.json":                 measuredUse,
		"cart.yaml":                plain,
		"shop/Chart.yaml":          "{apiVersion: v2, name: shop, version: 1.0.0}\n",
		"shop/values.yaml":         "cpu: 1\nmemory: 512Mi\n",
		"shop/templates/cart.yaml": sizedCart,
	})
	patch := headroom(t, dir, "", "size", "cart.yaml", "--measured", "use.json", "-o", "patch")
	const want = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cart
spec:
  template:
    spec:
      containers:
      - name: app
        resources:
          limits:
            memory: 1225Mi
          requests:
            cpu: 250m
            memory: 1225Mi
`
	if patch.code != 0 || patch.stdout != want {
		t.Errorf("exit code %d\n%s%s", patch.code, patch.stdout, patch.stderr)
	}
	values := headroom(t, dir, "", "size", "--helm-chart", "shop", "-n", "shop", "--measured", "use.json", "-o", "values")
	for _, line := range []string{"cpu: 250m\n", "memory: 1225Mi\n", "# into your values file"} {
		if values.code != 0 || !strings.Contains(values.stdout, line) {
			t.Errorf("exit code %d, no %q\n%s%s", values.code, line, values.stdout, values.stderr)
		}
	}
	table := headroom(t, dir, "", "size", "cart.yaml", "--measured", "use.json")
	for _, text := range []string{"Deployment cart, 2 replicas", "2.00 → 0.50 cores (-1.50)", "1.00 → 2.39 GiB (+1.39)"} {
		if !strings.Contains(strings.Join(strings.Fields(table.stdout), " "), text) {
			t.Errorf("no %q in\n%s%s", text, table.stdout, table.stderr)
		}
	}
}

func TestSizeRefuses(t *testing.T) {
	dir := write(t, map[string]string{"use.json": measuredUse, "cart.yaml": unannotated, "broken.yaml": "a: ["})
	for _, c := range []struct {
		code      int
		says      string
		arguments []string
	}{
		{2, "no measurements", nil},
		{2, "--measured is for manifests", []string{"--measured", "use.json"}},
		{2, "needs --helm-chart", []string{"cart.yaml", "-o", "values"}},
		{2, "leave out the paths", []string{"cart.yaml", "--helm-chart", "shop", "-o", "values"}},
		{2, "-A and -l choose", []string{"cart.yaml", "-A"}},
		{2, `"yaml" is not one of table`, []string{"cart.yaml", "-o", "yaml"}},
		{2, "broken.yaml:1: broken YAML", []string{"broken.yaml"}},
		{0, "its class is not set", []string{"cart.yaml"}},
		{0, "Nothing was measured", []string{"cart.yaml"}},
	} {
		got := headroom(t, dir, "", append([]string{"size"}, c.arguments...)...)
		if got.code != c.code || !strings.Contains(got.stdout+got.stderr, c.says) {
			t.Errorf("%v: exit code %d, %s%s", c.arguments, got.code, got.stdout, got.stderr)
		}
	}
}
