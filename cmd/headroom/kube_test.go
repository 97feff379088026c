package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A name and a password may stand in an address of the kubeconfig.
func TestAddressesWithoutPasswords(t *testing.T) {
	for text, want := range map[string]string{
		"https://host:6443":                          "https://host:6443",
		"https://user:kanarie@host:6443/a":           "https://host:6443/a",
		`parse "http://u:ka@na/rie@host/%zz": wrong`: `parse "http://host/%zz": wrong`,
		"https://a and mail@b":                       "https://a and mail@b",
	} {
		if got := withoutPassword(text); got != want {
			t.Errorf("%s: got %s", text, got)
		}
	}
	for _, cluster := range []string{
		`{server: "https://u:kanarie@127.0.0.1:1/%zz"}`,
		`{server: "https://127.0.0.1:1", proxy-url: "http://u:kanarie@[::1"}`,
	} {
		file := filepath.Join(t.TempDir(), "kubeconfig")
		text := "apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: " + cluster + "}]\n" +
			"contexts: [{name: a, context: {cluster: a, user: a}}]\ncurrent-context: a\nusers: [{name: a, user: {}}]\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Setenv("KUBECONFIG", file)
		if _, err := newKubeFlags().config("audit"); err == nil || strings.Contains(err.Error(), "kanarie") {
			t.Errorf("%s: %v", cluster, err)
		}
	}
}
