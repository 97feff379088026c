//go:build !lean

package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/headroom-dev/headroom/internal/annotate"
	"github.com/headroom-dev/headroom/internal/audit/cluster"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	safe "github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/yamlfile"
)

type annotateFlags struct {
	kube     kubeFlags
	measure  measureFlags
	measured string
	write    bool
	patch    bool
	config   configFlags
	source   sourceFlags
}

func annotateCommand() *cobra.Command {
	f := annotateFlags{kube: newKubeFlags()}
	cmd := &cobra.Command{
		Use:   "annotate PATH… (--prometheus URL | --vpa | --measured FILE)",
		Short: "Write measured use into manifests, so that pull requests are judged by it",
		Long: `Write measured use into manifests, as the annotations cpu-average, cpu-peak and
memory-peak.headroom.dev/<container> of the pod template, and measured.headroom.dev/<container>
with the day. Manifests are matched to workloads by kind, namespace and name. Values within the
tolerance of the config are left as they are.

It prints a unified diff; --write writes the files, and --patch prints patches for kustomize
or kubectl, which is what charts and kustomizations get.

Exit code 0: done. 1: a manifest cannot be edited safely. 2: something could not be read; the
rest has been done all the same.`,
		Example: `  headroom annotate deploy/ --prometheus http://localhost:9090 -n shop
  headroom annotate deploy/ --prometheus http://localhost:9090 --write
  headroom audit -A --prometheus http://localhost:9090 -o json=use.json
  headroom annotate deploy/ --measured use.json --write
  headroom annotate --kustomize overlays/production --measured use.json > use.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error { return runAnnotate(cmd, args, &f) },
	}
	flags := cmd.Flags()
	f.measure.add(flags)
	flags.StringVar(&f.measured, "measured", "",
		"take measured use from `FILE`, as headroom audit -o json writes it; no cluster is asked")
	flags.BoolVar(&f.write, "write", false, "write the files")
	flags.BoolVar(&f.patch, "patch", false, "print patches instead of a diff")
	f.config.add(flags)
	f.config.images.addLock(flags)
	f.source.add(flags, "and print patches for the result", "and print patches for the result")
	f.kube.AddFlags(flags)
	return cmd
}

func runAnnotate(cmd *cobra.Command, args []string, f *annotateFlags) error {
	if len(args)+f.source.rendered() == 0 {
		return errors.New("nothing to annotate: name files or folders, --helm-chart or --kustomize")
	}
	if f.write && (f.patch || len(args) == 0) {
		return errors.New("--write writes files; patches are printed")
	}
	if err := f.source.check(false); err != nil {
		return err
	}
	with, err := f.config.options()
	if err != nil {
		return err
	}
	f.measure.prometheus.Metrics = with.Config["metrics"]
	var away []string
	live := &annotate.Live{Problem: func(err error) { away = append(away, err.Error()) }}
	lookup, err := f.lookup(live)
	if err != nil {
		return err
	}
	e, err := compile(cmd.Context(), with)
	if err != nil {
		return err
	}
	f.source.namespace = *f.kube.Namespace
	result, err := annotate.Run(cmd.Context(), e, annotate.Options{
		Paths: source.Expand(args, f.source.hidden), Source: f.source.options(), Lookup: lookup, Patches: f.patch,
	})
	if err != nil {
		return err
	}
	if err := f.output(cmd.OutOrStdout(), result); err != nil {
		return err
	}
	tell(cmd.ErrOrStderr(), result, away, f.write)
	switch {
	case len(result.Problems) > 0 || live.Lacking:
		return exitError(exitFailed)
	case result.Unsafe > 0:
		return exitError(exitFindings)
	}
	return nil
}

// maxMeasured bounds the report of an audit in bytes, which has some four thousand a workload.
const maxMeasured = 128 << 20

// lookup is where measured use comes from: a file, or the cluster.
func (f *annotateFlags) lookup(live *annotate.Live) (annotate.Lookup, error) {
	if f.measured != "" {
		if f.measure.vpa || f.measure.prometheus.URL != "" {
			return nil, errors.New("--measured takes the place of --prometheus and --vpa")
		}
		if err := there(f.measured); err != nil {
			return nil, err
		}
		text, err := yamlfile.Read(f.measured, maxMeasured)
		if err != nil {
			return nil, err
		}
		lookup, err := annotate.Saved(text, time.Now(), *f.kube.Namespace)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.measured, err)
		}
		return lookup, nil
	}
	if !f.measure.vpa && f.measure.prometheus.URL == "" {
		return nil, errors.New("no measurements: give --prometheus URL, --vpa or --measured FILE")
	}
	config, err := f.kube.config("annotate")
	if err != nil {
		return nil, err
	}
	if live.Namespace, err = f.kube.namespace(); err != nil {
		return nil, err
	}
	if live.Source, err = f.measure.source(config); err != nil {
		return nil, err
	}
	if live.Reader, err = cluster.New(cluster.Options{Config: config}); err != nil {
		return nil, err
	}
	return live.Lookup, nil
}

// output prints diffs and patches, or writes the files.
func (f *annotateFlags) output(stdout io.Writer, result *annotate.Result) error {
	for _, file := range result.Files {
		if f.write {
			if err := rewriteFile(filepath.FromSlash(file.Name), file.Before, file.After); err != nil {
				return fmt.Errorf("write %s: %w", file.Name, cause(err))
			}
			continue
		}
		if _, err := io.WriteString(stdout, edit.Diff(file.Name, file.Before, file.After)); err != nil {
			return err
		}
	}
	for i, patch := range result.Patches {
		text, err := yaml.Marshal(patch)
		if err != nil {
			return fmt.Errorf("write a patch: %w", err)
		}
		if i > 0 {
			text = append([]byte("---\n"), text...)
		}
		if _, err := stdout.Write(text); err != nil {
			return err
		}
	}
	return nil
}

// tell says on standard error what was done and what was not.
func tell(stderr io.Writer, result *annotate.Result, away []string, written bool) {
	say := func(format string, args ...any) {
		_, _ = fmt.Fprintln(stderr, safe.Printable(fmt.Sprintf(format, args...)))
	}
	for _, n := range result.Notes {
		if n.Resource.Name == "" {
			say("%s: %s", n.File, n.Text)
			continue
		}
		say("%s:%d: %s: %s", n.File, n.Line, sentences.Title(n.Resource), n.Text)
	}
	for _, p := range result.Problems {
		say("%s: %s", sentences.Place(p.File, p.Line), p.Message)
	}
	for _, text := range slices.Concat(away, sentences.NotRead(result.NotRead), sentences.Untold(result.Untold)) {
		say("%s", text)
	}
	done := "differ"
	if written {
		done = "written"
	}
	if result.Dates > 0 {
		done = fmt.Sprintf("and the dates of %s %s", words.Count(result.Dates, "container"), done)
	}
	say("%s %s, in %s and %s; %d are within %.0f %% of what was measured and stay",
		words.Count(result.Written, "value"), done, words.Count(len(result.Files), "file"),
		words.Plural(len(result.Patches), "patch", "patches"), result.Kept, 100*result.Tolerance)
}
