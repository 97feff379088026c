//go:build !lean

package main

import (
	"bytes"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/policies/export/gatekeeper"
)

func newGatekeeper() *cobra.Command {
	var o gatekeeper.Options
	var config configFlags
	var file string
	cmd := &cobra.Command{
		Use:   "gatekeeper",
		Short: "Write the ConstraintTemplate and the Constraints for OPA Gatekeeper",
		Long: `Write a ConstraintTemplate with every rule, and Constraints that ask it about Pods
and workloads. They warn and refuse nothing; with --enforce deny, errors are
refused, and a second Constraint warns of the rest.

What headroom.yaml says stands in the parameters of the Constraints, where it can
be edited. The template is too large for the annotation that kubectl apply leaves
behind without --server-side.`,
		Example: `  headroom policies gatekeeper | kubectl apply --server-side -f -
  headroom policies gatekeeper --config headroom.yaml --enforce deny -o gatekeeper.yaml
  headroom policies gatekeeper -o gatekeeper.yaml && gator test -f gatekeeper.yaml -f deploy/`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Config, err = config.load(); err != nil {
				return err
			}
			debug.SetGCPercent(gcPercent)
			var written bytes.Buffer
			if err := gatekeeper.Write(&written, o); err != nil {
				return err
			}
			return writePolicies(cmd, file, written.Bytes())
		},
	}
	flags := cmd.Flags()
	config.add(flags)
	flags.StringVarP(&file, "output", "o", "-", "write to `FILE`; - is standard output")
	flags.StringVar(&o.Action, "enforce", gatekeeper.Actions[0],
		"what becomes of errors: "+strings.Join(gatekeeper.Actions, ", "))
	flags.StringSliceVar(&o.Excluded, "exclude-namespaces", gatekeeper.ExcludedNamespaces,
		"`NAMESPACES` that are not judged")
	return completed(cmd, map[string][]string{"enforce": gatekeeper.Actions})
}
