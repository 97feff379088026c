//go:build !lean

package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/baseline"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// checkContexts says what --contexts does not go with.
func (f *auditFlags) checkContexts() error {
	if len(f.contexts) == 0 {
		return nil
	}
	switch {
	case f.watch.on:
		return errors.New("--watch watches one cluster: run it in each, with --cluster-name, in place of --contexts")
	case *f.kube.Context != "":
		return errors.New("--context names one cluster and --contexts several: give one of them")
	case *f.kube.APIServer != "" || *f.kube.ClusterName != "":
		return errors.New("--server and --cluster name one cluster: --contexts takes each from its context")
	case slices.Contains(f.contexts, ""):
		return errors.New("--contexts has an empty name")
	}
	for i, name := range f.contexts {
		if slices.Contains(f.contexts[:i], name) {
			return fmt.Errorf("--contexts names %s twice", name)
		}
	}
	return nil
}

// clusters judges what the flags name: one cluster, or several, one after the other.
func (f *auditFlags) clusters(
	cmd *cobra.Command, e *engine.Engine, with engine.Options, outputs []output,
) (*report.Report, baseline.Scope, error) {
	if len(f.contexts) == 0 {
		return f.auditCluster(cmd, e, with, outputs)
	}
	var reports []*report.Report
	var all baseline.Scope
	for _, name := range f.contexts {
		*f.kube.Context = name
		r, scope, err := f.auditCluster(cmd, e, with, outputs)
		if err != nil {
			// The others are judged all the same.
			r = &report.Report{Problems: []report.Problem{{Message: err.Error()}}}
		}
		reports = append(reports, r)
		for _, item := range scope {
			all = append(all, baseline.Context(name, item))
		}
	}
	return audit.Join(f.contexts, reports), all, nil
}

// auditCluster judges the cluster of the current context.
func (f *auditFlags) auditCluster(
	cmd *cobra.Command, e *engine.Engine, with engine.Options, outputs []output,
) (*report.Report, baseline.Scope, error) {
	options, err := f.options(outputs)
	if err != nil {
		return nil, nil, err
	}
	if f.config.images.from == lookUp {
		if e, err = f.lookInside(cmd, e, with, options); err != nil {
			return nil, nil, err
		}
	}
	progress := newProgress(f.noProgress)
	options.Progress = progress.read
	r, err := audit.Run(cmd.Context(), e, options)
	progress.finish()
	return r, scope(options), err
}
