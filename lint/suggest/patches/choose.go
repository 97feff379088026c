package patches

import (
	"context"
	"reflect"

	"github.com/headroom-dev/headroom/lint/suggest/tree"
)

// chooser looks for patches of objects; what it finds has been built.
type chooser struct {
	list  []Object
	base  *tree.Output // what is built without any patch
	build func(patches []map[string]any) ([]map[string]any, error)
	left  int // builds
}

// settle picks a manner for each object, such that all of them together do what they shall
// and nothing else. undone are the objects of which no manner does it.
func (p *chooser) settle(ctx context.Context) (chosen []map[string]any, undone []int, err error) {
	manners := make([][]map[string]any, len(p.list))
	for i, of := range p.list {
		manners[i] = of.forms()
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
func (p *chooser) wrong(tries []try) []int {
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
func (p *chooser) together(tries []try) bool {
	p.left--
	objects, err := p.build(patchesOf(tries))
	if err != nil {
		return false
	}
	moved, gone, came := p.base.Moved(tree.OutputOf(objects))
	var whose []int
	for _, t := range tries {
		whose = append(whose, t.whose...)
	}
	if len(gone)+len(came) > 0 || len(moved) != len(whose) {
		return false
	}
	for _, i := range whose {
		is := moved[p.list[i].ID]
		if len(is) != len(p.list[i].Wants) {
			return false
		}
		for key, want := range p.list[i].Wants {
			if got, ok := is[key]; !ok || !tree.SameEnd(want, got) {
				return false
			}
		}
	}
	return true
}
