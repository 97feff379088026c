package source

import (
	"context"
	"slices"
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
		Folder: folder, EnableHelm: opts.EnableHelm, Follow: opts.FollowLinks, Limit: opts.MaxBytes(),
	}, opts)
	if problem != nil {
		return rendering{problem: problem}
	}
	return rendering{texts: []renderedText{{name, m.Text, m.Sizes[""]}}}.keep(name)
}
