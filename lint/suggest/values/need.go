package values

import (
	"maps"
	"slices"

	"github.com/headroom-dev/headroom/lint/suggest/tree"
)

// Kinds of places that a fix changes.
const (
	atResources   = "resources"
	atVariable    = "variable"
	atAnnotation  = "annotation"
	atCommand     = "command"
	somewhereElse = "elsewhere"
)

// target is an object and what shall change in it.
type target struct {
	id            string // "" where it is not rendered alike twice
	before, after map[string]any
	wants         map[string]tree.Change
	done          map[string]bool // wants that values see to
	needs         []*need
	subchart      []string
}

// need is one place of a target that wants to be changed: the resources of a container, a
// variable or an annotation.
type need struct {
	target *target
	kind   string
	owner  []any  // path of the container, of the spec of a Pod or of the template
	name   string // of the variable or annotation
	keys   []string
	why    string // in words: why no value does it; "" where none was found
}

func newTarget(id string, before, after map[string]any) *target {
	t := &target{id: id, before: before, after: after, done: map[string]bool{}}
	t.wants = tree.Changes(tree.Leaves(before), tree.Leaves(after))
	byPlace := map[string]*need{}
	for _, key := range slices.Sorted(maps.Keys(t.wants)) {
		path := t.wants[key].Path
		n := placeOf(path)
		if n.kind == atResources && endsIn(path, "limits", "cpu") {
			n.name = limitsCPU // may have to wait for a variable, which the others need not
		}
		place := n.kind + tree.Key(n.owner) + n.name
		if byPlace[place] == nil {
			byPlace[place] = &n
			n.target = t
			t.needs = append(t.needs, &n)
		}
		byPlace[place].keys = append(byPlace[place].keys, key)
	}
	return t
}

// placeOf tells what kind of place a path leads to.
func placeOf(path []any) need {
	for i, step := range path {
		if name, ok := step.(tree.Named); ok && i > 0 && path[i-1] == any("env") {
			return need{kind: atVariable, owner: path[:i-1], name: string(name)}
		}
		if step == any("resources") {
			return need{kind: atResources, owner: path[:i]}
		}
		if name, ok := step.(string); ok && i > 0 && i == len(path)-1 && path[i-1] == any("annotations") {
			return need{kind: atAnnotation, owner: path[:i-1], name: name}
		}
	}
	if tree.OfCommand(path) {
		return need{kind: atCommand, owner: path[:len(path)-1]}
	}
	return need{kind: somewhereElse, owner: path}
}

// met says whether values see to all of a need.
func (n *need) met() bool {
	for _, key := range n.keys {
		if !n.target.done[key] {
			return false
		}
	}
	return true
}

// begun says whether values see to some of a need.
func (n *need) begun() bool {
	return slices.ContainsFunc(n.keys, func(key string) bool { return n.target.done[key] })
}

// open are the wants that no value sees to yet.
func (n *need) open() []tree.Change {
	var list []tree.Change
	for _, key := range n.keys {
		if !n.target.done[key] {
			list = append(list, n.target.wants[key])
		}
	}
	return list
}

// container is the name of the container that a need is of, "" for none.
func (n *need) container() string { return tree.Name(tree.At(n.target.before, n.owner)) }

// tied says whether two needs go together or not at all. A CPU limit goes only from a process
// whose processors a variable or a flag counts out. One without the other would make a workload worse.
func (n *need) tied(to *need) bool {
	return n.target == to.target && tree.Key(n.owner) == tree.Key(to.owner) &&
		(n.counts() && to.limitsCPU() || n.limitsCPU() && to.counts())
}

// counts says whether a need is of a place that can say how many processors there are.
func (n *need) counts() bool { return n.kind == atVariable || n.kind == atCommand }

func (n *need) limitsCPU() bool { return n.kind == atResources && n.name == limitsCPU }

const limitsCPU = "limits.cpu"

func endsIn(path []any, keys ...any) bool {
	return len(path) >= len(keys) && slices.Equal(path[len(path)-len(keys):], keys)
}
