package suggest

import "slices"

// fickle is what differs though nothing was changed, each time that a chart is rendered:
// passwords and certificates made at random and the checksums of them, and the names of
// test Pods.
type fickle struct {
	places  map[string]map[string]bool // by object
	objects []string
}

func fickleIn(a, b *world) fickle {
	moved, gone, _ := a.moved(b)
	f := fickle{places: map[string]map[string]bool{}, objects: gone}
	for id, changes := range moved {
		f.places[id] = map[string]bool{}
		for key := range changes {
			f.places[id][key] = true
		}
	}
	return f
}

// names says whether objects are gone because they are called otherwise each time.
func (f fickle) names(gone []string) bool {
	return !slices.ContainsFunc(gone, func(id string) bool { return !slices.Contains(f.objects, id) })
}
