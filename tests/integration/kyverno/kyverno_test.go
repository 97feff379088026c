//go:build integration

// Package kyverno runs Kyverno's own tests of what `headroom policies kyverno` writes.
package kyverno

import (
	"errors"
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

// The page's file of values gives Kyverno's command the Namespaces, which it does not take from the manifests.
func TestNamespacesByTheValuesOfThePage(t *testing.T) {
	page, err := os.ReadFile(repo.Path("docs", "kyverno.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, values, _ := strings.Cut(string(page), "```yaml\napiVersion: cli.kyverno.io")
	values, _, found := strings.Cut("apiVersion: cli.kyverno.io"+values, "```")
	_, namespace, _ := strings.Cut(values, "namespaces:\n  - ")
	if !found || namespace == "" {
		t.Fatal("no file of values")
	}
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: api, namespace: tenant, annotations: {headroom.dev/workload-class: batch}}\n" +
		"spec: {containers: [{name: api, image: example.com/api:1.0, resources: {limits: {cpu: 4}}}]}\n"
	dir := t.TempDir()
	manifest, file := filepath.Join(dir, "pod.yaml"), filepath.Join(dir, "values.yaml")
	manifests := strings.ReplaceAll(namespace, "\n    ", "\n") + "---\n" + pod
	if err := errors.Join(os.WriteFile(manifest, []byte(manifests), 0o600), os.WriteFile(file, []byte(values), 0o600)); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"apply", "--resource", manifest, "--remove-color"}
	for _, rule := range []string{"class-not-allowed", "tenant-cpu-limit"} {
		arguments = append(arguments, repo.Path("policies", "export", "kyverno", rule, "policy.yaml"))
	}
	for want, more := range map[string][]string{"pass: 2, fail: 0,": nil, "pass: 0, fail: 2,": {"--values-file", file}} {
		out, _ := exec.CommandContext(t.Context(), repo.Tool("kyverno"), append(arguments, more...)...).CombinedOutput()
		if !strings.Contains(string(out), want) {
			t.Errorf("%v: %s", more, out)
		}
	}
}
