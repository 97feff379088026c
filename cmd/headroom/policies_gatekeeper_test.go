package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPoliciesGatekeeper(t *testing.T) {
	dir := t.TempDir()
	config, out := filepath.Join(dir, "headroom.yaml"), filepath.Join(dir, "gatekeeper.yaml")
	const head = "apiVersion: headroom.dev/v1alpha1\nkind: Config\n"
	if err := os.WriteFile(config, []byte(head+"tolerance: 0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments := []string{"policies", "gatekeeper", "--config", config, "--enforce", "deny", "--output", out}
	if code := run(t.Context(), arguments); code != exitClean {
		t.Fatalf("exit code %d", code)
	}
	written, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"kind: ConstraintTemplate\n", "enforcementAction: deny\n", "      tolerance: 0.5\n"} {
		if !strings.Contains(string(written), want) {
			t.Errorf("no %q", want)
		}
	}

	if err := os.WriteFile(config, []byte(head+"toleranse: 0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code := run(t.Context(), arguments); code != exitFailed {
		t.Errorf("exit code %d for a config with a slip", code)
	}
	if after, err := os.ReadFile(out); err != nil || string(after) != string(written) {
		t.Errorf("the file was touched: %v", err)
	}
}
