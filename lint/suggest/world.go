package suggest

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/headroom-dev/headroom/lint/source"
)

// world is all that a chart or a kustomization gives, by apiVersion, kind and name.
type world struct {
	order   []string
	objects map[string]source.Rendered
	leaves  map[string]map[string]leaf // made when first asked for
}

func newWorld(rendered []source.Rendered) *world {
	w := &world{objects: map[string]source.Rendered{}, leaves: map[string]map[string]leaf{}}
	for _, r := range rendered {
		for _, object := range flat(r.Object) {
			id := idOf(object)
			for n := 2; ; n++ {
				if _, ok := w.objects[id]; !ok {
					break
				}
				id = fmt.Sprintf("%s #%d", idOf(object), n)
			}
			w.order = append(w.order, id)
			w.objects[id] = source.Rendered{Subchart: r.Subchart, Object: object}
		}
	}
	return w
}

func worldOf(objects []map[string]any) *world {
	rendered := make([]source.Rendered, len(objects))
	for i, object := range objects {
		rendered[i].Object = object
	}
	return newWorld(rendered)
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
	return fmt.Sprintf("%v %v %s/%s", object["apiVersion"], object["kind"],
		metaOf(object, "namespace"), metaOf(object, "name"))
}

func metaOf(object map[string]any, key string) string {
	metadata, _ := object["metadata"].(map[string]any)
	text, _ := metadata[key].(string)
	return text
}

func (w *world) leavesOf(id string) map[string]leaf {
	if w.leaves[id] == nil {
		w.leaves[id] = leaves(w.objects[id].Object)
	}
	return w.leaves[id]
}

// find gives the id of an object as it was rendered; "" where it was not.
func (w *world) find(object map[string]any) string {
	first := ""
	for _, id := range w.order {
		if idOf(w.objects[id].Object) != idOf(object) {
			continue
		}
		if reflect.DeepEqual(w.objects[id].Object, object) {
			return id
		}
		if first == "" {
			first = id
		}
	}
	return first
}

// moved are the changes from one world to another, by object, and the objects that are but
// in one of them.
func (w *world) moved(to *world) (all map[string]map[string]change, gone, came []string) {
	all = map[string]map[string]change{}
	for _, id := range w.order {
		was := w.objects[id]
		is, there := to.objects[id]
		if !there {
			gone = append(gone, id)
			continue
		}
		if reflect.DeepEqual(was.Object, is.Object) {
			continue
		}
		if found := changes(w.leavesOf(id), to.leavesOf(id)); len(found) > 0 {
			all[id] = found
		}
	}
	for _, id := range to.order {
		if _, there := w.objects[id]; !there {
			came = append(came, id)
		}
	}
	return all, gone, came
}

// kindsOf are the kinds of some objects of a world.
func (w *world) kindsOf(ids []string) []string {
	kinds := make([]string, len(ids))
	for i, id := range ids {
		kinds[i] = fmt.Sprint(w.objects[id].Object["apiVersion"], w.objects[id].Object["kind"])
	}
	slices.Sort(kinds)
	return kinds
}
