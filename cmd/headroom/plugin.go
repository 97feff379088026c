package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

// asPlugin makes help speak of `kubectl headroom` where the binary is called
// kubectl-headroom, as krew installs it.
func asPlugin(root *cobra.Command, binary string) {
	if !strings.HasPrefix(filepath.Base(binary), "kubectl-headroom") {
		return
	}
	root.Annotations = map[string]string{cobra.CommandDisplayNameAnnotation: "kubectl headroom"}
	rename(root)
}

func rename(cmd *cobra.Command) {
	lines := strings.Split(cmd.Example, "\n")
	for i, line := range lines {
		for _, start := range []string{"  ", "| "} {
			line = strings.ReplaceAll(line, start+"headroom ", start+"kubectl headroom ")
		}
		lines[i] = line
	}
	cmd.Example = strings.Join(lines, "\n")
	for _, child := range cmd.Commands() {
		rename(child)
	}
}
