//go:build !lean

package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/policies/export/cel"
)

func nativeCommand() *cobra.Command {
	var config configFlags
	var enforce, mutate bool
	var file string
	cmd := &cobra.Command{
		Use:   "native",
		Short: "Write the API server's own admission policies for a config",
		Long: `Writes a ValidatingAdmissionPolicy with every rule that CEL can judge, which warns, and its
binding. With --enforce it also writes the policy that refuses errors in the namespaces
labelled headroom.dev/mode=enforce, with --mutate the MutatingAdmissionPolicies that fix Pods in those
labelled headroom.dev/mutate=enabled. No webhook runs: the API server evaluates them itself.`,
		Example: `  headroom policies native | kubectl apply -f -
  headroom policies native --config headroom.yaml --enforce --mutate -o policies.yaml`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			overrides, err := config.load()
			if err != nil {
				return err
			}
			set, err := cel.New(cmd.Context(), overrides, cel.Native)
			if err != nil {
				return err
			}
			writers := []func() ([]byte, error){set.Validating}
			if enforce {
				writers = append(writers, set.Denying)
			}
			if mutate {
				writers = append(writers, set.Mutating)
			}
			var all [][]byte
			for _, write := range writers {
				text, err := write()
				if err != nil {
					return err
				}
				all = append(all, text)
			}
			return writePolicies(cmd, file, bytes.Join(all, []byte("---\n")))
		},
	}
	config.add(cmd.Flags())
	cmd.Flags().BoolVar(&enforce, "enforce", false, "add the policy that refuses errors in namespaces in enforce")
	cmd.Flags().BoolVar(&mutate, "mutate", false, "add the policies that fix Pods; they need Kubernetes 1.36")
	cmd.Flags().StringVarP(&file, "output", "o", "-", "write to `FILE`; - is standard output")
	return cmd
}
