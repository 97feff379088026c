//go:build !lean

package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func policiesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policies",
		Short: "Write the policies for a policy engine that a cluster runs already",
		Long: `Write the policies for a policy engine that a cluster runs already: the same
verdicts without a second webhook. A headroom.yaml goes into them.`,
	}
	cmd.AddCommand(newGatekeeper(), kyvernoCommand(), nativeCommand())
	return group(cmd)
}

// writePolicies writes to a file, or to standard output for "-".
func writePolicies(cmd *cobra.Command, file string, text []byte) error {
	if file != "-" {
		return replaceFile(file, text)
	}
	if _, err := cmd.OutOrStdout().Write(text); err != nil {
		return fmt.Errorf("write the policies: %w", err)
	}
	return nil
}
