package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ofKubectl are flags that kubectl has, too, and that its own pages tell of.
const ofKubectl = " as as-group as-uid as-user-extra cache-dir certificate-authority client-certificate client-key cluster " +
	"context disable-compression insecure-skip-tls-verify kubeconfig proxy-url request-timeout server tls-server-name token user "

// A page tells of each flag: who reads the pages alone finds it.
func TestFlagsAreInThePages(t *testing.T) {
	var pages strings.Builder
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../lint/*.md", "../../charts/headroom/README.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pages.Write(text)
		}
	}
	var visit func(*cobra.Command)
	visit = func(command *cobra.Command) {
		for _, next := range command.Commands() {
			if next.Name() != "completion" {
				visit(next)
			}
		}
		command.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" || strings.Contains(ofKubectl, " "+f.Name+" ") {
				return
			}
			if !strings.Contains(pages.String(), "--"+f.Name) {
				t.Errorf("no page tells of %s --%s", command.CommandPath(), f.Name)
			}
		})
	}
	visit(rootCommand())
}
