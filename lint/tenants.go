package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// granting are the annotations and labels by which a Namespace says what its workloads may have, what they may exempt
// and how they are judged.
var granting = []string{
	"headroom.dev/allow-ignore", "headroom.dev/allowed-classes", "headroom.dev/cpu-allocation", "headroom.dev/default-class",
	"headroom.dev/mode", "headroom.dev/mutate",
}

// grants are what the Namespaces of a run say of these, by name.
type grants map[string]map[string]any

func grantsOf(found [][]neighbour) grants {
	all := grants{}
	for _, n := range slices.Concat(found...) {
		r := engine.ResourceOf(n.manifest)
		if r.Kind != "Namespace" {
			continue
		}
		metadata, _ := n.manifest["metadata"].(map[string]any)
		said := map[string]any{}
		for _, part := range []string{"labels", "annotations"} {
			words, _ := metadata[part].(map[string]any)
			for _, key := range granting {
				if value, there := words[key]; there {
					said[key] = value
				}
			}
		}
		all[r.Name] = said
	}
	return all
}

// granted names what the Namespaces that were there say otherwise now; "" for nothing. A change could raise a bound
// together with what exceeds it.
func (b *Before) granted() string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(b.then)) {
		var keys []string
		for _, key := range granting {
			if fmt.Sprint(b.then[name][key]) != fmt.Sprint(b.now[name][key]) {
				keys = append(keys, key)
			}
		}
		if len(keys) > 0 {
			names = append(names, name+" ("+strings.Join(keys, ", ")+")")
		}
	}
	if len(names) == 0 {
		return ""
	}
	more := ""
	if n := len(names) - maxNotes; n > 0 {
		names, more = names[:maxNotes], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("Namespaces are not as they were at %s, and what they say now is in force: %s%s",
		b.options.Change.Ref, strings.Join(names, ", "), more)
}
