package plan

import (
	"slices"

	"github.com/open-policy-agent/opa/v1/ir"
)

// uses tells what some statements do with a local, and how often.
type uses struct {
	sets, reads, grows int
	resets, constants  int // of sets: to nothing, and to a constant
	made               bool
	once               bool // set as a rule sets its value
}

// counts tells the uses of each local in some statements.
type counts struct {
	byLocal []uses
	used    []ir.Local
	// leaves says that a statement leaves the function, or changes input or data.
	leaves bool
}

func (c *counts) usesOf(l ir.Local) *uses {
	if n := int(l) + 1; n > len(c.byLocal) {
		c.byLocal = append(c.byLocal, make([]uses, n-len(c.byLocal))...)
	}
	u := &c.byLocal[l]
	if *u == (uses{}) {
		c.used = append(c.used, l)
	}
	return u
}

// get is at for those who only look.
func (c *counts) get(l ir.Local) uses {
	if int(l) < len(c.byLocal) {
		return c.byLocal[l]
	}
	return uses{}
}

func (c *counts) clear() {
	for _, l := range c.used {
		c.byLocal[l] = uses{}
	}
	c.used, c.leaves = c.used[:0], false
}

// count adds the uses of some blocks.
func (d *describer) count(c *counts, blocks []*ir.Block) {
	for _, b := range blocks {
		described := d.all(b)
		for i, s := range b.Stmts {
			d.countOne(c, s, described[i])
		}
	}
}

func (d *describer) countOne(c *counts, s ir.Stmt, is description) {
	for _, l := range is.sets {
		c.usesOf(l).sets++
	}
	for _, o := range is.reads {
		if l, ok := o.Value.(ir.Local); ok {
			c.usesOf(l).reads++
		}
	}
	if is.grows != none {
		c.usesOf(is.grows).grows++
	}
	switch s := s.(type) {
	case *ir.MakeArrayStmt:
		c.usesOf(s.Target).made = true
	case *ir.MakeObjectStmt:
		c.usesOf(s.Target).made = true
	case *ir.MakeSetStmt:
		c.usesOf(s.Target).made = true
	case *ir.AssignVarStmt:
		c.assigned(s.Target, s.Source)
	case *ir.AssignVarOnceStmt:
		c.assigned(s.Target, s.Source)
		c.usesOf(s.Target).once = true
	case *ir.ResetLocalStmt:
		c.usesOf(s.Target).resets++
	case *ir.ReturnLocalStmt, *ir.WithStmt:
		c.leaves = true
	}
	d.count(c, is.blocks)
}

func (c *counts) assigned(l ir.Local, source ir.Operand) {
	if _, ok := source.Value.(ir.Local); !ok {
		c.usesOf(l).constants++
	}
}

// onlyEffect finds the one local that some statements set for what comes after them in their region. That must be
// all that they do, and the value must be a constant. A rule does it once, and the function returns it.
func (c *counts) onlyEffect(region *counts, result ir.Local, rule bool) (ir.Local, bool) {
	if c.leaves {
		return none, false
	}
	effects := func(l ir.Local) bool {
		u, all := c.get(l), region.get(l)
		return rule && u.once || u.grows > 0 && !u.made ||
			u.sets > 0 && (l == result || u.sets < all.sets || u.reads < all.reads)
	}
	i := slices.IndexFunc(c.used, effects)
	if i < 0 || slices.ContainsFunc(c.used[i+1:], effects) {
		return none, false
	}
	l := c.used[i]
	u := c.get(l)
	return l, u.constants == 1 && u.sets == 1+u.resets && (rule || u.resets == 0)
}
