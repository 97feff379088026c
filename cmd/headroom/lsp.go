//go:build !lean

package main

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/lint/editor"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

func lspCommand() *cobra.Command {
	var config configFlags
	var from sourceFlags
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Judge manifests in an editor, while they are typed",
		Long: `Speak the Language Server Protocol with an editor, over standard input and output: findings while
you type, as headroom lint has them for the folder; fixes and exemptions as actions; the class, the
memory budget and the CPU arithmetic of a container on hover; names and values of annotations, rules
and headroom.yaml.

An editor starts it. docs/editors.md has the settings of VS Code, Neovim and Helix.

Exit code 0: the editor said shutdown and exit. 1: it went without. 2: it does not speak the protocol.`,
		Example: `  headroom lsp`,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runLSP(cmd, config, from) },
	}
	flags := cmd.Flags()
	flags.Bool("stdio", true, "speak over standard input and output, the only way; editors add it")
	config.add(flags)
	config.images.addLock(flags)
	flags.BoolVar(&from.hidden, "hidden", false, "read also folders whose names begin with a dot, except .git")
	return completed(cmd, nil)
}

func runLSP(cmd *cobra.Command, config configFlags, from sourceFlags) error {
	debug.SetGCPercent(gcPercent)
	options := editor.Options{
		Rules:   config.optionsFor,
		Source:  from.options(),
		Version: versionString(),
		Log:     cmd.ErrOrStderr(),
	}
	charts := from.chart("")
	options.Source.FolderCharts = &charts
	in := cmd.InOrStdin()
	closing := func() error { return nil }
	if closer, ok := in.(io.Closer); ok {
		closing = closer.Close
	}
	clean, err := editor.Serve(cmd.Context(), in, cmd.OutOrStdout(), closing, options)
	switch {
	case err != nil:
		return fmt.Errorf("headroom lsp is for editors: %w", err)
	case !clean && cmd.Context().Err() == nil:
		return exitError(exitFindings)
	case !clean:
		return errors.New("stopped")
	}
	return nil
}

// optionsFor are the options for what is judged in a folder: the config is the nearest from there upwards.
func (f *configFlags) optionsFor(folder string) (engine.Options, error) {
	here := *f
	if here.file == "" && !here.none {
		file, err := settings.Find(folder)
		if err != nil {
			return engine.Options{}, err
		}
		here.file, here.none = file, file == ""
	}
	return here.options()
}
