package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/edit"
	"github.com/headroom-dev/headroom/lint/source"
)

type fixFlags struct {
	diff        bool
	check       bool
	interactive bool
	generated   bool
	rules       []string
	config      configFlags
	source      sourceFlags
}

func fixCommand() *cobra.Command {
	var f fixFlags
	cmd := &cobra.Command{
		Use:   "fix [PATH… | -]",
		Short: "Write into manifests what the rules' fixes say, and nothing else",
		Long: `Write into YAML and JSON files what the webhook would change in their Pods. Comments,
the order of keys, quotes, indentation and every other byte stay. What cannot be changed
safely is left alone, and said. A path is a file, a folder, or - for standard input, whose
text goes to standard output. Charts and kustomizations get a snippet to paste.

Exit code 0: done. 1: with --check, something would change; or something had to be left
alone. 2: an input or the config could not be read, or a file not be written; the rest has
been done all the same.`,
		Example: `  headroom fix deploy/
  headroom fix --diff deploy/ | git apply
  headroom fix --check deploy/
  headroom fix --rule HR302,latency-cpu-limit deploy/
  headroom fix --interactive deploy/
  kubectl get deployment cart -o yaml | headroom fix - > cart.yaml
  headroom fix --helm-chart charts/shop --values production.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error { return runFix(cmd, args, &f) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.diff, "diff", false, "print a unified diff and write nothing")
	flags.BoolVar(&f.check, "check", false, "write nothing, and exit with 1 if anything would change; prints the files' names")
	flags.BoolVarP(&f.interactive, "interactive", "i", false, "show each change, and ask")
	flags.StringSliceVar(&f.rules, "rule", nil, "make the fixes of `RULE` (ID or name) alone; may be given several times")
	flags.BoolVar(&f.generated, "generated", false, "change files, too, that say that a program writes them")
	f.config.add(flags)
	f.config.images.addLock(flags)
	f.source.add(flags, "(folder or .tgz) and print values that fix it", "and print a patch that fixes it")
	f.source.addNamespace(flags)
	flags.Var((*bytesValue)(&f.source.maxFileBytes), "max-file-size",
		"size in `BYTES`, as 500k or 8Mi, above which a file is not read; 0 is lint's")
	_ = cmd.RegisterFlagCompletionFunc("rule", // the flag is there
		func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeRules(cmd, nil, typed)
		})
	return cmd
}

// validate refuses what makes no sense together, before anything is read.
func (f *fixFlags) validate(args []string) error {
	rendered := f.source.rendered()
	stdin := slices.Contains(args, "-")
	switch {
	case len(args)+rendered == 0:
		return errors.New("nothing to fix: name files or folders, - for standard input, --helm-chart or --kustomize")
	case stdin && rendered > 0 && !f.diff && !f.check:
		return errors.New("- and snippets for charts and kustomizations both go to standard output; run it twice")
	case f.interactive && (f.diff || f.check):
		return errors.New("--interactive writes files; --diff and --check do not")
	case f.interactive && stdin:
		return errors.New("--interactive reads answers from standard input, where - expects manifests")
	case f.interactive && !term.IsTerminal(int(os.Stdin.Fd())):
		return errors.New("--interactive needs a terminal to ask on")
	}
	return f.source.check(false)
}

func runFix(cmd *cobra.Command, args []string, f *fixFlags) error {
	if err := f.validate(args); err != nil {
		return err
	}
	e, err := f.config.compile(cmd.Context())
	if err != nil {
		return err
	}
	options := lint.FixOptions{
		Paths: source.Expand(args, f.source.hidden), Source: f.source.options(), Rules: f.rules, Generated: f.generated,
	}
	if f.interactive {
		asker := newAsker(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr())
		options.Accept = asker.accept
	}
	result, err := lint.Fix(cmd.Context(), e, options)
	if err != nil {
		return err
	}
	report := fixReport{FixResult: result, flags: f, written: map[string]bool{}}
	if err := report.output(cmd.OutOrStdout()); err != nil {
		return err
	}
	report.tell(cmd.ErrOrStderr())
	if code := report.exitCode(); code != exitClean {
		return exitError(code)
	}
	return nil
}

// fixReport is what came of a run.
type fixReport struct {
	*lint.FixResult
	flags   *fixFlags
	written map[string]bool // files, by name
	failed  bool            // a file could not be written
}

// output prints what goes to standard output, and writes the files.
func (r *fixReport) output(stdout io.Writer) error {
	for i := range r.Files {
		if err := r.file(stdout, &r.Files[i]); err != nil {
			return err
		}
	}
	if r.Stdin != nil && !r.flags.diff && !r.flags.check {
		if _, err := stdout.Write(r.Stdin); err != nil {
			return fmt.Errorf("write standard output: %w", err)
		}
	}
	if r.flags.check && !r.flags.diff {
		return nil
	}
	return writeSnippets(stdout, r.Snippets)
}

func (r *fixReport) file(stdout io.Writer, file *lint.FixedFile) error {
	if !file.Changed() {
		return nil
	}
	var err error
	switch {
	case r.flags.diff:
		_, err = io.WriteString(stdout, edit.Diff(file.Name, file.Before, file.After))
	case r.flags.check:
		_, err = fmt.Fprintln(stdout, printable(file.Name))
	case file.Stdin:
		r.written[file.Name] = true
	default:
		if failed := rewriteFile(filepath.FromSlash(file.Name), file.Before, file.After); failed != nil {
			r.leave(file, "not written: "+cause(failed).Error())
			return nil
		}
		r.written[file.Name] = true
	}
	if err != nil {
		return fmt.Errorf("write standard output: %w", err)
	}
	return nil
}

// leave notes why a file that was to be written was not.
func (r *fixReport) leave(file *lint.FixedFile, why string) {
	r.failed = true
	for i := range file.Objects {
		if o := &file.Objects[i]; o.Left == "" && !o.Declined {
			o.Left = why
			r.Remaining = append(r.Remaining, o.Fixed...)
		}
	}
}

// cause drops the names of temporary files, which mean nothing to the user.
func cause(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

func (r *fixReport) exitCode() int {
	if len(r.Problems) > 0 || r.failed {
		return exitFailed
	}
	left := false
	for _, file := range r.Files {
		if r.flags.check && file.Changed() {
			return exitFindings
		}
		left = left || slices.ContainsFunc(file.Objects, func(o lint.FixedObject) bool { return o.Left != "" })
	}
	if left || r.flags.check && len(r.Rendered) > 0 {
		return exitFindings
	}
	return exitClean
}
