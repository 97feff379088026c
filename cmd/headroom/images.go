//go:build !lean

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/headroom-dev/headroom/internal/audit"
	"github.com/headroom-dev/headroom/internal/images"
	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/internal/render/sentences"
	"github.com/headroom-dev/headroom/internal/terminal"
	"github.com/headroom-dev/headroom/internal/words"
	"github.com/headroom-dev/headroom/lint"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/settings"
)

type imagesFlags struct {
	config        configFlags
	source        sourceFlags
	registries    registryFlags
	kube          kubeFlags
	allNamespaces bool
	output        string
	check         bool
}

func imagesCommand() *cobra.Command {
	f := imagesFlags{kube: newKubeFlags()}
	cmd := &cobra.Command{
		Use:   "images [PATH… | - | -n NAMESPACE | -A]",
		Short: "Show what the images of manifests or of a cluster start, from their registries",
		Long: `Show what the image of each container starts: entrypoint, command, the runtime and what
shows it. Only the config of an image is read, never a layer; credentials are those of Docker's configuration.
Of a cluster it is the image with the digest that the node reported.

headroom images lock writes the same as headroom-images.yaml, which lint, conftest, the
webhook and the audit take.`,
		Example: `  headroom images deploy/
  headroom images -n shop
  headroom images lock deploy/
  headroom lint deploy/ --images=headroom-images.yaml`,
		RunE: func(cmd *cobra.Command, args []string) error { return runImages(cmd, args, &f) },
	}
	f.add(cmd)
	cmd.Flags().StringVarP(&f.output, "output", "o", "table", "`FORMAT`: table or json")
	cmd.AddCommand(imagesLockCommand())
	return completed(cmd, map[string][]string{"output": {"table", "json"}})
}

func (f *imagesFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.config.add(flags)
	f.source.add(flags, "(folder or .tgz) too", "too")
	f.registries.add(flags)
	flags.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "what runs in all namespaces but Kubernetes' own")
	f.kube.AddFlags(flags)
	flags.Lookup("namespace").Usage = "what runs in the `NAMESPACE` of a cluster; of charts, the release's namespace"
}

func imagesLockCommand() *cobra.Command {
	f := imagesFlags{kube: newKubeFlags()}
	cmd := &cobra.Command{
		Use:   "lock [PATH… | - | -n NAMESPACE | -A]",
		Short: "Write what the images of manifests or of a cluster start into headroom-images.yaml",
		Long: `Write what the images of manifests or of a cluster start into headroom-images.yaml: by reference and digest,
entrypoint and command, and of the variables only those that headroom reads.`,
		Example: `  headroom images lock deploy/
  headroom images lock deploy/ --check`,
		RunE: func(cmd *cobra.Command, args []string) error { return runImagesLock(cmd, args, &f) },
	}
	f.add(cmd)
	cmd.Flags().StringVarP(&f.output, "output", "o", settings.LockName, "`FILE` to write; - is standard output")
	cmd.Flags().BoolVar(&f.check, "check", false, "write nothing; exit with 1 where the file would change")
	return cmd
}

// looked is what was read, and how to judge with it.
type looked struct {
	lock     *images.Lock
	problems []report.Problem // what could not be read
	// judge judges the manifests or the cluster with the lock.
	judge func(context.Context) (*report.Report, error)
}

func (f *imagesFlags) look(cmd *cobra.Command, args []string) (looked, error) {
	config, err := f.config.load()
	if err != nil {
		return looked{}, err
	}
	e, err := compile(cmd.Context(), engine.Options{Config: config})
	if err != nil {
		return looked{}, err
	}
	live := f.allNamespaces || cmd.Flags().Changed("namespace") && len(args)+f.source.rendered() == 0
	var wanted map[string]string
	var problems []report.Problem
	var judge func(context.Context, *engine.Engine) (*report.Report, error)
	if live {
		wanted, judge, err = f.cluster(cmd.Context(), args)
	} else {
		f.source.namespace = *f.kube.Namespace
		wanted, problems, judge, err = f.manifests(cmd.Context(), e, args)
	}
	if err != nil {
		return looked{}, err
	}
	for _, p := range problems {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "headroom: not read: %s\n", terminal.Printable(sentences.Place(p.File, p.Line)+": "+p.Message))
	}
	lock, err := f.registries.read(cmd.Context(), e, wanted, cmd.ErrOrStderr())
	if err != nil {
		return looked{}, err
	}
	return looked{lock: lock, problems: problems, judge: func(ctx context.Context) (*report.Report, error) {
		e, err := engine.New(ctx, engine.Options{Config: config, ImageLock: lock.Document()})
		if err != nil {
			return nil, err
		}
		return judge(ctx, e)
	}}, nil
}

// manifests are the images of files, charts and kustomizations.
func (f *imagesFlags) manifests(ctx context.Context, e *engine.Engine, args []string) (
	map[string]string, []report.Problem, func(context.Context, *engine.Engine) (*report.Report, error), error,
) {
	options := lint.Options{Paths: source.Expand(args, f.source.hidden), Source: f.source.options()}
	if len(args)+f.source.rendered() == 0 {
		return nil, nil, nil, errors.New("name files or folders, - for standard input, --helm-chart or --kustomize; or -n NAMESPACE or -A of a cluster")
	}
	if err := f.source.check(slices.ContainsFunc(args, isFolder)); err != nil {
		return nil, nil, nil, err
	}
	folders := f.source.chart("")
	options.Source.FolderCharts = &folders
	options.Source.MaxFileBytes = source.DefaultMaxFileBytes
	wanted, options, problems, err := lint.Images(ctx, e, options)
	return wanted, problems, func(ctx context.Context, e *engine.Engine) (*report.Report, error) { return lint.Run(ctx, e, options) }, err
}

// cluster are the images of what runs.
func (f *imagesFlags) cluster(ctx context.Context, args []string) (
	map[string]string, func(context.Context, *engine.Engine) (*report.Report, error), error,
) {
	if len(args)+f.source.rendered() > 0 {
		return nil, nil, errors.New("-n and -A read the images of a cluster: leave them out, or the files and charts")
	}
	config, err := f.kube.config("images")
	if err != nil {
		return nil, nil, err
	}
	o := audit.Options{Config: config, All: f.allNamespaces, Exclude: systemNamespaces, Details: true}
	if !o.All {
		namespace, err := f.kube.namespace()
		if err != nil {
			return nil, nil, err
		}
		o.Namespaces = []string{namespace}
	}
	wanted, err := audit.RunningImages(ctx, o)
	return wanted, func(ctx context.Context, e *engine.Engine) (*report.Report, error) { return audit.Run(ctx, e, o) }, err
}

func runImagesLock(cmd *cobra.Command, args []string, f *imagesFlags) error {
	if err := f.readable(); err != nil {
		return err
	}
	f.registries.required = true
	found, err := f.look(cmd, args)
	switch {
	case errors.Is(err, errImages):
		return fmt.Errorf("%w; %s", err, f.kept())
	case err != nil:
		return err
	case len(found.problems) > 0:
		return fmt.Errorf("%s could not be read; %s", words.Count(len(found.problems), "input"), f.kept())
	case len(found.lock.References) == 0 && !f.source.allowEmpty:
		return fmt.Errorf("no container with an image was found; %s (--allow-empty writes an empty lock)", f.kept())
	}
	text, err := found.lock.Text()
	if err != nil {
		return err
	}
	if f.output == "-" {
		_, err := cmd.OutOrStdout().Write(text)
		return err
	}
	before, err := os.ReadFile(f.output)
	if err == nil && bytes.Equal(before, text) {
		return nil
	}
	if f.check {
		_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "headroom: %s is not what the images say now; headroom images lock writes it anew\n", f.output)
		return exitError(exitFindings)
	}
	return replaceFile(f.output, text)
}

// readable refuses to write over what is no lock.
func (f *imagesFlags) readable() error {
	if f.output == "-" {
		return nil
	}
	there, err := existing(f.output)
	if err != nil || !there {
		return err
	}
	if info, err := os.Stat(f.output); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil // /dev/stderr, a pipe
	}
	if _, err := settings.LoadLock(f.output); err != nil {
		return fmt.Errorf("%w\n%s is not written over, as it could not be read: remove or mend it", err, f.output)
	}
	return nil
}

// kept says what becomes of the lock's file where not everything was read.
func (f *imagesFlags) kept() string {
	if there, err := existing(f.output); err == nil && there {
		return f.output + " stays as it is"
	}
	return "no lock is written"
}

// seenImage is a container and what is in its image.
type seenImage struct {
	Resource  string         `json:"resource"`
	Container string         `json:"container"`
	Image     string         `json:"image"`
	Digest    string         `json:"digest"`
	Config    *images.Locked `json:"config"` // null where it could not be read
	Runtime   string         `json:"runtime"`
	Evidence  string         `json:"evidence"`
}

func runImages(cmd *cobra.Command, args []string, f *imagesFlags) error {
	if f.output != "table" && f.output != "json" {
		return fmt.Errorf("-o %q is not table or json", f.output)
	}
	found, err := f.look(cmd, args)
	if err != nil {
		return err
	}
	judged, err := found.judge(cmd.Context())
	if err != nil {
		return err
	}
	seen := seenImages(judged, found.lock)
	if f.output == "json" {
		err = writeJSON(cmd.OutOrStdout(), map[string]any{"schema": "headroom.dev/images/v1", "containers": seen})
	} else {
		err = imagesTable(cmd.OutOrStdout(), seen)
	}
	if err == nil && len(found.problems) > 0 {
		return exitError(exitFailed)
	}
	return err
}

func seenImages(judged *report.Report, lock *images.Lock) []seenImage {
	seen := []seenImage{}
	for i := range judged.Workloads {
		w := &judged.Workloads[i]
		for _, c := range w.Containers {
			one := seenImage{
				Resource: w.Resource.Kind + " " + w.Resource.Name, Container: c.Name, Image: c.Image,
				Digest: lock.References[c.Image], Runtime: c.Runtime, Evidence: c.ShownBy,
			}
			if config, ok := lock.Images[one.Digest]; ok {
				one.Config = &config
			}
			seen = append(seen, one)
		}
	}
	return seen
}

func imagesTable(out io.Writer, seen []seenImage) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "WORKLOAD\tCONTAINER\tIMAGE\tRUNS\tSHOWN BY")
	for _, s := range seen {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", terminal.Printable(s.Resource), terminal.Printable(s.Container),
			terminal.Printable(s.Image), cmp.Or(s.Runtime, "not known"), terminal.Printable(s.Evidence))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	told := map[string]bool{}
	for _, s := range seen {
		if s.Config == nil || told[s.Image] {
			continue
		}
		told[s.Image] = true
		_, _ = fmt.Fprintf(out, "\n%s\n  digest      %s\n  platform    %s%s\n", terminal.Printable(s.Image), s.Digest,
			terminal.Printable(s.Config.Platform), map[bool]string{true: ", assumed"}[s.Config.Assumed])
		line := func(name string, words []string) {
			if len(words) > 0 {
				_, _ = fmt.Fprintf(out, "  %-10s  %s\n", name, terminal.Printable(strings.Join(words, " ")))
			}
		}
		line("entrypoint", s.Config.Entrypoint)
		line("command", s.Config.Command)
		for _, name := range slices.Sorted(maps.Keys(s.Config.Environment)) {
			line("variable", []string{name + "=" + s.Config.Environment[name]})
		}
	}
	return nil
}
