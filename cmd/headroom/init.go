//go:build !lean

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/baseline"
	"github.com/headroom-dev/headroom/internal/firstrun"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/changed"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

type initFlags struct {
	audit  auditFlags
	live   bool
	print  bool
	source sourceFlags
	asked  string // the flags by which a cluster was asked
}

func initCommand() *cobra.Command {
	f := initFlags{audit: auditFlags{kube: newKubeFlags(), exclude: systemNamespaces, pageSize: 500}, source: sourceFlags{maxFileBytes: source.DefaultMaxFileBytes}}
	cmd := &cobra.Command{
		Use:   "init [PATH…]",
		Short: "Write a headroom.yaml and a baseline for what is here",
		Long: `Look at the manifests and charts below the paths (the working directory where none is
named), or with --live at a cluster, and write

  headroom.yaml            classes as Services, Ingresses, autoscalers and names suggest them
  headroom-baseline.yaml   what is found now: from here on only what is new, or worse, fails

Nothing is overwritten: a file that is there stays as it is, and classes that a headroom.yaml
lacks are printed. Review headroom.yaml, as each class decides which CPU limit is right.`,
		Example: `  headroom init
  headroom init deploy/ charts/
  headroom init --live -A
  headroom init --print`,
		RunE: func(cmd *cobra.Command, args []string) error { return runInit(cmd, args, &f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.live, "live", false, "look at what runs in a cluster, as headroom audit does")
	flags.BoolVarP(&f.audit.allNamespaces, "all-namespaces", "A", false, "with --live: all namespaces but those of the system")
	flags.BoolVar(&f.print, "print", false, "print headroom.yaml, and write nothing")
	f.audit.kube.AddFlags(flags)
	return cmd
}

func runInit(cmd *cobra.Command, args []string, f *initFlags) error {
	var said strings.Builder
	f.asked = askedOf(cmd.Flags())
	err := f.run(cmd.Context(), args, &said)
	if _, writing := io.WriteString(cmd.OutOrStdout(), terminal.Lines(said.String())); writing != nil {
		return errors.Join(err, writing)
	}
	return err
}

func (f *initFlags) run(ctx context.Context, args []string, said *strings.Builder) error {
	if f.live && len(args) > 0 {
		return errors.New("--live looks at a cluster, and takes no paths")
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	// One in a folder above counts here, too.
	there, err := (&configFlags{}).find()
	if err != nil {
		return err
	}
	config := map[string]any(nil)
	if there != "" {
		if config, err = settings.Load(there); err != nil {
			return err
		}
	}
	r, scope, err := f.look(ctx, args, config)
	if err != nil {
		return err
	}
	found := firstrun.Look(r)
	text := found.Config()
	if f.print {
		said.Write(text)
		return nil
	}
	tellFound(said, r, found)
	switch {
	case there != "":
		fmt.Fprintf(said, "%s is there already and stays as it is\n", there)
		if len(found.Rows) > 0 {
			fmt.Fprintf(said, "classes that it lacks, as suggested:\n")
			for _, row := range found.Rows[:min(len(found.Rows), maxTold)] {
				fmt.Fprintf(said, "  - %s # %s\n", row, row.Why())
			}
			fmt.Fprintf(said, "`headroom init --print` prints all %d\n", len(found.Rows))
		}
	default:
		if err := replaceFile(settings.FileName, text); err != nil {
			return err
		}
		fmt.Fprintf(said, "%s is written: %s for you to review, %d more as comments\n", settings.FileName,
			words.Count(found.Live(), "class row"), len(found.Rows)-found.Live())
		if config, err = settings.Load(settings.FileName); err != nil {
			return fmt.Errorf("internal: what was written cannot be read: %w", err)
		}
		if r, scope, err = f.look(ctx, args, config); err != nil {
			return err
		}
	}
	known, err := writeFirstBaseline(said, r, scope)
	if err != nil {
		return err
	}
	f.next(said, args, known, changed.DefaultBranch(ctx, "."))
	if len(r.Problems) > 0 {
		return exitError(exitFailed)
	}
	return nil
}

// existing says whether a file is there.
func existing(file string) (bool, error) {
	_, err := os.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for %s: %w", file, err)
	}
	return true, nil
}

// look judges what is here with a config, nil for the defaults.
func (f *initFlags) look(ctx context.Context, args []string, config map[string]any) (*report.Report, baseline.Scope, error) {
	e, err := compile(ctx, engine.Options{Config: config})
	if err != nil {
		return nil, nil, err
	}
	if f.live {
		options, err := f.audit.options(nil)
		if err != nil {
			return nil, nil, err
		}
		r, err := audit.Run(ctx, e, options)
		return r, scope(options), err
	}
	options := lint.Options{Paths: source.Expand(args, false), Source: f.source.options()}
	folders := f.source.chart("")
	options.Source.FolderCharts = &folders
	r, err := lint.Run(ctx, e, options)
	return r, baseline.Paths(baseline.FileName, args, nil, nil), err
}

// tellFound says what was found, in a few lines.
func tellFound(w *strings.Builder, r *report.Report, found firstrun.Found) {
	suggested, total := []string{}, 0
	for _, class := range slices.Sorted(maps.Keys(found.Suggested)) {
		suggested = append(suggested, fmt.Sprintf("%s %d", class, found.Suggested[class]))
		total += found.Suggested[class]
	}
	fmt.Fprintf(w, "%s, %s\n", words.Count(r.Summary.Workloads, "workload"), words.Count(r.Summary.Containers, "container"))
	if r.Summary.Workloads == 0 && len(r.Problems) == 0 {
		w.WriteString("nothing here runs a container; `headroom lint` names what was not judged, such as HelmReleases\n")
	}
	if total > 0 {
		fmt.Fprintf(w, "class suggested for %s: %s\n", words.Count(total, "workload"), strings.Join(suggested, ", "))
	}
	if n := len(found.Unclear); n > 0 {
		fmt.Fprintf(w, "class not set, and no row for it: %s; %s names them\n", words.Count(n, "workload"), settings.FileName)
	}
	for i := range r.Problems {
		if i == maxTold {
			fmt.Fprintf(w, "and %d more; `headroom lint` names them\n", len(r.Problems)-i)
			break
		}
		at := r.Problems[i].File
		if line := r.Problems[i].Line; line > 0 {
			at = fmt.Sprintf("%s:%d", at, line)
		}
		fmt.Fprintf(w, "could not be read: %s: %s\n", at, r.Problems[i].Message)
	}
}

// writeFirstBaseline says whether there is a baseline now.
func writeFirstBaseline(w *strings.Builder, r *report.Report, scope baseline.Scope) (known bool, err error) {
	there, err := existing(baseline.FileName)
	if err != nil {
		return false, err
	}
	if there {
		fmt.Fprintf(w, "%s is there already and stays as it is\n", baseline.FileName)
		return true, nil
	}
	if len(r.Problems) > 0 {
		fmt.Fprintf(w, "%s is not written, as not everything could be read\n", baseline.FileName)
		return false, nil
	}
	b := baseline.Renew(nil, r, scope)
	text, err := baseline.Encode(baseline.FileName, b)
	if err != nil {
		return false, fmt.Errorf("write the baseline: %w", err)
	}
	if err := replaceFile(baseline.FileName, text); err != nil {
		return false, err
	}
	fmt.Fprintf(w, "%s is written: %s that are known from now on\n", baseline.FileName,
		words.Count(len(b.Entries), "finding"))
	return true, nil
}

// next says what to type from here on, where there is a baseline, or is to be one. Pull requests go to the branch.
func (f *initFlags) next(w *strings.Builder, args []string, known bool, branch string) {
	command := "headroom lint"
	if f.live {
		command = "headroom audit" + f.asked
	}
	for _, arg := range args {
		if f.live {
			break
		}
		if strings.HasPrefix(arg, "-") { // it stood behind --
			arg = "./" + arg
		}
		command += " " + sentences.ShellWord(arg)
	}
	if !known {
		fmt.Fprintf(w, "next: review %s, mend what could not be read, then\n  %s --write-baseline=%s   # what is known from then on\n",
			settings.FileName, command, baseline.FileName)
		return
	}
	all, pulled := "--baseline "+baseline.FileName, "--changed-since "+sentences.ShellWord(branch)
	fmt.Fprintf(w, "next: review %s, commit both files, then\n  %s %-*s   # fails for what is new or worse\n",
		settings.FileName, command, len(pulled), all)
	if !f.live {
		fmt.Fprintf(w, "  %s %-*s   # in pull requests\n", command, len(all), pulled)
	}
}

// askedOf are the flags by which a cluster was asked, as they are to be typed again. What opens a cluster is left out.
func askedOf(flags *pflag.FlagSet) string {
	var b strings.Builder
	for _, name := range []string{"kubeconfig", "context", "cluster", "user", "namespace"} {
		if flag := flags.Lookup(name); flag != nil && flag.Changed {
			b.WriteString(" --" + name + " " + sentences.ShellWord(flag.Value.String()))
		}
	}
	if flag := flags.Lookup("all-namespaces"); flag != nil && flag.Value.String() == "true" {
		b.WriteString(" -A")
	}
	return b.String()
}
