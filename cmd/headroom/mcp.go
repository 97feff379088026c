//go:build !lean

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/internal/assistant"
	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/policies/engine"
)

type mcpFlags struct {
	root    string
	config  configFlags
	kube    kubeFlags
	measure measureFlags
}

func mcpCommand() *cobra.Command {
	f := mcpFlags{kube: newKubeFlags()}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve lint, fix, explain and the rules to an assistant, over standard input and output",
		Long: `Serve an assistant by the Model Context Protocol over standard input and output: the tools lint, fix
(a diff, never written), explain, simulate, rules and size, and as resources the rules, classes and facts. An
assistant's client starts it: docs/assistant.md has the configuration.

It reads files below --root and nothing else. With --kubeconfig or --context it may ask that cluster, too
(audit, explain and, with --prometheus or --vpa, size): lists and gets, never a Secret. It writes nothing.`,
		Example: `  headroom mcp
  headroom mcp --root deploy
  headroom mcp --context staging --prometheus http://localhost:9090`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.root, "root", ".", "`FOLDER` whose files may be read, and no others")
	f.config.add(flags)
	f.config.images.addLock(flags)
	f.measure.add(flags)
	f.kube.AddFlags(flags)
	return cmd
}

// mcpPatience is how long one call may take; an assistant waits for its answer. It is chosen, and not measured.
const mcpPatience = 2 * time.Minute

func runMCP(cmd *cobra.Command, f *mcpFlags) error {
	if err := there(f.root); err != nil {
		return fmt.Errorf("--root %w", err)
	}
	// Paths of tools, and names in answers, are below the root.
	if err := os.Chdir(f.root); err != nil {
		return fmt.Errorf("--root %s: %w", f.root, cause(err))
	}
	root, err := os.OpenRoot(".")
	if err != nil {
		return fmt.Errorf("--root %s: %w", f.root, cause(err))
	}
	defer func() { _ = root.Close() }() // it was only read
	o := assistant.Options{
		Version: versionString(), Root: root, Engine: (&keptEngine{flags: &f.config}).get, Patience: mcpPatience,
	}
	if o.Cluster, err = f.cluster(cmd); err != nil {
		return err
	}
	if _, err := o.Engine(cmd.Context()); err != nil { // a mistake in the config is told to who starts it
		return err
	}
	err = assistant.New(o).Run(cmd.Context(), &mcp.StdioTransport{})
	if cmd.Context().Err() != nil { // told to end
		return nil
	}
	return err
}

// cluster is the one that the flags name; a kubeconfig that only happens to be there is not asked.
func (f *mcpFlags) cluster(cmd *cobra.Command) (*assistant.Cluster, error) {
	measured := f.measure.vpa || f.measure.prometheus.URL != ""
	named := false
	for _, flag := range []string{"kubeconfig", "context", "cluster", "server"} {
		named = named || cmd.Flags().Changed(flag)
	}
	switch {
	case !named && measured:
		return nil, errors.New("--prometheus and --vpa say what Pods use: give --kubeconfig or --context, too, " +
			"which names their cluster")
	case !named:
		return nil, nil
	}
	config, err := f.config.load()
	if err != nil {
		return nil, err
	}
	f.measure.prometheus.Growth, f.measure.prometheus.Metrics = true, config["metrics"]
	scope := func(s assistant.Scope) (audit.Options, error) {
		flags := auditFlags{
			kube: f.kube, allNamespaces: s.All, selector: s.Selector, exclude: systemNamespaces, measure: f.measure,
		}
		o, err := flags.options(nil)
		if err == nil && s.Namespace != "" {
			o.Namespaces = []string{s.Namespace}
		}
		return o, err
	}
	if _, err := scope(assistant.Scope{}); err != nil {
		return nil, err
	}
	return &assistant.Cluster{Audit: scope, Measured: measured}, nil
}

// keptEngine has the policies with the config as it is; they are made again when the config changes.
type keptEngine struct {
	flags *configFlags

	mutex sync.Mutex
	with  engine.Options
	made  *engine.Engine
}

func (k *keptEngine) get(ctx context.Context) (*engine.Engine, error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	with, err := k.flags.options()
	if err != nil {
		return nil, err
	}
	if k.made == nil || !reflect.DeepEqual(with, k.with) {
		e, err := compile(ctx, with)
		if err != nil {
			return nil, err
		}
		k.made, k.with = e, with
	}
	return k.made, nil
}
