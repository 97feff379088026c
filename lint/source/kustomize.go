package source

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// RenderKustomize renders a kustomization as "kustomize build" does, with
// plugins off, Helm too unless opts enable it, and without the network: a remote base is a Problem. An
// item's File is the kustomization's folder, its Line the line in the rendered
// output.
func RenderKustomize(folder string, opts Options) []Item {
	return slices.Collect(renderKustomize(folder, opts).items(opts))
}

func renderKustomize(folder string, opts Options) rendering {
	if problem := checkLocal(folder, opts.FollowLinks); problem != nil {
		return rendering{problem: problem}
	}
	name := display(folder)
	m, problem := run(context.Background(), name, job{
		Folder: folder, EnableHelm: opts.EnableHelm, Follow: opts.FollowLinks, Limit: opts.maxFileBytes(),
	}, opts)
	if problem != nil {
		return rendering{problem: problem}
	}
	return rendering{texts: []renderedText{{name, m.Text, m.Sizes[""]}}}.keep(name)
}

func buildWith(files filesys.FileSystem, folder string, helm bool) (text []byte, err error) {
	defer silence()()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("kustomize gave up: %v", r)
		}
	}()
	// The default options load nothing from outside the folder and disable all
	// plugins, functions in containers and Helm among them.
	options := krusty.MakeDefaultOptions()
	if helm { // the user's own, on folders within the bounds
		options.PluginConfig.HelmConfig.Enabled = true
		if options.PluginConfig.HelmConfig.Command, err = helmCommand(); err != nil {
			return nil, err
		}
	}
	objects, err := krusty.MakeKustomizer(options).Run(files, folder)
	if err != nil {
		return nil, err
	}
	return objects.AsYaml()
}

var quotedYAML = regexp.MustCompile("(unable to parse SM or JSON patch from \\[|with config: `).*[]`]")

// kustomizeError shortens absolute paths to what the user sees and drops the
// patches that kustomize quotes.
func kustomizeError(err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if here, err := os.Getwd(); err == nil {
		text = strings.ReplaceAll(text, here+string(os.PathSeparator), "")
	}
	return fmt.Errorf("the kustomization does not build: %s", quotedYAML.ReplaceAllString(text, "$1..."))
}
