package main

import (
	"os"

	"github.com/spf13/cobra"
)

func rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "headroom",
		Short: "CPU and memory headroom for Kubernetes workloads",
		Long: `headroom looks at each container of a manifest, works out what kind of workload
it is (latency-sensitive, batch, sidecar, cron, multi-tenant) and what runs in it
(a JVM, Go, a worker pool), and says whether its requests, limits, memory headroom
and JVM flags are right: why, with the arithmetic, and what would be.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       versionString(),
	}
	root.SetFlagErrorFunc(unknownFlag)
	root.DisableSuggestions = true // unknownCommand makes one, on the same line
	root.AddCommand(commands()...)
	finish(root)
	asPlugin(root, os.Args[0])
	return root
}
