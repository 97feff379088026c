package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/headroom-dev/headroom/internal/baseline"
	"github.com/headroom-dev/headroom/internal/preview"
	"github.com/headroom-dev/headroom/internal/render"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

type lintFlags struct {
	judgingFlags
	source     sourceFlags
	since      string
	configFrom string
}

func lintCommand() *cobra.Command {
	var f lintFlags
	cmd := &cobra.Command{
		Use:   "lint [PATH… | -]",
		Short: "Judge manifests: files, folders, standard input, Helm charts, kustomizations",
		Long: `Judge manifests. A path is a file, a folder (every .yaml, .yml and .json below it, and
Helm charts, which are rendered), a pattern in quotes ('k8s/**/*.yaml'), or - for standard
input. Namespaces, LimitRanges, ResourceQuotas and ConfigMaps of the same run are taken
into account.

Exit code 0: nothing at or above --fail-on. 1: findings; with --changed-since, those that
the change brings or makes worse. 2: an input, the config or the baseline could not be
read, or held nothing to judge (--allow-empty); the rest has been judged all the same.`,
		Example: `  headroom lint deploy/
  kubectl get deployment cart -o yaml | headroom lint -
  headroom lint deploy/ -o table -o sarif=headroom.sarif
  headroom lint deploy/ --baseline headroom-baseline.yaml
  headroom lint deploy/ --changed-since origin/main
  headroom lint deploy/ --preview enforce
  headroom lint charts/shop --values production.yaml
  headroom lint --helm-chart shop-1.4.0.tgz --set replicas=3
  headroom lint --kustomize overlays/production --fail-on warning`,
		RunE: func(cmd *cobra.Command, args []string) error { return runLint(cmd, args, f) },
	}
	flags := cmd.Flags()
	f.source.add(flags, "(folder or .tgz) and judge the result", "and judge the result")
	f.source.addNamespace(flags)
	f.source.maxFileBytes = source.DefaultMaxFileBytes
	flags.Var((*bytesValue)(&f.source.maxFileBytes), "max-file-size", "size in `BYTES`, as 500k or 8Mi, above which a file is not read")
	flags.BoolVar(&f.noProgress, "no-progress", false, "show no progress bar")
	flags.StringVar(&f.since, "changed-since", "",
		"judge only what changed since HEAD left `REF`, such as origin/main: needs git")
	flags.StringVar(&f.configFrom, "config-from", "",
		"take the config, its lock of images and the baseline as they were where HEAD left `REF`: needs git")
	return f.add(cmd, map[string][]string{})
}

func runLint(cmd *cobra.Command, args []string, f lintFlags) error {
	if len(args)+f.source.rendered() == 0 {
		return errors.New("nothing to judge: name files or folders, - for standard input, --helm-chart or --kustomize")
	}
	args = source.Expand(args, f.source.hidden)
	if err := f.check(); err != nil {
		return err
	}
	if err := checkShow(f.view.show); err != nil {
		return err
	}
	if err := f.source.check(!cmd.Flags().Changed("changed-since") && slices.ContainsFunc(args, isFolder)); err != nil {
		return err
	}
	if !cmd.Flags().Changed("changed-since") { // what a change has deleted may be named
		if err := f.baseline.mistaken(args); err != nil {
			return err
		}
	}
	outputs, err := parseOutputs(f.outputs, render.Formats(), "sarif=headroom.sarif")
	if err != nil {
		return err
	}
	if f.configFrom != "" {
		if f.config.from, err = openRules(cmd.Context(), f.configFrom); err != nil {
			return err
		}
		defer func() { _ = f.config.from.close() }() // a temporary folder
	}
	if err := f.baseline.load(f.config.from); err != nil {
		return err
	}
	if cmd.Flags().Changed("changed-since") { // a change may leave nothing
		f.source.allowEmpty = true
	}
	l := changedLint{flags: f}
	paths, err := l.compare(cmd.Context(), cmd.Flags().Changed("changed-since"), args)
	if err != nil {
		return err
	}
	rules, err := rulesFor(l.linked(outputs))
	if err != nil {
		return err
	}
	with, err := f.config.options()
	if err != nil {
		return err
	}
	e, err := compile(cmd.Context(), with)
	if err != nil {
		return err
	}

	progress := newProgress(f.noProgress)
	options := lint.Options{
		Paths:    paths,
		Source:   f.source.options(),
		Preview:  lint.Preview{Mode: f.preview.mode, Mutate: f.preview.mutate},
		Digests:  l.change != nil,
		Progress: progress.step,
	}
	if l.change == nil { // of a change, only parts of a chart may be laid out
		folders := f.source.chart("")
		options.Source.FolderCharts = &folders
	}
	if f.config.images.from == lookUp {
		if with.ImageLock, options, err = lookInside(cmd, &f.config.images, e, options); err != nil {
			progress.finish()
			return err
		}
		if e, err = engine.New(cmd.Context(), with); err != nil {
			return err
		}
	}
	l.config, l.lock, l.engine = with.Config, with.ImageLock, e
	if l.notes, err = f.config.tellOthers(with.Config); err != nil {
		return err
	}
	if l.change == nil {
		for _, note := range l.notes {
			_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "headroom:", terminal.Printable(note))
		}
	}
	report, err := l.run(cmd.Context(), args, options, outputs, func(r *report.Report) error {
		progress.finish()
		r.Version, r.Rules = versionString(), rules
		scope := baseline.Paths(f.baseline.path(), args, f.source.charts, f.source.kustomize)
		return f.baseline.apply(r, scope, cmd.ErrOrStderr())
	})
	progress.finish()
	if err != nil {
		return err
	}
	if err := f.write(cmd, outputs, report); err != nil {
		return err
	}
	if l.change == nil {
		hintFirstRun(cmd.ErrOrStderr(), outputs, report, with.Config != nil || f.config.none, &f.baseline)
	}
	if alone := aloneNote(report.Alone); alone != "" {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "headroom:", alone)
	}
	if l.change == nil && report.Empty() {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "headroom: nothing was judged: no object in %s describes containers\n",
			words.Count(report.Summary.Files, "file"))
	}
	if report.ExitCode != exitClean {
		return exitError(report.ExitCode)
	}
	return nil
}

// judgingFlags are those of the commands that end in a report of findings: lint and audit.
type judgingFlags struct {
	outputs    []string
	failOn     string
	config     configFlags
	view       viewFlags
	color      colorFlag
	noProgress bool
	baseline   baselineFlags
	preview    previewFlags
}

// failLevels are the values of --fail-on: the severities that make the exit code 1.
var failLevels = map[string][]string{
	"error":   {engine.SeverityError},
	"warning": {engine.SeverityError, engine.SeverityWarning},
	"info":    {engine.SeverityError, engine.SeverityWarning, engine.SeverityInfo},
	"never":   nil,
}

// add adds the flags, and what the shell offers for all of the command's.
func (f *judgingFlags) add(cmd *cobra.Command, offered map[string][]string) *cobra.Command {
	flags := cmd.Flags()
	outputFlag(flags, &f.outputs, render.Formats())
	flags.StringVar(&f.failOn, "fail-on", "error", "lowest severity that makes the exit code 1: error, warning, info or never")
	f.config.add(flags)
	f.config.images.add(flags)
	f.color.add(flags, "tables")
	f.view.add(flags)
	f.baseline.add(flags)
	f.preview.add(flags)
	offered["fail-on"] = []string{"error", "warning", "info", "never"}
	offered["show"], offered["output"] = shownLevels, render.Formats()
	offered["preview"] = []string{preview.Enforce, preview.Warn}
	return completed(cmd, offered)
}

func (f *judgingFlags) check() error {
	if _, ok := failLevels[f.failOn]; !ok {
		return fmt.Errorf("--fail-on %q is not one of error, warning, info, never", f.failOn)
	}
	return f.preview.check()
}

// write writes the report, and gives it its exit code.
func (f *judgingFlags) write(cmd *cobra.Command, outputs []output, r *report.Report) error {
	f.view.apply(r, failLevels[f.failOn])
	r.FailOn = f.failOn
	r.ExitCode = f.baseline.raise(exitCode(r), r)
	return writeOutputs(cmd.OutOrStdout(), outputs, string(f.color), f.view.writer(r))
}

// exitCode tells whether something was found that fails a run. Of a change that is what it brings.
func exitCode(r *report.Report) int {
	if len(r.Problems) > 0 {
		return exitFailed
	}
	for i := range r.Findings {
		if r.Fails(&r.Findings[i]) {
			return exitFindings
		}
	}
	return exitClean
}

// hintFirstRun says how to go on to a person who reads findings at a terminal and has set up
// nothing yet.
func hintFirstRun(stderr io.Writer, outputs []output, r *report.Report, configured bool, b *baselineFlags) {
	_, err := os.Stat(baseline.FileName)
	if isFirstRun(outputs, r, configured || b.path() != "" || err == nil) && term.IsTerminal(int(os.Stdout.Fd())) {
		_, _ = fmt.Fprintln(stderr, firstRun)
	}
}

const firstRun = "No headroom.yaml and no baseline: `headroom init` writes both."

// isFirstRun says whether a person is shown findings and nothing is set up.
func isFirstRun(outputs []output, r *report.Report, setUp bool) bool {
	return !setUp && len(r.Findings) > 0 && slices.Contains(outputs, output{format: "table"})
}
