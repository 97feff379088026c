package suggest

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// patchable is an object, and what kustomize shall make of it.
type patchable struct {
	id    string
	from  map[string]any // as the patch meets it
	to    map[string]any
	wants map[string]change
	// names are what the object may be called where the patch meets it, the likely one
	// first; namespaces alike.
	names []string
}

// manners are the ways to write the patch of an object, the better ones first. The first
// ones name the object alone, the later ones its namespace too.
func (p patchable) manners() []map[string]any {
	var list []map[string]any
	for _, withNamespace := range []bool{false, true} {
		namespace := ""
		if withNamespace {
			if namespace = metaOf(p.from, "namespace"); namespace == "" {
				continue
			}
		}
		for _, name := range p.names {
			if text, ok := p.merging(name, namespace); ok {
				list = append(list, map[string]any{"target": targeted(p.from, name, namespace), "patch": text})
			}
		}
		for _, name := range p.names {
			if text, ok := p.stepping(); ok {
				list = append(list, map[string]any{"target": targeted(p.from, name, namespace), "patch": text})
			}
		}
	}
	return list
}

func (p patchable) merging(name, namespace string) (string, bool) {
	patch, ok := merge(p.from, p.wants, name, namespace)
	if !ok {
		return "", false
	}
	text, err := written(listed(patch))
	return string(text), err == nil
}

func (p patchable) stepping() (string, bool) {
	var list []any
	for _, op := range steps6902(p.from, p.to) {
		list = append(list, op.fields())
	}
	text, err := written(list)
	return string(text), err == nil
}

// targeted is how kustomize finds an object.
func targeted(object map[string]any, name, namespace string) map[string]any {
	apiVersion, _ := object["apiVersion"].(string)
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group, version = "", apiVersion
	}
	target := map[string]any{"version": version, "kind": object["kind"], "name": name}
	if group != "" {
		target["group"] = group
	}
	if namespace != "" {
		target["namespace"] = namespace
	}
	return target
}

// patching looks for patches of objects; what it finds has been built.
type patching struct {
	list  []patchable
	base  *world // what is built without any patch
	build func(patches []map[string]any) ([]map[string]any, error)
	left  int // builds
}

// settle picks a manner for each object, such that all of them together do what they shall
// and nothing else. undone are the objects of which no manner does it.
func (p *patching) settle(ctx context.Context) (chosen []map[string]any, undone []int, err error) {
	manners := make([][]map[string]any, len(p.list))
	for i, of := range p.list {
		manners[i] = of.manners()
	}
	for {
		var patches []map[string]any
		var whose []int
		undone = nil
		for i := range p.list {
			if len(manners[i]) == 0 {
				undone = append(undone, i)
				continue
			}
			patches, whose = append(patches, manners[i][0]), append(whose, i)
		}
		if len(patches) == 0 {
			return nil, undone, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		right := p.proved(patches, whose)
		if !slices.Contains(right, false) {
			return patches, undone, nil
		}
		for n, i := range whose {
			if !right[n] {
				manners[i] = manners[i][1:]
			}
			if p.left <= 0 {
				manners[i] = nil
			}
		}
	}
}

// proved builds with patches and says which of them do what they shall: all at once, and
// each alone where that comes out wrong.
func (p *patching) proved(patches []map[string]any, whose []int) []bool {
	right := make([]bool, len(patches))
	p.left--
	if p.together(patches, whose) {
		for n := range right {
			right[n] = true
		}
		return right
	}
	if len(patches) == 1 {
		return right
	}
	for n := range patches {
		p.left--
		right[n] = p.together(patches[n:n+1], whose[n:n+1])
	}
	if !slices.Contains(right, false) {
		// Each does it alone and all together do not: the first stays, the others have to go on.
		right = make([]bool, len(patches))
		right[0] = true
	}
	return right
}

func (p *patching) together(patches []map[string]any, whose []int) bool {
	objects, err := p.build(patches)
	if err != nil {
		return false
	}
	moved, ok := p.base.moved(worldOf(objects))
	if !ok || len(moved) != len(whose) {
		return false
	}
	for _, i := range whose {
		is := moved[p.list[i].id]
		if len(is) != len(p.list[i].wants) {
			return false
		}
		for key, want := range p.list[i].wants {
			if got, ok := is[key]; !ok || !sameEnd(want, got) {
				return false
			}
		}
	}
	return true
}

// patchesText is what stands in a kustomization.
func patchesText(patches []map[string]any) (string, error) {
	list := make([]any, len(patches))
	for i, patch := range patches {
		list[i] = patch
	}
	text, err := written(map[string]any{"patches": list})
	if err != nil {
		return "", fmt.Errorf("write patches: %w", err)
	}
	return string(text), nil
}
