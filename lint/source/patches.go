package source

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/headroom-dev/headroom/internal/regular"
	"github.com/headroom-dev/headroom/policies/aliases"
)

const (
	reasonPatch   = "a patch of a kustomization; render it with --kustomize"
	reasonLeftOut = "a patch that the kustomization beside it names in a comment alone"
)

// leftOut finds the patches that a kustomization has commented out, as those that kubebuilder makes do: "# - a_patch.yaml".
// A file of another name may be a whole object.
var leftOut = regexp.MustCompile(`(?mi)^[ \t]*#[ \t]*-[ \t]+(?:path:[ \t]*)?([\w./-]*patch[\w./-]*\.ya?ml)[ \t]*$`)

// notePatches notes the files that a folder's kustomization uses as patches.
// They look like objects and are parts of one, so judging them would report as
// missing what the base has.
func (w *walker) notePatches(name, real string) {
	for _, file := range kustomizationNames {
		data, err := regular.Read(filepath.Join(name, file), DefaultMaxFileBytes)
		if err != nil {
			continue
		}
		var kustomization struct {
			Patches               []struct{ Path string }
			PatchesStrategicMerge []string                `yaml:"patchesStrategicMerge"`
			PatchesJSON6902       []struct{ Path string } `yaml:"patchesJson6902"`
		}
		// What cannot be read here is a Problem when its turn comes.
		_ = aliases.Unmarshal(data, &kustomization)
		paths := kustomization.PatchesStrategicMerge
		for _, patch := range append(kustomization.Patches, kustomization.PatchesJSON6902...) {
			paths = append(paths, patch.Path)
		}
		for _, path := range paths {
			w.patches[filepath.Join(real, filepath.FromSlash(path))] = reasonPatch
		}
		for _, left := range leftOut.FindAllSubmatch(data, -1) {
			w.patches[filepath.Join(real, filepath.FromSlash(string(left[1])))] = reasonLeftOut
		}
		return
	}
}

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
