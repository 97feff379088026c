//go:build integration

// Package kyverno runs Kyverno's own tests of what `headroom policies kyverno` writes.
package kyverno

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/headroom-dev/headroom/policies/export/cel"
	"github.com/headroom-dev/headroom/policies/export/kyverno"
	"github.com/headroom-dev/headroom/tests/harness/repo"
)

// Each policy is held to what the Rego says of its rule's examples, or makes of their Pods.
func TestPolicies(t *testing.T) {
	set, err := cel.New(t.Context(), nil, kyverno.Dialect)
	if err != nil {
		t.Fatal(err)
	}
	policies, err := kyverno.Policies(set)
	if err != nil {
		t.Fatal(err)
	}
	tests, err := kyverno.Tests(t.Context(), set)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range append(policies, tests...) {
		file := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.CommandContext(t.Context(), repo.Tool("kyverno"), "test", dir, "--remove-color").CombinedOutput()
	if err != nil || !strings.Contains(string(out), " and 0 tests failed") {
		t.Errorf("kyverno test: %v\n%s", err, out)
	}
}

// A Pod of the control plane is skipped in kube-system, where the conformance puts no object.
func TestTheControlPlaneIsSkipped(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: api, namespace: NAMESPACE, labels: {tier: control-plane}}\n" +
		"spec: {hostNetwork: true, containers: [{name: api, image: example.com/api:1.0}]}\n"
	policy := repo.Path("policies", "export", "kyverno", "memory-missing", "policy.yaml")
	for namespace, want := range map[string]string{"kube-system": "pass: 1, fail: 0,", "shop": "pass: 0, fail: 1,"} {
		file := filepath.Join(t.TempDir(), "pod.yaml")
		if err := os.WriteFile(file, []byte(strings.Replace(pod, "NAMESPACE", namespace, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		out, _ := exec.CommandContext(t.Context(), repo.Tool("kyverno"), "apply", policy, "--resource", file, "--remove-color").CombinedOutput()
		if !strings.Contains(string(out), want) {
			t.Errorf("%s: %s", namespace, out)
		}
	}
}
