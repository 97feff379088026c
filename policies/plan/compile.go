package plan

import (
	"slices"
	"sync"

	"github.com/open-policy-agent/opa/v1/ir"
)

// compiler makes closures of the statements of a function. It keeps no more locals than are needed:
//   - a local that is set once, to a constant, is that constant, and one that is set once to another
//     is that other;
//   - a literal is made at once when its last element is known, or is a constant itself.
//
// The planner numbers the locals of each rule anew. So "once" is meant within a region: what a
// function does for one rule, or for one branch of an else.
//
// What it has to know of the statements around one is found out when an image is made, and stands in the image.
type compiler struct {
	codec
	result ir.Local // of the function
	slots  []int    // by local, from 1 on; 0 for none yet
	size   int      // slots so far

	described *describer // nil where an image is read
	region    counts
	inside    counts     // of the statements that are looked at
	known     []known    // by local, in this region
	noted     []ir.Local // of which something is known
	// exits is where to go on when a local is set, by the depth of the block: nothing else could come
	// of going on where one is.
	exits map[ir.Local]int
	depth int // blocks around the statement that is being compiled; a scan counts as two

	steps    []step    // of the blocks that are being compiled, those of inner ones behind those of outer ones
	operands []operand // of the statement that is being compiled
}

// told gives what was found out when the image was made, or finds it out.
func (c *compiler) told(find func() int) int {
	var n int
	if !c.reading {
		n = find()
	}
	c.int(&n)
	return n
}

func number(truth bool) int {
	if truth {
		return 1
	}
	return 0
}

// literal is an array, object or set of which the elements are being compiled.
type literal struct {
	puts  []ir.Operand // of the elements so far
	total int          // statements that put something into it
	seen  int
}

// compilers are those that have compiled something, and what they made room for.
var compilers = sync.Pool{New: func() any { return &compiler{} }}

func (f *function) compile() error {
	c, _ := compilers.Get().(*compiler)
	defer compilers.Put(c)
	clear(c.slots)
	*c = compiler{
		codec: codec{reading: true, rest: f.body, program: f.program, made: c.made},
		slots: c.slots, known: c.known, noted: c.noted, steps: c.steps[:0], operands: c.operands,
	}
	c.function(f, &ir.Func{})
	if c.err == nil && c.rest != "" {
		c.fail("%d bytes too many", len(c.rest))
	}
	return c.err
}

// function compiles a function: one of a plan, which is written, or with nothing in it, which is read.
func (c *compiler) function(f *function, from *ir.Func) {
	params := from.Params
	list(&c.codec, &params, c.local)
	if len(params) != globals+f.arity {
		c.fail("a function of %d parameters, not %d", len(params), globals+f.arity)
		return
	}
	c.result = from.Return
	c.local(&c.result)
	for _, l := range params[globals:] {
		f.params = append(f.params, c.slot(l))
	}
	f.code = c.each(from.Blocks, c.rule)
	f.result = c.slot(c.result)
	f.size = c.size
}

// each compiles some blocks, of which there are none yet where they are read.
func (c *compiler) each(blocks []*ir.Block, compile func(*ir.Block) step) step {
	first := len(c.steps)
	for i := range c.several(len(blocks)) {
		var b *ir.Block
		if !c.reading {
			b = blocks[i]
		}
		c.steps = append(c.steps, compile(b))
	}
	return inTurn(c.taken(first))
}

// taken takes the steps of a block from those that are being compiled, until the next one is compiled.
func (c *compiler) taken(first int) []step {
	steps := c.steps[first:]
	c.steps = c.steps[:first]
	return steps
}

// several handles a number of statements or blocks.
func (c *compiler) several(n int) int {
	c.int(&n)
	if c.reading && n > len(c.rest) { // each has a byte at least
		c.fail("a list of %d elements, of which the end is missing", n)
		return 0
	}
	return n
}

// rule compiles a block of a function: a rule, or the branches of one with else.
func (c *compiler) rule(b *ir.Block) step {
	var branches ir.BlockStmt
	if c.told(func() int {
		if len(b.Stmts) != 1 {
			return 0
		}
		inside, ok := b.Stmts[0].(*ir.BlockStmt)
		if ok {
			branches = *inside
		}
		return number(ok)
	}) > 0 {
		return c.each(branches.Blocks, c.inRegion)
	}
	return c.inRegion(b)
}

func (c *compiler) inRegion(b *ir.Block) step {
	for _, l := range c.noted {
		c.known[l] = known{}
	}
	c.noted, c.exits, c.depth = c.noted[:0], nil, 0
	c.exitOf(func() (ir.Local, bool) {
		c.region.clear()
		c.described.count(&c.region, []*ir.Block{b})
		return c.region.onlyEffect(&c.region, c.result, true)
	})
	return c.block(b, 1)
}

// exitOf notes the local, if there is one, with which nothing is left to do here once it is set.
func (c *compiler) exitOf(find func() (ir.Local, bool)) {
	l := c.told(func() int {
		if l, ok := find(); ok {
			return int(l) + 1
		}
		return 0
	})
	if l == 0 {
		return
	}
	if c.exits == nil {
		c.exits = map[ir.Local]int{}
	}
	c.exits[ir.Local(l-1)] = c.depth
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
	blocks = slices.Clone(blocks)
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
	var all []ir.Stmt
	var described []description
	if !c.reading {
		all, described = b.Stmts, c.described.all(b)
	}
	first := len(c.steps)
	for i := range c.several(len(all)) {
		var s ir.Stmt
		if !c.reading {
			s = all[i]
		}
		c.codec.stmt(&s)
		if c.err != nil {
			break
		}
		switch s.(type) {
		case *ir.MakeArrayStmt, *ir.MakeObjectStmt, *ir.MakeSetStmt:
			c.literal(s, func() int { return c.puts(s, all[i+1:], described[i+1:]) })
		case *ir.BlockStmt, *ir.ScanStmt, *ir.NotStmt, *ir.WithStmt:
			c.exitOf(func() (ir.Local, bool) { return c.exit(s, described[i], all[i+1:]) })
		}
		if s := c.stmt(s); s != nil {
			c.steps = append(c.steps, s)
		}
	}
	return sequence(c.taken(first))
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
	steps = slices.Clone(steps)
	return func(r *run, l []Value) int {
		for _, s := range steps {
			if out := s(r, l); out != next {
				return out
			}
		}
		return next
	}
}

// exit finds the local that a statement serves only to set, which the next one looks at.
func (c *compiler) exit(s ir.Stmt, is description, after []ir.Stmt) (ir.Local, bool) {
	if len(is.blocks) == 0 || len(after) == 0 {
		return none, false
	}
	var asked ir.Local
	switch s := after[0].(type) {
	case *ir.IsDefinedStmt:
		asked = s.Source
	case *ir.IsUndefinedStmt:
		asked = s.Source
	default:
		return none, false
	}
	c.inside.clear()
	c.described.countOne(&c.inside, s, is)
	l, ok := c.inside.onlyEffect(&c.region, c.result, false)
	return l, ok && l == asked
}

func (c *compiler) literal(s ir.Stmt, find func() int) {
	if n := c.told(find); n > 0 {
		c.about(made(s)).literal = &literal{total: n - 1}
	}
}

// made is the array, object or set that a statement makes.
func made(s ir.Stmt) ir.Local {
	switch s := s.(type) {
	case *ir.MakeArrayStmt:
		return s.Target
	case *ir.MakeObjectStmt:
		return s.Target
	case *ir.MakeSetStmt:
		return s.Target
	}
	return none
}

// puts counts the statements, and one more, that fill an array, object or set with what is known by then; 0 where it
// is no literal.
func (c *compiler) puts(s ir.Stmt, after []ir.Stmt, described []description) int {
	target := made(s)
	if target == c.result || c.region.get(target).sets != 1 {
		return 0
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
					return 0
				}
				continue
			}
			return 0
		}
		// A statement that reads it half filled would see the wrong value.
		if c.described.uses(d, target) {
			return 0
		}
	}
	if seen < total {
		return 0
	}
	return total + 1
}

// changes says whether an operand may have another value later on.
func (c *compiler) changes(o ir.Operand) bool {
	l, ok := o.Value.(ir.Local)
	return ok && (l < globals || c.region.get(l).sets > 1)
}
