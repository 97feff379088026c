package plan

import (
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ir"
)

// make starts an array, object or set, unless it is a literal. An empty literal is a constant.
func (c *compiler) make(target ir.Local, empty func() Value) step {
	if literal := c.knownOf(target).literal; literal != nil {
		if literal.total == 0 {
			c.about(target).constant = empty()
		}
		return nil
	}
	slot := c.slot(target)
	return func(_ *run, l []Value) int {
		l[slot] = empty()
		return next
	}
}

// builder makes an array, object or set of its operands.
type builder func(r *run, l []Value) Value

// compileGrowth compiles what grows an array, object or set: a literal is made with the last of its elements.
func (c *compiler) compileGrowth(
	s ir.Stmt, target ir.Local, puts []ir.Operand, whole func([]operand) builder, grow func(into, first, second Value) bool,
) step {
	if literal := c.knownOf(target).literal; literal != nil {
		literal.puts = append(literal.puts, puts...)
		if literal.seen++; literal.seen < literal.total {
			return nil
		}
		operands := c.ofAll(literal.puts)
		build := whole(operands)
		if !slices.ContainsFunc(operands, func(o operand) bool { return !o.constant() }) {
			c.about(target).constant = build(nil, nil)
			return nil
		}
		slot := c.slot(target)
		return func(r *run, l []Value) int {
			l[slot] = build(r, l)
			return next
		}
	}
	operands, slot := c.ofAll(puts), c.slot(target)
	first, second := operands[0], operands[len(operands)-1]
	return func(r *run, l []Value) int {
		if !grow(l[slot], first.read(r, l), second.read(r, l)) {
			r.fail(fmt.Errorf("%T into %T", s, l[slot]))
			return stop
		}
		return next
	}
}

func newArrayOf(operands []operand) builder {
	operands = slices.Clone(operands)
	return func(r *run, l []Value) Value {
		a := arrayWith(len(operands))
		for i, o := range operands {
			a.items[i] = o.read(r, l)
		}
		return a
	}
}

func newSetOf(operands []operand) builder {
	operands = slices.Clone(operands)
	return func(r *run, l []Value) Value {
		s := &Set{make([]Value, 0, len(operands))}
		for _, o := range operands {
			s.add(o.read(r, l))
		}
		return s
	}
}

// newObjectOf sorts the keys of a literal ahead where they are constants, and lets all its objects have them.
func newObjectOf(operands []operand) builder {
	const pair = 2
	keys, sorted := make([]Value, 0, len(operands)/pair), make([]operand, 0, len(operands)/pair)
	for i := 0; i < len(operands); i += pair {
		if !operands[i].constant() {
			operands := slices.Clone(operands)
			return func(r *run, l []Value) Value {
				o := newObject(len(operands) / pair)
				for i := 0; i < len(operands); i += pair {
					o.insert(operands[i].read(r, l), operands[i+1].read(r, l))
				}
				return o
			}
		}
		at, again := slices.BinarySearchFunc(keys, operands[i].value, Compare)
		if again {
			sorted[at] = operands[i+1]
			continue
		}
		keys, sorted = slices.Insert(keys, at, operands[i].value), slices.Insert(sorted, at, operands[i+1])
	}
	keys = slices.Clip(keys)
	return func(r *run, l []Value) Value {
		made := objectWith(keys)
		for i, o := range sorted {
			made.values[i] = o.read(r, l)
		}
		return made
	}
}

// arrayWith is an array of so many elements, a small one in one piece of memory.
func arrayWith(n int) *Array {
	switch n {
	case 1:
		a := &struct {
			Array
			in [1]Value
		}{}
		a.items = a.in[:]
		return &a.Array
	case 2:
		a := &struct {
			Array
			in [2]Value
		}{}
		a.items = a.in[:]
		return &a.Array
	case 3:
		a := &struct {
			Array
			in [3]Value
		}{}
		a.items = a.in[:]
		return &a.Array
	}
	return &Array{make([]Value, n)}
}

// objectWith is an object with these keys, which are in order.
func objectWith(keys []Value) *Object {
	switch len(keys) {
	case 1:
		o := &struct {
			Object
			in [1]Value
		}{}
		o.keys, o.values = keys, o.in[:]
		return &o.Object
	case 2:
		o := &struct {
			Object
			in [2]Value
		}{}
		o.keys, o.values = keys, o.in[:]
		return &o.Object
	case 3:
		o := &struct {
			Object
			in [3]Value
		}{}
		o.keys, o.values = keys, o.in[:]
		return &o.Object
	}
	return &Object{keys, make([]Value, len(keys))}
}
