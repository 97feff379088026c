package tree

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/headroom-dev/headroom/lint/source"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Output is all that a chart or a kustomization renders, by apiVersion, kind and name.
type Output struct {
	order   []string
	Objects map[string]source.Rendered
	leaves  map[string]map[string]Leaf // made when first asked for
}

// NewOutput takes Lists apart, and tells objects of one name apart by a number.
func NewOutput(rendered []source.Rendered) *Output {
	w := &Output{Objects: map[string]source.Rendered{}, leaves: map[string]map[string]Leaf{}}
	for _, r := range rendered {
		for _, object := range flat(r.Object) {
			id := idOf(object)
			for n := 2; ; n++ {
				if _, ok := w.Objects[id]; !ok {
					break
				}
				id = fmt.Sprintf("%s #%d", idOf(object), n)
			}
			w.order = append(w.order, id)
			w.Objects[id] = source.Rendered{Subchart: r.Subchart, Object: object}
		}
	}
	return w
}

// OutputOf is the same for objects whose subcharts are not known.
func OutputOf(objects []map[string]any) *Output {
	rendered := make([]source.Rendered, len(objects))
	for i, object := range objects {
		rendered[i].Object = object
	}
	return NewOutput(rendered)
}

// flat takes a List apart.
func flat(object map[string]any) []map[string]any {
	items, ok := object["items"].([]any)
	if !ok || object["kind"] != any("List") {
		return []map[string]any{object}
	}
	var all []map[string]any
	for _, item := range items {
		if item, ok := item.(map[string]any); ok {
			all = append(all, item)
		}
	}
	return all
}

func idOf(object map[string]any) string {
	r := engine.ResourceOf(object)
	return fmt.Sprintf("%s %s %s/%s", r.APIVersion, r.Kind, r.Namespace, r.Name)
}

func (w *Output) leavesOf(id string) map[string]Leaf {
	if w.leaves[id] == nil {
		w.leaves[id] = Leaves(w.Objects[id].Object)
	}
	return w.leaves[id]
}

// Find gives the id of an object as it was rendered; "" where it was not.
func (w *Output) Find(object map[string]any) string {
	first := ""
	for _, id := range w.order {
		if idOf(w.Objects[id].Object) != idOf(object) {
			continue
		}
		if reflect.DeepEqual(w.Objects[id].Object, object) {
			return id
		}
		if first == "" {
			first = id
		}
	}
	return first
}

// Moved are the changes from one output to another, by object, and the objects that are in only
// one of them.
func (w *Output) Moved(to *Output) (all map[string]map[string]Change, gone, came []string) {
	all = map[string]map[string]Change{}
	for _, id := range w.order {
		was := w.Objects[id]
		is, there := to.Objects[id]
		if !there {
			gone = append(gone, id)
			continue
		}
		if reflect.DeepEqual(was.Object, is.Object) {
			continue
		}
		if found := Changes(w.leavesOf(id), to.leavesOf(id)); len(found) > 0 {
			all[id] = found
		}
	}
	for _, id := range to.order {
		if _, there := w.Objects[id]; !there {
			came = append(came, id)
		}
	}
	return all, gone, came
}

// KindsOf are the kinds of some objects, sorted.
func (w *Output) KindsOf(ids []string) []string {
	kinds := make([]string, len(ids))
	for i, id := range ids {
		kinds[i] = fmt.Sprint(w.Objects[id].Object["apiVersion"], w.Objects[id].Object["kind"])
	}
	slices.Sort(kinds)
	return kinds
}

// Unstable is what differs between two renderings of one chart though nothing was changed: random
// passwords and certificates, their checksums, and the names of test Pods.
type Unstable struct {
	Places  map[string]map[string]bool // by object
	objects []string
}

// UnstableIn compares two renderings of one chart.
func UnstableIn(a, b *Output) Unstable {
	moved, gone, _ := a.Moved(b)
	f := Unstable{Places: map[string]map[string]bool{}, objects: gone}
	for id, changes := range moved {
		f.Places[id] = map[string]bool{}
		for key := range changes {
			f.Places[id][key] = true
		}
	}
	return f
}

// Names says whether objects are gone because they are called otherwise each time.
func (f Unstable) Names(gone []string) bool {
	return !slices.ContainsFunc(gone, func(id string) bool { return !slices.Contains(f.objects, id) })
}
