package suggest

import (
	"context"
	"fmt"
	"reflect"
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
		var tries []try
		undone = nil
		for i := range p.list {
			if len(manners[i]) == 0 {
				undone = append(undone, i)
				continue
			}
			tries = also(tries, manners[i][0], i)
		}
		if len(tries) == 0 {
			return nil, undone, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		wrong := p.wrong(tries)
		if len(wrong) == 0 {
			return patchesOf(tries), undone, nil
		}
		for _, i := range wrong {
			manners[i] = manners[i][1:]
			if p.left <= 0 {
				manners[i] = nil
			}
		}
	}
}

// try is a patch, and the objects that it is for.
type try struct {
	patch map[string]any
	whose []int
}

// also adds a patch; where it is there already, as for objects of one name in two
// namespaces, it is for one more.
func also(tries []try, patch map[string]any, whose int) []try {
	for i := range tries {
		if reflect.DeepEqual(tries[i].patch, patch) {
			tries[i].whose = append(tries[i].whose, whose)
			return tries
		}
	}
	return append(tries, try{patch, []int{whose}})
}

func patchesOf(tries []try) []map[string]any {
	patches := make([]map[string]any, len(tries))
	for i, t := range tries {
		patches[i] = t.patch
	}
	return patches
}

// wrong builds with patches and gives the objects that do not come right: with all at once,
// and with each alone where that comes out wrong.
func (p *patching) wrong(tries []try) []int {
	var wrong []int
	if p.together(tries) {
		return nil
	}
	for _, t := range tries {
		if len(tries) == 1 || !p.together([]try{t}) {
			wrong = append(wrong, t.whose...)
		}
	}
	if len(wrong) > 0 {
		return wrong
	}
	// Each does it alone and all together do not: the first stays, the others have to go on.
	for _, t := range tries[1:] {
		wrong = append(wrong, t.whose...)
	}
	return wrong
}

// together says whether patches do what they shall, and nothing else.
func (p *patching) together(tries []try) bool {
	p.left--
	objects, err := p.build(patchesOf(tries))
	if err != nil {
		return false
	}
	moved, gone, came := p.base.moved(worldOf(objects))
	var whose []int
	for _, t := range tries {
		whose = append(whose, t.whose...)
	}
	if len(gone)+len(came) > 0 || len(moved) != len(whose) {
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
