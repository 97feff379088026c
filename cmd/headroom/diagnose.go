//go:build !lean

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/headroom-dev/headroom/internal/audit/diagnose"
	"github.com/headroom-dev/headroom/internal/audit/diagnose/collect"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/policies/engine"
)

type diagnoseFlags struct {
	kube      kubeFlags
	container string
	from      string
	save      string
	interval  time.Duration
	timeout   time.Duration
	noJcmd    bool
	output    string
	failOn    string
	config    configFlags
	color     colorFlag
}

func diagnoseCommand() *cobra.Command {
	f := diagnoseFlags{kube: kubeFlags{genericclioptions.NewConfigFlags(true)}}
	cmd := &cobra.Command{
		Use:   "diagnose POD | --from DIR",
		Short: "Hold a running container to what is healthy: throttling, memory, heap, threads",
		Long: `Read from a running container how it is, and hold it to what is healthy: throttled
periods, working set, OOM kills, heap after collection, metaspace, threads, direct
memory, and the memory budget of its manifest region by region.

It runs commands that read, as kubectl exec does: get on pods and create on pods/exec
are what it needs. Where there is a jcmd it is asked; --no-jcmd leaves it alone. What
could not be read is unknown, and the report says what would make it known.

Exit code 0: nothing at or above --fail-on. 1: checks that are. 2: something could not
be read as it should; the rest has been judged all the same.`,
		Example: `  headroom diagnose cart-5d9c7b8f6-x2x7k -n shop
  headroom diagnose cart-5d9c7b8f6-x2x7k -n shop -c app --interval 60s --save readings
  headroom diagnose --from readings -o json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runDiagnose(cmd, args, f) },
	}
	flags := cmd.Flags()
	f.kube.AddFlags(flags)
	flags.StringVarP(&f.container, "container", "c", "",
		"`CONTAINER` of the Pod; without it the one that kubectl would take")
	flags.StringVar(&f.from, "from", "", "judge the files in `DIR`, saved earlier or collected by hand, without a cluster")
	flags.StringVar(&f.save, "save", "", "keep what was read in a folder below `DIR`")
	flags.DurationVar(&f.interval, "interval", 10*time.Second, "`TIME` between the two samples; 0 takes one")
	flags.DurationVar(&f.timeout, "command-timeout", collect.DefaultTimeout,
		"`TIME` that one command in the container may take")
	flags.BoolVar(&f.noJcmd, "no-jcmd", false, "start no jcmd, which is a small JVM, in the container")
	flags.StringVarP(&f.output, "output", "o", "table", "output `FORMAT`: table or json")
	flags.StringVar(&f.failOn, "fail-on", "error", "lowest status that makes the exit code 1: error, warning or never")
	f.config.add(flags)
	f.config.images.addLock(flags)
	f.color.add(flags, "tables")
	return completed(cmd, map[string][]string{"fail-on": {"error", "warning", "never"}, "output": {"table", "json"}})
}

func runDiagnose(cmd *cobra.Command, args []string, f diagnoseFlags) error {
	if len(args) == 0 && f.from == "" {
		return errors.New("name a Pod, or --from a folder of files that were saved")
	}
	if f.from != "" && f.save != "" {
		return errors.New("--save is for what is read from a Pod, and not --from a folder")
	}
	if f.output != "table" && f.output != "json" {
		return fmt.Errorf("output format %q is not one of table, json", f.output)
	}
	if f.failOn != "error" && f.failOn != "warning" && f.failOn != "never" {
		return fmt.Errorf("--fail-on %q is not one of error, warning, never", f.failOn)
	}
	if f.interval < 0 || f.timeout <= 0 {
		return errors.New("--interval and --command-timeout cannot be negative")
	}
	e, err := f.config.compile(cmd.Context())
	if err != nil {
		return err
	}
	reports, err := diagnosed(cmd.Context(), e, args, f)
	if err != nil {
		return err
	}
	if err := writeDiagnosis(cmd, reports, f); err != nil {
		return err
	}
	if code := diagnosisCode(diagnose.Count(reports), f.failOn); code != exitClean {
		return exitError(code)
	}
	return nil
}

func diagnosed(ctx context.Context, e *engine.Engine, args []string, f diagnoseFlags) ([]*diagnose.Report, error) {
	target := diagnose.Target{Container: f.container}
	if len(args) == 1 {
		kind, name, both := strings.Cut(args[0], "/")
		if !both {
			kind, name = "pod", args[0]
		}
		if kind != "pod" && kind != "pods" && kind != "po" {
			return nil, fmt.Errorf("%s is not a Pod: name one that kubectl get pods lists", args[0])
		}
		target.Pod = name
	}
	if f.from != "" {
		return diagnose.From(ctx, e, f.from, target)
	}
	rest, err := f.kube.config("diagnose")
	if err != nil {
		return nil, err
	}
	if target.Namespace, err = f.kube.namespace(); err != nil {
		return nil, err
	}
	o := diagnose.Options{Save: f.save, Version: versionString(), Options: collect.Options{
		Interval: f.interval, Timeout: f.timeout, NoJcmd: f.noJcmd,
	}}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		o.Progress = func(text string) { fmt.Fprintln(os.Stderr, "headroom:", terminal.Lines(text)) }
	}
	report, err := diagnose.Live(ctx, e, rest, target, o)
	if err != nil {
		return nil, err
	}
	return []*diagnose.Report{report}, nil
}

func writeDiagnosis(cmd *cobra.Command, reports []*diagnose.Report, f diagnoseFlags) error {
	if f.output == "json" {
		return diagnose.WriteJSON(cmd.OutOrStdout(), reports)
	}
	colored, width := screen(string(f.color))
	return diagnose.WriteTable(cmd.OutOrStdout(), reports, colored, width)
}

// diagnosisCode is the exit code. Unknown checks are shown and do not fail the run.
func diagnosisCode(s diagnose.Summary, failOn string) int {
	switch {
	case s.Problems > 0:
		return exitFailed
	case failOn != "never" && s.Errors > 0, failOn == "warning" && s.Warnings > 0:
		return exitFindings
	}
	return exitClean
}
