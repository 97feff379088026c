package main

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/headroom-dev/headroom/lint/source"
)

// sourceFlags are those of commands that read manifests: what to render besides the files.
type sourceFlags struct {
	charts       []string
	values       []string
	set          []string
	release      string
	namespace    string // of the releases; the command has the flag
	kustomize    []string
	enableHelm   bool
	followLinks  bool
	hidden       bool
	allowEmpty   bool
	maxFileBytes int64
}

// add says, behind the chart and the kustomization, what becomes of them.
func (f *sourceFlags) add(flags *pflag.FlagSet, chart, kustomization string) {
	flags.StringArrayVar(&f.charts, "helm-chart", nil, "render the Helm chart at `PATH` "+chart)
	flags.StringArrayVar(&f.values, "values", nil, "values `FILE` for the Helm charts; later ones win")
	flags.StringArrayVar(&f.set, "set", nil, "`KEY=VALUE` for the Helm charts, after the files")
	flags.StringVar(&f.release, "release-name", "", "release `NAME` for the Helm charts; without it the chart's name")
	flags.StringArrayVar(&f.kustomize, "kustomize", nil, "build the kustomization in `DIR` "+kustomization)
	flags.BoolVar(&f.enableHelm, "enable-helm", false, "let kustomizations render the Helm charts beside them, with the helm in PATH")
	flags.BoolVar(&f.followLinks, "follow-links", false, "follow symbolic links that lead out of the repository or a chart: only for a tree that you trust")
	flags.BoolVar(&f.hidden, "hidden", false, "read also folders whose names begin with a dot, except .git")
	flags.BoolVar(&f.allowEmpty, "allow-empty", false, "do not fail on a folder without a manifest or an empty standard input")
}

// addNamespace is for commands that ask no cluster, whose -n would be another.
func (f *sourceFlags) addNamespace(flags *pflag.FlagSet) {
	flags.StringVarP(&f.namespace, "namespace", "n", "", "release `NAMESPACE` for the Helm charts")
}

// check refuses flags of charts where there is no chart, which would do nothing. Where folders are
// read, charts may stand in them.
func (f *sourceFlags) check(folders bool) error {
	if len(f.charts) > 0 || folders {
		return nil
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--values", len(f.values) > 0},
		{"--set", len(f.set) > 0},
		{"--release-name", f.release != ""},
		{"--namespace", f.namespace != ""},
	} {
		if flag.given {
			return fmt.Errorf("%s is for Helm charts: it needs --helm-chart PATH", flag.name)
		}
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// rendered is how many charts and kustomizations there are.
func (f *sourceFlags) rendered() int { return len(f.charts) + len(f.kustomize) }

func (f *sourceFlags) options() source.Options {
	o := source.Options{
		MaxFileBytes: f.maxFileBytes, Kustomizations: f.kustomize, EnableHelm: f.enableHelm, FollowLinks: f.followLinks,
		Hidden: f.hidden, AllowEmpty: f.allowEmpty,
	}
	for _, chart := range f.charts {
		o.HelmCharts = append(o.HelmCharts, f.chart(chart))
	}
	return o
}

// chart is how the flags ask for a chart to be rendered.
func (f *sourceFlags) chart(path string) source.HelmChart {
	return source.HelmChart{Path: path, Values: f.values, Set: f.set, ReleaseName: f.release, Namespace: f.namespace}
}
