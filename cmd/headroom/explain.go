package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/internal/explain"
	"github.com/headroom-dev/headroom/lint/source"
)

type explainFlags struct {
	kube      kubeFlags
	workload  string
	show      string
	container string
	whatIf    []string
	timeline  bool
	pause     time.Duration
	period    time.Duration
	workers   int64
	outputs   []string
	config    configFlags
	color     colorFlag
	source    sourceFlags
}

func explainCommand() *cobra.Command {
	f := explainFlags{kube: newKubeFlags()}
	cmd := &cobra.Command{
		Use:   "explain PATH… | -n NAMESPACE KIND/NAME",
		Short: "Show the reasoning for a workload: its class, its flags, its budget, and what would pass",
		Long: `Show the reasoning for one workload: what each container was taken for and why, its
requests and limits and where each came from, the JVM's flags in the order in which they
win, the memory budget, the CPU time that a burst takes, and what would pass.

A path is a file, a folder with its Helm charts, which are rendered, or - for standard input;
all workloads in it are explained, or the one that --workload names. KIND/NAME is one that
runs, in the namespace of -n or of the kubeconfig.

--what-if tries changed values and shows what they would change:

  requests.cpu limits.cpu requests.memory limits.memory   quantities, or none
  -Xmx=1g -Xmx1g -XX:MaxRAMPercentage=60 -XX:+UseSerialGC any JVM flag; =none takes it away
  heap gc-threads conc-gc-threads cores                   short for JVM flags
  threads pause workers class                             what headroom is told of the container

Exit code 0: explained. 2: something could not be read; the rest is explained all the same.`,
		Example: `  headroom explain deploy/cart.yaml
  headroom explain deploy/ --workload deploy/cart --timeline
  headroom explain -n shop deploy/cart
  headroom explain deploy/cart.yaml --what-if 'limits.memory=2Gi,-Xmx=1g,gc-threads=4'
  headroom explain deploy/cart.yaml --timeline -o html=cart.html -o svg=cart.svg`,
		RunE: func(cmd *cobra.Command, args []string) error { return runExplain(cmd, args, &f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.workload, "workload", "", "explain only the workload `KIND/NAME` of what is read")
	flags.StringVarP(&f.container, "container", "c", "", "explain only the container `NAME`")
	flags.StringArrayVar(&f.whatIf, "what-if", nil,
		"show what these `CHANGES` would change: KEY=VALUE, separated by commas")
	flags.BoolVar(&f.timeline, "timeline", false, "draw how a burst meets the CPU quota, period by period")
	flags.DurationVar(&f.pause, "gc-pause", 0,
		"`TIME` that a garbage collection takes without a limit, instead of what is known")
	flags.DurationVar(&f.period, "cfs-period", 0, "period of the quota, the node's cpuCFSQuotaPeriod (default 100ms)")
	flags.Int64Var(&f.workers, "workers", 0, "`NUMBER` of workers, or of application threads, instead of what is known")
	showFlag(flags, &f.show)
	outputFlag(flags, &f.outputs, explain.Formats)
	f.config.add(flags)
	f.config.images.addLock(flags)
	f.source.add(flags, "and explain the result", "and explain the result")
	f.color.add(flags, "text")
	f.kube.AddFlags(flags)
	return completed(cmd, map[string][]string{"output": explain.Formats, "show": shownLevels})
}

func runExplain(cmd *cobra.Command, args []string, f *explainFlags) error {
	outputs, err := parseOutputs(f.outputs, explain.Formats, "html=page.html")
	if err != nil {
		return err
	}
	if err := checkShow(f.show); err != nil {
		return err
	}
	options, err := f.options(args)
	if err != nil {
		return err
	}
	target, live, err := f.target(cmd, args)
	if err != nil {
		return err
	}
	e, err := f.config.compile(cmd.Context())
	if err != nil {
		return err
	}
	var report *explain.Report
	if live {
		report, err = f.live(cmd.Context(), e, target, options)
	} else {
		report, err = explain.Run(cmd.Context(), e, options)
	}
	if err != nil {
		return err
	}
	report.Version, report.Show = versionString(), f.show
	write := func(w *bytes.Buffer, format string, colored bool, columns int) error {
		return explain.Write(w, format, report, colored, columns)
	}
	if err := writeOutputs(cmd.OutOrStdout(), outputs, string(f.color), write); err != nil {
		return err
	}
	if len(report.Problems) > 0 {
		return exitError(exitFailed)
	}
	return nil
}

func (f *explainFlags) options(args []string) (explain.Options, error) {
	o := explain.Options{
		Paths: source.Expand(args, f.source.hidden), Workload: f.workload, Container: f.container, Timeline: f.timeline,
		Pause: f.pause, Workers: f.workers, Period: f.period,
	}
	if f.pause < 0 || f.workers < 0 || f.period < 0 {
		return o, errors.New("--gc-pause, --workers and --cfs-period cannot be negative")
	}
	if f.period != 0 && (f.period < time.Millisecond || f.period > time.Second) {
		return o, fmt.Errorf("--cfs-period %s is not between 1ms and 1s, as the kernel has it", f.period)
	}
	if len(f.whatIf) > 0 {
		var err error
		if o.WhatIf, err = explain.ParseChanges(strings.Join(f.whatIf, ",")); err != nil {
			return o, err
		}
	}
	if len(args)+f.source.rendered() == 0 {
		return o, errors.New("nothing to explain: name a file, or -n NAMESPACE KIND/NAME")
	}
	if err := f.source.check(slices.ContainsFunc(args, isFolder)); err != nil {
		return o, err
	}
	f.source.namespace = *f.kube.Namespace
	o.Source = f.source.options()
	folders := f.source.chart("")
	o.Source.FolderCharts = &folders
	return o, nil
}
