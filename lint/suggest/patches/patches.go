// Package patches finds kustomize patches that change objects as wanted, and nothing else. It builds
// with each patch to prove that.
package patches

import (
	"context"
	"fmt"
	"strings"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/lint/suggest/tree"
)

// patchesText is what stands in a kustomization.
func patchesText(patches []map[string]any) (string, error) {
	list := make([]any, len(patches))
	for i, patch := range patches {
		list[i] = patch
	}
	text, err := tree.YAML(map[string]any{"patches": list})
	if err != nil {
		return "", fmt.Errorf("write patches: %w", err)
	}
	return string(text), nil
}

// maxBuilds bounds how often a kustomization is built to find its patches.
const maxBuilds = 100

// Patches are patches to paste.
type Patches struct {
	Text   string // YAML of a kustomization
	Covers int    // how many objects they fix
	Note   string // in words: what they do not do; "" for nothing
}

// OnTop finds patches for objects as another program prints them.
func OnTop(ctx context.Context, list []Object) (Patches, error) {
	var objects []map[string]any
	for _, p := range list {
		objects = append(objects, p.From)
	}
	build := func(patches []map[string]any) ([]map[string]any, error) { return source.PatchObjects(objects, patches) }
	base, err := build(nil)
	if err != nil {
		return Patches{}, err
	}
	p := chooser{list: list, base: tree.OutputOf(base), left: maxBuilds, build: build}
	for i := range p.list {
		p.list[i].ID = p.base.Find(p.list[i].From)
	}
	found, undone, err := p.find(ctx)
	for _, i := range undone {
		found.Note += fmt.Sprintf("Kustomize has no patch that changes %s and nothing else. ", tree.Title(p.list[i].From))
	}
	found.Note = strings.TrimSpace(found.Note)
	return found, err
}

// Inside finds patches for objects within the kustomization that builds them. undone are the objects
// of which no patch does it.
func Inside(ctx context.Context, dir string, base *tree.Output, list []Object) (found Patches, undone []int, err error) {
	p := chooser{list: list, base: base, left: maxBuilds, build: func(patches []map[string]any) ([]map[string]any, error) {
		return source.BuildPatched(dir, patches)
	}}
	return p.find(ctx)
}

// find writes the patches that do what they shall; no text where there are none.
func (p *chooser) find(ctx context.Context) (found Patches, undone []int, err error) {
	chosen, undone, err := p.settle(ctx)
	if err != nil {
		return Patches{}, nil, err
	}
	found.Covers = len(p.list) - len(undone)
	if len(chosen) > 0 {
		found.Text, err = patchesText(chosen)
	}
	return found, undone, err
}
