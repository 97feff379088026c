//go:build !lean

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/internal/annotate"
	"github.com/headroom-dev/headroom/internal/inputs"
	"github.com/headroom-dev/headroom/internal/size"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest"
	"github.com/headroom-dev/headroom/policies/engine"
)

type sizeFlags struct {
	annotateFlags // what measures, the config, the sources and the cluster

	allNamespaces bool
	selector      string
	exclude       []string
	outputs       []string
}

func sizeCommand() *cobra.Command {
	f := sizeFlags{annotateFlags: annotateFlags{kube: newKubeFlags()}}
	cmd := &cobra.Command{
		Use:   "size [-n NAMESPACE | -A] (--prometheus URL | --vpa) | PATH…",
		Short: "Say what each container should have, from measured use, its class and what runs in it",
		Long: `Say what each container should have: requests, limits, a JVM's processors and heap, variables
of runtimes, and the target of a HorizontalPodAutoscaler; with the arithmetic, how well the
use is known, and what all replicas then reserve. Nothing is written to the cluster.

Without a path it sizes what runs in a cluster. A path is a file or a folder, whose workloads
are sized by what --prometheus, --vpa or --measured say of them, or else by the annotations
that headroom annotate writes.

Exit code 0: done. 2: something could not be read; the rest has been sized all the same.`,
		Example: `  headroom size -n shop --prometheus http://localhost:9090
  headroom size -A --prometheus http://localhost:9090 -o markdown
  headroom size -n shop --prometheus http://localhost:9090 -o patch > sizes.yaml
  headroom size deploy/
  headroom size --helm-chart charts/shop --measured use.json -o values`,
		RunE: func(cmd *cobra.Command, args []string) error { return runSize(cmd, args, &f) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "size all namespaces but those of --exclude-namespaces")
	flags.StringVarP(&f.selector, "selector", "l", "", "label `SELECTOR` of the workloads to size")
	flags.StringSliceVar(&f.exclude, "exclude-namespaces", systemNamespaces, "`NAMESPACES` that -A leaves out")
	outputFlag(flags, &f.outputs, size.Formats)
	f.measure.add(flags)
	flags.StringVar(&f.measured, "measured", "",
		"take measured use from `FILE`, as headroom audit -o json writes it; no cluster is asked")
	f.config.add(flags)
	f.config.images.addLock(flags)
	f.source.add(flags, "and size the result", "and size the result")
	f.kube.AddFlags(flags)
	return completed(cmd, map[string][]string{"output": size.Formats})
}

func runSize(cmd *cobra.Command, args []string, f *sizeFlags) error {
	outputs, err := parseOutputs(f.outputs, size.Formats, "patch=sizes.yaml")
	if err != nil {
		return err
	}
	if err := f.check(args, outputs); err != nil {
		return err
	}
	f.measure.prometheus.Growth = true
	with, err := f.config.options()
	if err != nil {
		return err
	}
	f.measure.prometheus.Metrics = with.Config["metrics"]
	e, err := compile(cmd.Context(), with)
	if err != nil {
		return err
	}
	var found *size.Report
	if len(args)+f.source.rendered() > 0 {
		found, err = f.manifests(cmd.Context(), e, args)
	} else {
		found, err = f.live(cmd.Context(), e)
	}
	if err != nil {
		return err
	}
	outputs, kept := whole(outputs, found)
	for _, text := range kept {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "headroom:", terminal.Printable(text))
	}
	write := func(w *bytes.Buffer, format string, _ bool, columns int) error {
		if format == "values" {
			return f.values(cmd.Context(), w, found)
		}
		return size.Write(w, format, found, columns)
	}
	if err := writeOutputs(cmd.OutOrStdout(), outputs, "never", write); err != nil {
		return err
	}
	if len(found.Problems) > 0 {
		return exitError(exitFailed)
	}
	return nil
}

// whole leaves out the patches and the values that would go to a file where not everything could be read: they would
// lack what the file before them has. It says which.
func whole(outputs []output, found *size.Report) (written []output, kept []string) {
	for _, o := range outputs {
		if len(found.Problems) == 0 || o.file == "" || o.format != "patch" && o.format != "values" {
			written = append(written, o)
			continue
		}
		kept = append(kept, fmt.Sprintf("%s; %s is not written, as it would lack sizes",
			words.Plural(len(found.Problems), "input could not be read", "inputs could not be read"), o.file))
	}
	return written, kept
}

func (f *sizeFlags) check(args []string, outputs []output) error {
	values := slices.ContainsFunc(outputs, func(o output) bool { return o.format == "values" })
	manifests := len(args)+f.source.rendered() > 0
	switch {
	case values && len(f.source.charts) != 1:
		return errors.New("-o values writes the values of one chart: it needs --helm-chart PATH")
	case values && len(args)+len(f.source.kustomize) > 0:
		return errors.New("-o values is for a chart alone: leave out the paths and --kustomize")
	case manifests && (f.allNamespaces || f.selector != ""):
		return errors.New("-A and -l choose workloads of a cluster: leave them out, or the paths")
	case !manifests && f.measured != "":
		return errors.New("--measured is for manifests: name files, --helm-chart or --kustomize")
	case !manifests && !f.measure.vpa && f.measure.prometheus.URL == "":
		return errors.New("no measurements: give --prometheus URL or --vpa, or name manifests with annotations")
	}
	return f.source.check(false)
}

func (f *sizeFlags) live(ctx context.Context, e *engine.Engine) (*size.Report, error) {
	auditing := auditFlags{
		kube: f.kube, allNamespaces: f.allNamespaces, selector: f.selector, exclude: f.exclude, measure: f.measure,
	}
	o, err := auditing.options(nil)
	if err != nil {
		return nil, err
	}
	return size.Live(ctx, e, o)
}

func (f *sizeFlags) manifests(ctx context.Context, e *engine.Engine, args []string) (*size.Report, error) {
	f.source.namespace = *f.kube.Namespace
	o := size.Options{Paths: source.Expand(args, f.source.hidden), Source: f.source.options()}
	var away []string
	if f.measured != "" || f.measure.vpa || f.measure.prometheus.URL != "" {
		var err error
		if o.Lookup, err = f.lookup(&annotate.Live{Problem: func(err error) { away = append(away, err.Error()) }}); err != nil {
			return nil, err
		}
	}
	found, err := size.Manifests(ctx, e, o)
	if err != nil {
		return nil, err
	}
	for _, text := range away {
		found.Problems = append(found.Problems, inputs.Problem("", 0, errors.New(text)))
	}
	return found, nil
}

// values writes what of a chart's values has to change, tried by rendering it again.
func (f *sizeFlags) values(ctx context.Context, w *bytes.Buffer, found *size.Report) error {
	var list []suggest.Fixed
	for i := range found.Workloads {
		if workload := &found.Workloads[i]; workload.Object != nil {
			list = append(list, suggest.Fixed{Before: workload.Manifest, After: workload.Object})
		}
	}
	snippets, err := suggest.Helm(ctx, f.source.chart(f.source.charts[0]), list)
	if err != nil {
		return err
	}
	for i, s := range snippets {
		if i > 0 {
			w.WriteString("---\n")
		}
		for _, text := range []string{s.Where, s.Note} {
			if text != "" {
				fmt.Fprintf(w, "# %s\n", strings.ReplaceAll(text, "\n", "\n# "))
			}
		}
		w.WriteString(strings.TrimRight(s.Text, "\n") + "\n")
	}
	return nil
}
