//go:build !lean

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/explain"
	"github.com/headroom-dev/headroom/policies/engine"
)

// target is the workload in a cluster that the arguments name; false where they name files.
func (f *explainFlags) target(cmd *cobra.Command, args []string) (explain.Target, bool, error) {
	if len(args) != 1 || f.source.rendered() > 0 {
		return explain.Target{}, false, nil
	}
	_, err := os.Stat(args[0])
	there := err == nil
	asked := cmd.Flags().Changed("namespace") || cmd.Flags().Changed("context") || cmd.Flags().Changed("kubeconfig")
	target, ok := explain.TargetOf(args[0])
	switch {
	case ok && (asked || !there):
		return target, true, nil
	case ok || there || !asked || args[0] == "-":
		return explain.Target{}, false, nil
	case strings.Count(args[0], "/") != 1:
		return explain.Target{}, false, fmt.Errorf("%s is neither a file nor KIND/NAME", args[0])
	}
	kind, _, _ := strings.Cut(args[0], "/")
	return explain.Target{}, false, fmt.Errorf("%q is not a kind of workload; these are: %s", kind, kindList())
}

func kindList() string {
	var names []string
	for _, k := range cluster.Kinds {
		names = append(names, strings.ToLower(k.Kind))
	}
	return strings.Join(names, ", ")
}

func (f *explainFlags) live(
	ctx context.Context, e *engine.Engine, target explain.Target, o explain.Options,
) (*explain.Report, error) {
	if f.workload != "" {
		return nil, errors.New("KIND/NAME names the workload: leave out --workload, which chooses among files")
	}
	config, err := f.kube.config("explain")
	if err != nil {
		return nil, err
	}
	if target.Namespace, err = f.kube.namespace(); err != nil {
		return nil, err
	}
	reader, err := cluster.New(cluster.Options{Config: config})
	if err != nil {
		return nil, err
	}
	return explain.Live(ctx, e, reader, target, o)
}
