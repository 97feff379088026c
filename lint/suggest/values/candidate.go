package values

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/headroom-dev/headroom/lint/suggest/tree"
	"github.com/headroom-dev/headroom/policies/engine"
)

// candidate are edits that may do what a need wants.
type candidate struct {
	edits []edit
	rank  int    // the lower the sooner it is tried
	at    []any  // the key that is changed, to speak of it
	hides bool   // would print other values of the user, which may be secret
	id    string // to know it again
}

// Ranks of candidates: what is rendered as it stands in the values comes first.
const (
	rankSame   = 0
	rankEmpty  = 10
	rankOther  = 20
	rankScalar = 25
	rankAbsent = 30
	rankHides  = 50
	// maxTries bounds how many candidates of one need are tried.
	maxTries = 16
)

// candidates are what may do something for a need, the likely ones first.
func (s *Search) candidates(n *need) []candidate {
	var list []candidate
	for _, node := range s.nodes {
		if len(n.target.subchart) > 0 && !under(node.path, steps(n.target.subchart)) && node.path[0] != any("global") {
			continue
		}
		var found []candidate
		switch n.kind {
		case atResources:
			found = s.forResources(n, node)
		case atVariable:
			found = forVariable(n, node)
		case atAnnotation:
			found = forAnnotation(n, node)
		case atCommand:
			found = forCommand(n, node)
		}
		for _, c := range found {
			c.at = tree.ListOf(node.path)
			c.hides = s.hides(c.edits, n.name)
			if node.absent {
				c.rank += rankAbsent
			}
			if c.hides {
				c.rank += rankHides
			}
			c.rank -= affinity(node.path, n.container(), engine.ResourceOf(n.target.before).Name, s.names)
			c.id = n.kind + tree.Key(node.path) + textOfEdits(c.edits)
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	return list[:min(len(list), maxTries)]
}

func textOfEdits(list []edit) string {
	text := ""
	for _, e := range list {
		text += tree.Key(e.path)
		if e.drop {
			text += "\x00drop"
		}
	}
	return text
}

// forAnnotation adds to a map of annotations.
func forAnnotation(n *need, node node) []candidate {
	fields, isMap := node.value.(map[string]any)
	if !isAnnotations(node.key()) || !isMap && !node.absent {
		return nil
	}
	rank := rankOther
	if len(fields) == 0 {
		rank = rankEmpty
	}
	if has(node.key(), "pod") {
		rank -= 5
	}
	var list []edit
	for _, c := range n.open() {
		list = append(list, leafEdit(append(slices.Clip(node.path), n.name), c))
	}
	return []candidate{{edits: list, rank: rank}}
}

// leafEdit writes a change at a place of the values.
func leafEdit(path []any, c tree.Change) edit {
	if c.To == nil {
		return edit{path: path, remove: true}
	}
	return edit{path: path, value: c.To.Raw}
}

// dropping are edits that take out of the user's values what they would else remove by a
// null; nil where the user gives none of that.
func (s *Search) dropping(list []edit) []edit {
	out := slices.Clone(list)
	found := false
	for i, e := range out {
		if e.remove && given(s.chart.Given, e.path) {
			out[i].drop = true
			found = true
		}
	}
	if !found {
		return nil
	}
	return out
}

// given says whether values have a key, be it null.
func given(values map[string]any, path []any) bool {
	if len(path) == 0 {
		return true
	}
	parent, _ := tree.At(values, path[:len(path)-1]).(map[string]any)
	key, isKey := path[len(path)-1].(string)
	_, has := parent[key]
	return isKey && has
}

// forCommand changes a list of values that is a container's command or its args now.
func forCommand(n *need, node node) []candidate {
	var found []candidate
	for _, c := range n.open() {
		if c.From != nil && c.To != nil && reflect.DeepEqual(node.value, c.From.Raw) {
			found = append(found, candidate{edits: []edit{leafEdit(node.path, c)}})
		}
	}
	return found
}
