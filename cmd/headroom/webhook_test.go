package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWebhookFlagsThatAreRefused(t *testing.T) {
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(kubeconfig, []byte("no kubeconfig"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"--default-mode":                 {"--default-mode", "loud"},
		"--default-mutate":               {"--default-mutate", "yes"},
		"--log-level":                    {"--log-level", "loud"},
		"--kubeconfig":                   {"--kubeconfig", kubeconfig},
		"--namespace":                    {"--self-signed", "--namespace="},
		"this is not a Pod of a cluster": {},
	} {
		root := rootCommand()
		root.SetArgs(append([]string{"webhook"}, args...))
		if err := root.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("webhook %v: %v, want a word on %s", args, err, want)
		}
	}
}
