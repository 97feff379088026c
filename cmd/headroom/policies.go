package main

import "github.com/spf13/cobra"

func policiesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policies",
		Short: "Write the policies for a policy engine that a cluster runs already",
		Long: `Write the policies for a policy engine that a cluster runs already: the same
verdicts without a second webhook. A headroom.yaml goes into them.`,
	}
	cmd.AddCommand(newGatekeeper(), kyvernoCommand(), nativeCommand())
	return cmd
}
