package plan

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ir"
)

// globals is how many parameters each function begins with: input and data.
const globals = 2

// none stands for no local.
const none ir.Local = -1

// description is what a statement does with locals.
type description struct {
	reads  []ir.Operand // grown containers left out
	sets   []ir.Local
	grows  ir.Local     // the container that something is put into; none for most
	puts   []ir.Operand // what is put into it: the value, or key and value; all are among reads
	blocks []*ir.Block
}

// describer is the visitor that describes the statements of one function, each block once.
type describer struct {
	known map[*ir.Block][]description
	// What the statements read, set and have inside, one behind the other: a description is a part of each.
	operandsRead []ir.Operand
	localsSet    []ir.Local
	inside       []*ir.Block
	grown        ir.Local
}

func newDescriber() *describer { return &describer{known: map[*ir.Block][]description{}} }

// all describes the statements of a block.
func (d *describer) all(b *ir.Block) []description {
	known, ok := d.known[b]
	if !ok {
		known = make([]description, len(b.Stmts))
		for i, s := range b.Stmts {
			known[i] = d.describe(s)
		}
		d.known[b] = known
	}
	return known
}

func (d *describer) describe(s ir.Stmt) description {
	reads, sets, blocks := len(d.operandsRead), len(d.localsSet), len(d.inside)
	d.grown = none
	fields(s, d)
	made := description{
		reads: slices.Clip(d.operandsRead[reads:]), sets: slices.Clip(d.localsSet[sets:]), grows: d.grown,
		blocks: slices.Clip(d.inside[blocks:]),
	}
	if d.grown != none {
		made.puts = made.reads
	}
	return made
}

func (d *describer) reads(l *ir.Local) {
	d.operandsRead = append(d.operandsRead, ir.Operand{Value: *l})
}
func (d *describer) sets(l *ir.Local)  { d.localsSet = append(d.localsSet, *l) }
func (d *describer) grows(l *ir.Local) { d.grown = *l }

func (d *describer) changes(l *ir.Local) {
	d.reads(l)
	d.sets(l)
}

func (d *describer) operand(o *ir.Operand)      { d.operandsRead = append(d.operandsRead, *o) }
func (d *describer) operands(all *[]ir.Operand) { d.operandsRead = append(d.operandsRead, *all...) }
func (d *describer) block(b **ir.Block)         { d.inside = append(d.inside, *b) }
func (d *describer) blocks(all *[]*ir.Block)    { d.inside = append(d.inside, *all...) }

// What is left has nothing to do with locals.
func (*describer) depth(*uint32)         {}
func (*describer) int64(*int64)          {}
func (*describer) string(*int)           {}
func (*describer) strings(*[]int)        {}
func (*describer) name(*string)          {}
func (*describer) location(*ir.Location) {}

// uses says whether a statement, or one inside it, reads a local or grows it.
func (d *describer) uses(is description, l ir.Local) bool {
	if is.grows == l || slices.ContainsFunc(is.reads, func(o ir.Operand) bool { return o.Value == l }) {
		return true
	}
	for _, b := range is.blocks {
		for _, inside := range d.all(b) {
			if d.uses(inside, l) {
				return true
			}
		}
	}
	return false
}
