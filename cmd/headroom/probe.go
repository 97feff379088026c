//go:build !lean

package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/webhook/probe"
)

func probeCommand() *cobra.Command {
	var o probe.Options
	var kubeconfig string
	cmd := &cobra.Command{
		Use:   "probe",
		Short: "Ask the API server whether it finds, trusts and obeys the webhook",
		Long: `Ask the API server whether the webhook works, as helm test does: whether both
configurations have a CA, whether a Deployment with an error is refused by the rules and a
sound one is not. Nothing is created: the requests are dry runs.

The namespace must be labelled headroom.dev/mode=enforce. It is tried until --timeout.
Exit 0: it works; 2: it does not, and why.`,
		Example: `  kubectl create namespace try && kubectl label namespace try headroom.dev/mode=enforce
  headroom webhook probe --kubeconfig ~/.kube/config --namespace try`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Config, err = clusterConfig(kubeconfig); err != nil {
				return err
			}
			if err := probe.Run(cmd.Context(), o); err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), "The API server finds, trusts and obeys the webhook.")
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&o.Namespace, "namespace", "", "`NAMESPACE` in mode enforce, for the dry runs")
	flags.StringVar(&o.Webhook, "webhook-name", "headroom", "`NAME` of both webhook configurations")
	flags.DurationVar(&o.Timeout, "timeout", time.Minute, "`TIME` to go on trying")
	flags.StringVar(&kubeconfig, "kubeconfig", "", "kubeconfig `FILE`, outside a cluster")
	if err := cmd.MarkFlagRequired("namespace"); err != nil {
		panic(err)
	}
	return cmd
}
