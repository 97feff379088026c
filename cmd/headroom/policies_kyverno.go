//go:build !lean

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/policies/export/cel"
	"github.com/headroom-dev/headroom/policies/export/kyverno"
)

func kyvernoCommand() *cobra.Command {
	var config configFlags
	var dir string
	cmd := &cobra.Command{
		Use:   "kyverno",
		Short: "Write the Kyverno policies for a config",
		Long: `Writes a folder with a ValidatingPolicy for each rule that CEL can judge, the MutatingPolicies,
a test beside each, and kustomizations: the folder itself warns, overlays/deny refuses what
is an error, overlays/mutate also fixes. They need Kyverno 1.19 or later.`,
		Example: `  headroom policies kyverno -o policies
  headroom policies kyverno --config headroom.yaml -o policies
  kubectl apply -k policies
  kyverno apply policies/*/policy.yaml --resource manifests/`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if dir == "" {
				return errors.New("the policies are many files: name the folder for them, as in -o policies")
			}
			overrides, err := config.load()
			if err != nil {
				return err
			}
			files, err := kyvernoFiles(cmd.Context(), overrides)
			if err != nil {
				return err
			}
			for _, f := range files {
				if err := writeBelow(dir, f.Path, f.Text); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(cmd.ErrOrStderr(), "%d files written below %s\n", len(files), dir)
			return err
		},
	}
	config.add(cmd.Flags())
	cmd.Flags().StringVarP(&dir, "output", "o", "", "write below this `FOLDER`")
	_ = cmd.MarkFlagDirname("output") // the flag exists
	return cmd
}

func kyvernoFiles(ctx context.Context, config map[string]any) ([]kyverno.File, error) {
	set, err := cel.New(ctx, config, kyverno.Dialect)
	if err != nil {
		return nil, err
	}
	policies, err := kyverno.Policies(set)
	if err != nil {
		return nil, err
	}
	tests, err := kyverno.Tests(ctx, set)
	return append(policies, tests...), err
}

// writeBelow writes a file and the folders that lead to it.
func writeBelow(dir, name string, text []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return replaceFile(file, text)
}
