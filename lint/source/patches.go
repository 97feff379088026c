package source

import (
	"path/filepath"

	"github.com/headroom-dev/headroom/internal/pattern"
	"github.com/headroom-dev/headroom/internal/regular"
	"github.com/headroom-dev/headroom/policies/aliases"
)

const (
	reasonPatch   = "a patch of a kustomization; render it with --kustomize"
	reasonLeftOut = "a patch that the kustomization beside it names in a comment alone"
)

// leftOut finds the patches that a kustomization has commented out, as those that kubebuilder makes do: "# - a_patch.yaml".
// A file of another name may be a whole object.
var leftOut = pattern.Lazy(`(?mi)^[ \t]*#[ \t]*-[ \t]+(?:path:[ \t]*)?([\w./-]*patch[\w./-]*\.ya?ml)[ \t]*$`)

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
		for _, left := range leftOut().FindAllSubmatch(data, -1) {
			w.patches[filepath.Join(real, filepath.FromSlash(string(left[1])))] = reasonLeftOut
		}
		return
	}
}
