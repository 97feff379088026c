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

// describer is the visitor that describes the statements of one function, each once.
type describer struct {
	known map[ir.Stmt]description
	// What the statements read, set and have inside, one behind the other: a description is a part of each.
	operandsRead []ir.Operand
	localsSet    []ir.Local
	inside       []*ir.Block
	grown        ir.Local
}

func newDescriber(statements int) *describer {
	return &describer{known: make(map[ir.Stmt]description, statements)}
}

func (d *describer) of(s ir.Stmt) description {
	if known, ok := d.known[s]; ok {
		return known
	}
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
	d.known[s] = made
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

// each calls with every statement of the blocks, and of those inside, until it gives false.
func (d *describer) each(blocks []*ir.Block, with func(ir.Stmt, description) bool) bool {
	for _, b := range blocks {
		for _, s := range b.Stmts {
			described := d.of(s)
			if !with(s, described) || !d.each(described.blocks, with) {
				return false
			}
		}
	}
	return true
}

// uses says whether a statement, or one inside it, reads a local or grows it.
func (d *describer) uses(s ir.Stmt, l ir.Local) bool {
	return !d.each([]*ir.Block{{Stmts: []ir.Stmt{s}}}, func(_ ir.Stmt, is description) bool {
		return is.grows != l && !slices.ContainsFunc(is.reads, func(o ir.Operand) bool { return o.Value == l })
	})
}

// uses tells how often a local is set, read and grown.
type uses struct{ sets, reads, grows int }

// counts tells the uses of each local in some statements.
type counts map[ir.Local]uses

// count adds those of some blocks.
func (d *describer) count(c counts, blocks []*ir.Block) {
	d.each(blocks, func(_ ir.Stmt, is description) bool {
		for _, l := range is.sets {
			u := c[l]
			u.sets++
			c[l] = u
		}
		for _, o := range is.reads {
			if l, ok := o.Value.(ir.Local); ok {
				u := c[l]
				u.reads++
				c[l] = u
			}
		}
		if is.grows != none {
			u := c[is.grows]
			u.grows++
			c[is.grows] = u
		}
		return true
	})
}
