package suggest

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/headroom-dev/headroom/lint/source"
)

// Kustomize gives the patches that make a kustomization build objects as they should be.
// It has been built with them.
func Kustomize(ctx context.Context, dir string, objects []Fixed) ([]Snippet, error) {
	built, err := source.BuildPatched(dir, nil)
	if err != nil {
		return nil, err
	}
	base := worldOf(built)
	file, settings := kustomizationOf(dir)
	var list []patchable
	for _, o := range objects {
		t := targetOf(base, o)
		if t == nil {
			continue
		}
		p := t.rest(base)
		p.names = namesBefore(metaOf(p.from, "name"), settings)
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, nil
	}
	inside := patching{list: list, base: base, left: maxBuilds, build: func(patches []map[string]any) (
		[]map[string]any, error,
	) {
		return source.BuildPatched(dir, patches)
	}}
	chosen, undone, err := inside.settle(ctx)
	if err != nil {
		return nil, err
	}
	var snippets []Snippet
	if len(chosen) > 0 {
		text, err := patchesText(chosen)
		if err != nil {
			return nil, err
		}
		where := "into " + file
		if settings.Patches != nil {
			where += ": the entries go to the end of its patches"
		}
		snippets = append(snippets, Snippet{
			Origin: dir, Kind: KindPatch, Text: text, Where: where, Covers: len(list) - len(undone),
		})
	}
	if len(undone) == 0 {
		return snippets, nil
	}
	var rest []patchable
	for _, i := range undone {
		list[i].names = []string{metaOf(list[i].from, "name")}
		rest = append(rest, list[i])
	}
	snippet, err := onTop(ctx, rest)
	if err != nil {
		return nil, err
	}
	snippet.Origin = dir
	snippet.Where = fmt.Sprintf("into the kustomization.yaml of a folder of its own, with resources: [../%s]",
		path.Base(filepath.ToSlash(filepath.Clean(dir))))
	snippet.Note = strings.TrimSpace(fmt.Sprintf("A patch inside %s does not do it: something there comes after it. %s",
		file, snippet.Note))
	return append(snippets, snippet), nil
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
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// It has been built, so what cannot be read here is of a shape that is not looked for.
		_ = yaml.Unmarshal(text, &settings)
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
