package suggest

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/internal/regular"
	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest/patches"
	"github.com/headroom-dev/headroom/lint/suggest/tree"
	"github.com/headroom-dev/headroom/policies/aliases"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Kustomize gives the patches that fix what a kustomization builds. It has been built with them.
func Kustomize(ctx context.Context, dir string, list []Fixed) ([]Snippet, error) {
	built, err := source.BuildPatched(dir, nil)
	if err != nil {
		return nil, err
	}
	base := tree.OutputOf(built)
	file, settings := kustomizationOf(dir)
	var wanted []patches.Object
	for _, fixed := range list {
		if p, ok := patches.Whole(base, fixed.Before, fixed.After); ok {
			p.Names = namesBefore(engine.ResourceOf(p.From).Name, settings)
			wanted = append(wanted, p)
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	found, undone, err := patches.Inside(ctx, dir, base, wanted)
	if err != nil {
		return nil, err
	}
	var snippets []Snippet
	if found.Text != "" {
		where := "into " + file
		if settings.Patches != nil {
			where += ": the entries go to the end of its patches"
		}
		snippets = append(snippets, Snippet{
			Origin: dir, Kind: KindPatch, Text: found.Text, Where: where, Covers: found.Covers,
		})
	}
	if len(undone) == 0 {
		return snippets, nil
	}
	var rest []patches.Object
	for _, i := range undone {
		wanted[i].Names = []string{engine.ResourceOf(wanted[i].From).Name}
		rest = append(rest, wanted[i])
	}
	found, err = patches.OnTop(ctx, rest)
	if err != nil {
		return nil, err
	}
	return append(snippets, Snippet{
		Origin: dir, Kind: KindPatch, Text: found.Text, Covers: found.Covers,
		Where: fmt.Sprintf("into the kustomization.yaml of a folder of its own, with resources: [../%s]",
			path.Base(filepath.ToSlash(filepath.Clean(dir)))),
		Note: strings.TrimSpace(fmt.Sprintf("A patch inside %s does not do it: something there comes after it. %s",
			file, found.Note)),
	}), nil
}

// kustomization is what is looked at of one.
type kustomization struct {
	NamePrefix string `yaml:"namePrefix"`
	NameSuffix string `yaml:"nameSuffix"`
	Patches    []any  `yaml:"patches"`
}

func kustomizationOf(dir string) (file string, settings kustomization) {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		file = filepath.Join(dir, name)
		text, err := regular.Read(file, source.DefaultMaxFileBytes)
		if err != nil {
			continue
		}
		// It has been built, so what cannot be read here is of a shape that is not looked for.
		_ = aliases.Unmarshal(text, &settings)
		return filepath.ToSlash(file), settings
	}
	return filepath.ToSlash(dir), settings
}

// namesBefore are what an object may be called where patches meet it: before a prefix and
// a suffix are put to its name.
func namesBefore(name string, settings kustomization) []string {
	bare := strings.TrimSuffix(strings.TrimPrefix(name, settings.NamePrefix), settings.NameSuffix)
	return slices.Compact([]string{bare, name})
}
