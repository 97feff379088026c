//go:build lean

package main

import (
	"context"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/headroom-dev/headroom/internal/explain"
	"github.com/headroom-dev/headroom/internal/handover"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// The lean program has the commands that a person waits for most, and hands over all else to headroom-full beside it: see
// docs/decisions/0013-start.md.

func commands() []*cobra.Command {
	return []*cobra.Command{
		lintCommand(), rulesCommand(), versionCommand(), fixCommand(), explainCommand(), simulateCommand(),
	}
}

// here says whether a lean program has the command itself. Help, completion and what is mistyped are not: they tell of
// all commands and all flags.
func here(root *cobra.Command, args []string) bool {
	if len(args) == 0 || slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		return false
	}
	return args[0] == "--version" || slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == args[0] })
}

// finish leaves help, which lists all commands, and flags that are not known here to the full program.
func finish(root *cobra.Command) {
	root.SetFlagErrorFunc(func(*cobra.Command, error) error { return handover.ErrFull })
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { os.Exit(handOver(cmd.ErrOrStderr())) })
}

// begin has charts and kustomizations rendered by that program.
func begin() {
	if handover.Handed(os.Args[1:]) {
		refuseHandover(handover.ErrLean)
	}
	source.ConfineTo(handover.Program, handover.Arguments(versionString(), source.RenderCommand)...)
}

// kubeFlags has no flags here: who gives one asks a cluster, and the full program knows it.
type kubeFlags struct{ Namespace *string }

func newKubeFlags() kubeFlags { return kubeFlags{new(string)} }

func (kubeFlags) AddFlags(*pflag.FlagSet) {}

// registryFlags has none either.
type registryFlags struct{}

func (registryFlags) add(*pflag.FlagSet) {}

func lookInside(*cobra.Command, *imageFlags, *engine.Engine, lint.Options) (map[string]any, lint.Options, error) {
	return nil, lint.Options{}, handover.ErrFull
}

// target leaves to the full program whether an argument names a workload in a cluster, where it may.
func (f *explainFlags) target(_ *cobra.Command, args []string) (none, bool, error) {
	if len(args) == 1 && args[0] != "-" && f.source.rendered() == 0 && there(args[0]) != nil {
		return none{}, false, handover.ErrFull
	}
	return none{}, false, nil
}

type none struct{}

func (*explainFlags) live(context.Context, *engine.Engine, none, explain.Options) (*explain.Report, error) {
	return nil, handover.ErrFull
}
