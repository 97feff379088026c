package plan

import (
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/ir"
)

// compiler makes closures of the statements of a function. It keeps no more locals than are needed:
//   - a local that is set once, to a constant, is that constant, and one that is set once to another
//     is that other;
//   - a literal is made at once when its last element is known, or is a constant itself.
//
// The planner numbers the locals of each rule anew. So "once" is meant within a region: what a
// function does for one rule, or for one branch of an else.
type compiler struct {
	program *Program
	result  ir.Local // of the function
	slots   []int    // by local, from 1 on; 0 for none yet
	size    int      // slots so far

	described *describer
	region    counts
	inside    counts  // of the statements that are looked at
	known     []known // by local, in this region
	// exits is where to go on when a local is set, by the depth of the block: nothing else could come
	// of going on where one is.
	exits map[ir.Local]int
	depth int // blocks around the statement that is being compiled; a scan counts as two

	err error
}

// known is what is known of a local while its region is compiled.
type known struct {
	constant Value      // its only value
	same     ir.Operand // the local that has the same value
	literal  *literal   // that it is
}

// literal is an array, object or set of which the elements are being compiled.
type literal struct {
	puts  []ir.Operand // of the elements so far
	total int          // statements that put something into it
	seen  int
}

func (f *function) compile() error {
	decoded, err := f.decode()
	if err != nil {
		return err
	}
	if len(decoded.Params) != globals+f.arity {
		return fmt.Errorf("the plan has a function of %d parameters, not %d", len(decoded.Params), globals+f.arity)
	}
	c := compiler{program: f.program, result: decoded.Return, described: newDescriber()}
	for _, l := range decoded.Params[globals:] {
		f.params = append(f.params, c.slot(l))
	}
	var blocks []step
	for _, b := range decoded.Blocks {
		blocks = append(blocks, c.rule(b))
	}
	f.code = inTurn(blocks)
	f.result = c.slot(decoded.Return)
	f.size = c.size
	return c.err
}

// rule compiles a block of a function: a rule, or the branches of one with else.
func (c *compiler) rule(b *ir.Block) step {
	if len(b.Stmts) == 1 {
		if branches, ok := b.Stmts[0].(*ir.BlockStmt); ok {
			var blocks []step
			for _, branch := range branches.Blocks {
				blocks = append(blocks, c.inRegion(branch))
			}
			return inTurn(blocks)
		}
	}
	return c.inRegion(b)
}

func (c *compiler) inRegion(b *ir.Block) step {
	for _, l := range c.region.used {
		if int(l) < len(c.known) {
			c.known[l] = known{}
		}
	}
	c.region.clear()
	c.described.count(&c.region, []*ir.Block{b})
	c.exits, c.depth = nil, 0
	if l, ok := c.region.onlyEffect(&c.region, c.result, true); ok {
		c.exits = map[ir.Local]int{l: 0}
	}
	return c.block(b, 1)
}

// inTurn runs blocks one after the other; undefined leaves one of them.
func inTurn(blocks []step) step {
	if len(blocks) == 1 {
		first := blocks[0]
		return func(r *run, l []Value) int {
			if out := first(r, l); out > undefined {
				return outOf(out)
			}
			return next
		}
	}
	return func(r *run, l []Value) int {
		for _, b := range blocks {
			if out := b(r, l); out > undefined {
				return outOf(out)
			}
		}
		return next
	}
}

// outOf is where to go on once one block is left.
func outOf(blocks int) int {
	if blocks == stop {
		return stop
	}
	return blocks - 1
}

// block compiles the statements of a block, so many levels further inside.
func (c *compiler) block(b *ir.Block, levels int) step {
	c.depth += levels
	defer func() { c.depth -= levels }()
	described := c.described.all(b)
	steps := make([]step, 0, len(b.Stmts))
	for i, s := range b.Stmts {
		c.literal(s, b.Stmts[i+1:], described[i+1:])
		c.exit(s, described[i], b.Stmts[i+1:])
		if s := c.stmt(s); s != nil {
			steps = append(steps, s)
		}
	}
	return sequence(steps)
}

func sequence(steps []step) step {
	switch len(steps) {
	case 0:
		return func(*run, []Value) int { return next }
	case 1:
		return steps[0]
	case 2:
		first, second := steps[0], steps[1]
		return func(r *run, l []Value) int {
			if out := first(r, l); out != next {
				return out
			}
			return second(r, l)
		}
	}
	return func(r *run, l []Value) int {
		for _, s := range steps {
			if out := s(r, l); out != next {
				return out
			}
		}
		return next
	}
}

// exit notes that a statement serves only to set a local which the next one looks at.
func (c *compiler) exit(s ir.Stmt, is description, after []ir.Stmt) {
	if len(is.blocks) == 0 || len(after) == 0 {
		return
	}
	var asked ir.Local
	switch s := after[0].(type) {
	case *ir.IsDefinedStmt:
		asked = s.Source
	case *ir.IsUndefinedStmt:
		asked = s.Source
	default:
		return
	}
	c.inside.clear()
	c.described.countOne(&c.inside, s, is)
	if l, ok := c.inside.onlyEffect(&c.region, c.result, false); ok && l == asked {
		if c.exits == nil {
			c.exits = map[ir.Local]int{}
		}
		c.exits[l] = c.depth
	}
}

// literal notes an array, object or set that the statements after it fill with what is known by then.
func (c *compiler) literal(s ir.Stmt, after []ir.Stmt, described []description) {
	var target ir.Local
	switch s := s.(type) {
	case *ir.MakeArrayStmt:
		target = s.Target
	case *ir.MakeObjectStmt:
		target = s.Target
	case *ir.MakeSetStmt:
		target = s.Target
	default:
		return
	}
	if target == c.result || c.region.get(target).sets != 1 {
		return
	}
	total := c.region.get(target).grows
	seen := 0
	for i, s := range after {
		if seen == total {
			break
		}
		d := described[i]
		if d.grows == target {
			seen++
			if _, once := s.(*ir.ObjectInsertOnceStmt); once || !slices.ContainsFunc(d.puts, c.changes) {
				if once {
					return
				}
				continue
			}
			return
		}
		// A statement that reads it half filled would see the wrong value.
		if c.described.uses(d, target) {
			return
		}
	}
	if seen == total {
		c.about(target).literal = &literal{total: total}
	}
}

// changes says whether an operand may have another value later on.
func (c *compiler) changes(o ir.Operand) bool {
	l, ok := o.Value.(ir.Local)
	return ok && (l < globals || c.region.get(l).sets > 1)
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
	return &c.known[l]
}

func (c *compiler) knownOf(l ir.Local) known {
	if int(l) < len(c.known) {
		return c.known[l]
	}
	return known{}
}

func (c *compiler) local(l ir.Local) operand { return c.operand(ir.Operand{Value: l}) }

func (c *compiler) operand(o ir.Operand) operand {
	switch v := o.Value.(type) {
	case ir.StringIndex:
		return constantOf(c.text(int(v)))
	case ir.Bool:
		return constantOf(bool(v))
	case ir.Local:
		about := c.knownOf(v)
		if about.same.Value != nil {
			return c.operand(about.same)
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

func (c *compiler) operands(list []ir.Operand) []operand {
	operands := make([]operand, len(list))
	for i, o := range list {
		operands[i] = c.operand(o)
	}
	return operands
}

func (c *compiler) text(index int) string {
	if index >= len(c.program.strings) {
		c.fail("a string that it does not list: %d", index)
		return ""
	}
	return c.program.strings[index]
}

func (c *compiler) fail(format string, arguments ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("the plan has "+format, arguments...)
	}
}

func (c *compiler) location(l ir.Location) *ast.Location {
	return ast.NewLocation(nil, c.text(l.File), l.Row, 1)
}
