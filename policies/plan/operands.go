package plan

import (
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/ir"
)

// known is what is known of a local while its region is compiled.
type known struct {
	constant Value      // its only value
	same     ir.Operand // the local that has the same value
	literal  *literal   // that it is
}

// operand is where a statement finds a value.
type operand struct {
	slot  int
	value Value // of a constant
}

// Slots of what is no local.
const (
	constantSlot = -1
	inputSlot    = -2
	dataSlot     = -3
)

// read is the value that the operand has among these locals.
func (o operand) read(r *run, l []Value) Value {
	if o.slot >= 0 {
		return l[o.slot]
	}
	return o.global(r)
}

func (o operand) global(r *run) Value {
	switch o.slot {
	case inputSlot:
		return r.world.input
	case dataSlot:
		return r.world.data
	}
	return o.value
}

func (o operand) constant() bool { return o.slot == constantSlot }

func (c *compiler) slot(l ir.Local) int {
	if n := int(l) + 1; n > len(c.slots) {
		c.slots = append(c.slots, make([]int, n-len(c.slots))...)
	}
	if c.slots[l] == 0 {
		c.size++
		c.slots[l] = c.size
	}
	return c.slots[l] - 1
}

// about is what is known of a local, to be added to.
func (c *compiler) about(l ir.Local) *known {
	if n := int(l) + 1; n > len(c.known) {
		c.known = append(c.known, make([]known, n-len(c.known))...)
	}
	c.noted = append(c.noted, l)
	return &c.known[l]
}

func (c *compiler) knownOf(l ir.Local) known {
	if int(l) < len(c.known) {
		return c.known[l]
	}
	return known{}
}

func (c *compiler) ofLocal(l ir.Local) operand { return c.of(ir.Operand{Value: l}) }

// of is where a statement finds an operand.
func (c *compiler) of(o ir.Operand) operand {
	switch v := o.Value.(type) {
	case ir.StringIndex:
		return constantOf(c.textOf(int(v)))
	case ir.Bool:
		return constantOf(bool(v))
	case ir.Local:
		about := c.knownOf(v)
		if about.same.Value != nil {
			return c.of(about.same)
		}
		if about.constant != nil {
			return constantOf(about.constant)
		}
		switch v {
		case ir.Input:
			return operand{slot: inputSlot}
		case ir.Data:
			return operand{slot: dataSlot}
		}
		return operand{slot: c.slot(v)}
	}
	c.fail("an operand that is not known: %T", o.Value)
	return operand{}
}

func constantOf(v Value) operand { return operand{constantSlot, v} }

// ofAll is where a statement finds its operands, until the next one is compiled: a step that keeps them clones them.
func (c *compiler) ofAll(list []ir.Operand) []operand {
	c.operands = c.operands[:0]
	for _, o := range list {
		c.operands = append(c.operands, c.of(o))
	}
	return c.operands
}

// textOf is a string of the policy or, where it is read, of the image.
func (c *compiler) textOf(index int) string {
	if p := c.program.policy; p != nil {
		return p.Static.Strings[index].Value
	}
	if index >= c.program.texts.len() {
		c.fail("a string that it does not list: %d", index)
		return ""
	}
	return c.program.texts.at(index)
}

// place is where an error comes from: a file, by its place among the strings, and a line.
type place struct{ file, row int32 }

func placeOf(l ir.Location) place { return place{int32(l.File), int32(l.Row)} } //nolint:gosec // of a source file

func (p *Program) location(at place) *ast.Location {
	return ast.NewLocation(nil, p.texts.at(int(at.file)), int(at.row), 1)
}
