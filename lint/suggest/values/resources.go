package values

import (
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/lint/suggest/tree"
)

// forResources changes a map of requests and limits, or single quantities.
func (s *Search) forResources(n *need, node node) []candidate {
	fields, isMap := node.value.(map[string]any)
	shaped := isMap && (hasMap(fields, "requests") || hasMap(fields, "limits"))
	switch {
	case shaped, (isMap || node.absent) && isResources(node.key()):
	case !isMap && !node.absent:
		return scalarResources(n, node)
	default:
		return nil
	}
	now, _ := tree.At(n.target.before, append(slices.Clip(n.owner), "resources")).(map[string]any)
	rank := rankOther
	switch {
	case node.absent:
		rank = rankEmpty
	case sameResources(fields, now):
		rank = rankSame
	case len(fields) == 0:
		rank = rankEmpty
	}
	var list []edit
	for _, c := range n.open() {
		rest := c.Path[len(n.owner)+1:]
		if len(rest) == 0 {
			return nil // resources that are null, or no map at all
		}
		list = append(list, leafEdit(append(slices.Clip(node.path), rest...), c))
	}
	found := []candidate{{edits: list, rank: rank}}
	if dropping := s.dropping(list); dropping != nil {
		found = append(found, candidate{edits: dropping, rank: rank + 1})
	}
	if rank != rankSame && !shaped {
		// A preset or a default of the template gives way as a whole: say all there is to be.
		if whole, ok := tree.PlainNumbers(tree.At(n.target.after, append(slices.Clip(n.owner), "resources"))).(map[string]any); ok {
			found = append(found, candidate{edits: []edit{{path: node.path, value: whole}}, rank: rank + 2})
		}
	}
	return found
}

// scalarResources are for keys such as memoryLimit: 1Gi.
func scalarResources(n *need, node node) []candidate {
	if _, isList := node.value.([]any); isList || len(node.path) == 0 {
		return nil
	}
	var found []candidate
	for _, c := range n.open() {
		last, _ := c.Path[len(c.Path)-1].(string)
		named := has(node.key(), last[:min(3, len(last))])
		was := ""
		if c.From != nil {
			was = strings.TrimSpace(tree.Scalar(c.From.Raw))
		}
		now := strings.TrimSpace(tree.Scalar(node.value))
		if now != was || !named && (was == "" || !onPath(node.path, last)) {
			continue
		}
		if c.To != nil {
			found = append(found, candidate{edits: []edit{{path: node.path, value: c.To.Raw}}, rank: rankScalar})
			continue
		}
		found = append(
			found,
			candidate{edits: []edit{{path: node.path, remove: true}}, rank: rankScalar},
			candidate{edits: []edit{{path: node.path, value: ""}}, rank: rankScalar + 1},
		)
	}
	return found
}

// onPath says whether a word is part of some key on the way.
func onPath(path []any, word string) bool {
	return slices.ContainsFunc(path, func(step any) bool {
		key, ok := step.(string)
		return ok && has(key, word)
	})
}

func hasMap(fields map[string]any, key string) bool {
	_, ok := fields[key].(map[string]any)
	return ok
}

// sameResources compares quantities as text: 1 and "1" are one.
func sameResources(a, b map[string]any) bool {
	from := tree.Leaves(map[string]any{"resources": orEmpty(a)})
	to := tree.Leaves(map[string]any{"resources": orEmpty(b)})
	return len(from) > 0 && len(tree.Changes(from, to)) == 0
}

func orEmpty(fields map[string]any) map[string]any {
	if fields == nil {
		return map[string]any{}
	}
	return fields
}
