package edit

import (
	"reflect"
	"slices"
	"strings"

	"github.com/headroom-dev/headroom/policies/engine"
)

// round is what is done with one reading of a document: as many operations as change
// collections of which none lies in another.
type round struct {
	text   lines
	root   *node
	json   bool
	object map[string]any

	done    int
	splices []splice
}

func (r *round) plan(ops []engine.Operation) error {
	var touched []string
	for _, op := range ops {
		parent := op.Path[:strings.LastIndexByte(op.Path, '/')]
		if slices.ContainsFunc(touched, func(other string) bool { return related(parent, other) }) {
			return nil
		}
		touched = append(touched, parent)
		if err := r.operation(op); err != nil {
			return err
		}
		r.done++
	}
	return nil
}

func related(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

func (r *round) operation(op engine.Operation) error {
	p, err := locate(r.text, r.root, r.json, op.Path)
	if err != nil {
		return err
	}
	there, known := lookUp(r.object, op.Path)
	replaces := op.Op == opReplace || op.Op == opAdd && p.node().kind == mapping
	if known && replaces && reflect.DeepEqual(there, op.Value) {
		return nil
	}
	var splices []splice
	switch {
	case op.Op == opAdd && (p.found != nil || p.node().mergeKey() == nil || !known):
		splices, err = p.add(op.Value)
	case p.found == nil:
		err = absent(p.node(), p.key)
	case op.Op == opRemove:
		splices, err = p.remove()
	default:
		splices, err = p.put(p.node(), p.found, op.Value)
	}
	r.splices = append(r.splices, splices...)
	return err
}
