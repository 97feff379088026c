package edit

import (
	"reflect"
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

	splices []splice
}

// plan makes what it can of the operations, in order, and gives those that have to wait. They
// concern a collection that another one changes, or one above or below it.
func (r *round) plan(ops []engine.Operation) (waiting []engine.Operation, err error) {
	t := touched{at: map[string]bool{}, above: map[string]bool{}}
	for _, op := range ops {
		if !t.add(op.Path[:strings.LastIndexByte(op.Path, '/')]) {
			waiting = append(waiting, op)
			continue
		}
		if err := r.operation(op); err != nil {
			return nil, err
		}
	}
	return waiting, nil
}

// touched are the pointers of collections, and those that lead to them.
type touched struct{ at, above map[string]bool }

// add says whether nothing at, above or below the pointer had been added before.
func (t touched) add(pointer string) bool {
	free := !t.at[pointer] && !t.above[pointer]
	ways := []string{""}
	for i := 1; i < len(pointer); i++ {
		if pointer[i] == '/' {
			ways = append(ways, pointer[:i])
		}
	}
	for _, way := range ways {
		free = free && (way == pointer || !t.at[way])
		t.above[way] = true
	}
	t.at[pointer] = true
	return free
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
		splices, err = p.replaceValue(p.node(), p.found, op.Value)
	}
	r.splices = append(r.splices, splices...)
	return err
}
