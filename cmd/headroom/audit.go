//go:build !lean

package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/baseline"
	"github.com/headroom-dev/headroom/internal/render"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

type auditFlags struct {
	judgingFlags
	kube          kubeFlags
	contexts      []string
	allNamespaces bool
	selector      string
	exclude       []string
	pageSize      int64
	workers       int
	measure       measureFlags
	watch         watchFlags
}

// systemNamespaces are Kubernetes' own.
var systemNamespaces = []string{"kube-system", "kube-node-lease", "kube-public"}

func auditCommand() *cobra.Command {
	f := auditFlags{kube: newKubeFlags()}
	cmd := &cobra.Command{
		Use:   "audit [-n NAMESPACE | -A] [-l SELECTOR]",
		Short: "Judge what runs in a cluster: each owning workload once",
		Long: `Judge what runs in a cluster, by the same rules as headroom lint: each owning
workload once, with its replicas. Pods, ReplicaSets and Jobs that a controller manages are
judged with their owner. Labels and annotations of Namespaces, LimitRanges and ResourceQuotas
are taken into account, and the ConfigMaps that a workload takes variables from.

It lists and gets, page by page, and never reads a Secret. docs/audit-rbac.yaml has the rights
that it needs. What it may not read, or cannot, is in the report.

Exit code 0: nothing at or above --fail-on. 1: findings. 2: something could not be read; the
rest has been judged all the same.`,
		Example: `  headroom audit -n shop
  headroom audit -A -o table -o html=report.html
  headroom audit -A --prometheus http://localhost:9090
  headroom audit -A --contexts prod-eu,prod-us -o table -o html=report.html
  headroom audit -A --preview enforce
  headroom audit -A --baseline headroom-baseline.yaml
  headroom audit -n shop -l app=cart --as jane --fail-on never`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := f.baseline.mistaken(args); err != nil {
				return err
			}
			return noArguments(cmd, args)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return runAudit(cmd, &f) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false,
		"judge all namespaces but those of --exclude-namespaces")
	flags.StringSliceVar(&f.contexts, "contexts", nil,
		"`CONTEXTS` of the kubeconfig, for one report on several clusters")
	flags.StringVarP(&f.selector, "selector", "l", "", "label `SELECTOR` of the workloads to judge")
	flags.StringSliceVar(&f.exclude, "exclude-namespaces", systemNamespaces,
		"`NAMESPACES` that -A leaves out")
	f.measure.add(flags)
	f.watch.add(flags)
	flags.BoolVar(&f.noProgress, "no-progress", false, "show no progress")
	flags.Int64Var(&f.pageSize, "chunk-size", 500, "`NUMBER` of objects that a request asks for at most")
	flags.IntVar(&f.workers, "workers", 0, "`NUMBER` of workloads judged at a time; 0 is two a processor")
	f.kube.AddFlags(flags)
	return f.add(cmd, map[string][]string{"log-level": {"debug", "info", "warn", "error"}})
}

func runAudit(cmd *cobra.Command, f *auditFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if err := f.watch.idle(); err != nil {
		return err
	}
	if err := checkShow(f.view.show); err != nil {
		return err
	}
	outputs, err := parseOutputs(f.outputs, render.Formats(), "sarif=headroom.sarif")
	if err != nil {
		return err
	}
	with, err := f.config.options()
	if err != nil {
		return err
	}
	f.measure.prometheus.Metrics = with.Config["metrics"]
	if err := f.checkContexts(); err != nil {
		return err
	}
	if f.watch.on {
		if f.config.images.from == lookUp {
			return errors.New("--watch asks no registry: --images=FILE names a lock, which headroom images lock writes")
		}
		return f.watchCluster(cmd.Context(), with)
	}
	softMemory.Store(auditMemoryBytes)
	if err := f.baseline.load(nil); err != nil {
		return err
	}
	rules, err := rulesFor(outputs)
	if err != nil {
		return err
	}
	e, err := compile(cmd.Context(), with)
	if err != nil {
		return err
	}
	report, scope, err := f.clusters(cmd, e, with, outputs)
	if err != nil {
		return err
	}
	report.Version = versionString()
	report.Rules = rules
	if err := f.baseline.apply(report, scope, cmd.ErrOrStderr()); err != nil {
		return err
	}
	if err := f.write(cmd, outputs, report); err != nil {
		return err
	}
	hintFirstRun(cmd.ErrOrStderr(), outputs, report, with.Config != nil || f.config.none, &f.baseline)
	if report.ExitCode != exitClean {
		return exitError(report.ExitCode)
	}
	return nil
}

// lookInside reads the images that run, by the digests that the nodes reported.
func (f *auditFlags) lookInside(cmd *cobra.Command, e *engine.Engine, with engine.Options, o audit.Options) (*engine.Engine, error) {
	wanted, err := audit.RunningImages(cmd.Context(), o)
	if err != nil {
		if f.config.images.registries.required {
			return nil, err
		}
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "headroom: no image was looked up: %s\n", terminal.Printable(err.Error()))
		return e, nil
	}
	lock, err := f.config.images.registries.read(cmd.Context(), e, wanted, cmd.ErrOrStderr())
	if err != nil {
		return nil, err
	}
	with.ImageLock = lock.Document()
	return compile(cmd.Context(), with)
}

// scope is what a baseline of this audit speaks for.
func scope(o audit.Options) baseline.Scope {
	scope := baseline.Scope{baseline.Cluster}
	if !o.All {
		scope = nil
		for _, name := range o.Namespaces {
			scope = append(scope, baseline.Namespace(name))
		}
	}
	if o.Selector != "" {
		// With a selector the audit covers a part of them: the same part only for the same selector.
		for i := range scope {
			scope[i] += " " + o.Selector
		}
	}
	return scope
}

// options are what the flags and the kubeconfig say together.
func (f *auditFlags) options(outputs []output) (audit.Options, error) {
	config, name, err := f.cluster()
	if err != nil {
		return audit.Options{}, err
	}
	o := audit.Options{
		Config: config, ContextName: name, All: f.allNamespaces, Exclude: f.exclude,
		Selector: f.selector, PageSize: f.pageSize, Workers: f.workers,
		Preview: f.preview.mode, PreviewMutate: f.preview.mutate,
		Details: slices.ContainsFunc(outputs, func(o output) bool {
			return o.format == "html" || o.format == "json" || o.format == "table" && f.view.verbose
		}),
	}
	if !o.All {
		namespace, err := f.kube.namespace()
		if err != nil {
			return o, err
		}
		o.Namespaces = []string{namespace}
	}
	source, err := f.measure.forContext(name).source(config)
	if err != nil {
		return o, err
	}
	if source != nil {
		o.Measure = source
	}
	return o, nil
}

// cluster is how to reach it, and what the kubeconfig calls it.
func (f *auditFlags) cluster() (*rest.Config, string, error) {
	config, err := f.kube.config("audit")
	if err != nil {
		return nil, "", err
	}
	name := *f.kube.Context
	if name == "" {
		if raw, err := f.kube.ToRawKubeConfigLoader().RawConfig(); err == nil {
			name = raw.CurrentContext
		}
	}
	if name == "" {
		name = withoutPassword(config.Host)
	}
	return config, name, nil
}
