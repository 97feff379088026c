//go:build !lean

package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/internal/handover"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/lint/source"
)

func commands() []*cobra.Command {
	return []*cobra.Command{
		lintCommand(), imagesCommand(), auditCommand(), rulesCommand(), policiesCommand(), webhookCommand(), versionCommand(),
		annotateCommand(), diagnoseCommand(), sizeCommand(), fixCommand(), initCommand(), explainCommand(), simulateCommand(),
		lspCommand(), mcpCommand(), manCommand(),
	}
}

// here says that this program has what is asked for: everything.
func here(*cobra.Command, []string) bool { return true }

// finish adds what cobra has of its own.
func finish(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.AddCommand(kubectlCompletionCommand())
		group(completion)
	}
}

// begin serves what other processes of headroom start this one for, and lets charts be rendered in one more.
func begin() {
	if source.HelmAsked() {
		os.Exit(source.RunHelm(os.Args[1:], os.Stderr))
	}
	arguments, err := handover.Received(versionString(), os.Args[1:])
	if err != nil {
		refuseHandover(err)
	}
	if len(arguments) == 1 && arguments[0] == source.RenderCommand {
		serveRenderings()
	}
	os.Args = append(os.Args[:1], arguments...)
	source.Confine()
}

// serveRenderings is the process that renders charts and kustomizations, apart from this one.
func serveRenderings() {
	if err := source.ServeRenderings(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "headroom:", terminal.Lines(err.Error()))
		os.Exit(exitFailed)
	}
	os.Exit(exitClean)
}
