package plan

import (
	"github.com/open-policy-agent/opa/v1/ir"
	"github.com/open-policy-agent/opa/v1/topdown"
)

// set makes a local a constant, where it is set once; a step does it where it is not.
func (c *compiler) set(l ir.Local, value Value) step {
	if c.fixed(l) {
		c.about(l).constant = value
		return nil
	}
	slot := c.slot(l)
	return func(_ *run, l []Value) int {
		l[slot] = value
		return next
	}
}

// fixed says whether a local is set once and never grown.
func (c *compiler) fixed(l ir.Local) bool {
	return c.told(func() int {
		u := c.region.get(l)
		return number(u.sets == 1 && u.grows == 0 && l != c.result)
	}) > 0
}

// stmt compiles a statement; nil where there is nothing to do for it.
func (c *compiler) stmt(s ir.Stmt) step {
	switch s := s.(type) {
	case *ir.ReturnLocalStmt:
		source := c.ofLocal(s.Source)
		target := c.slot(c.result)
		return func(r *run, l []Value) int {
			l[target] = source.read(r, l)
			return stop
		}
	case *ir.CallStmt:
		return c.call(s)
	case *ir.CallDynamicStmt:
		return c.callByPath(s)
	case *ir.BlockStmt:
		return c.each(s.Blocks, func(b *ir.Block) step { return c.block(b, 1) })
	case *ir.BreakStmt:
		out := int(s.Index) + 1
		if out > c.depth {
			c.fail("a break out of %d of %d blocks", out, c.depth)
		}
		return func(*run, []Value) int { return out }
	case *ir.DotStmt:
		return c.dot(s)
	case *ir.LenStmt:
		source, target := c.of(s.Source), c.slot(s.Target)
		return func(r *run, l []Value) int {
			n, ok := count(source.read(r, l))
			if !ok {
				return undefined
			}
			l[target] = n
			return next
		}
	case *ir.ScanStmt:
		return c.scan(s)
	case *ir.NotStmt:
		return c.not(s)
	case *ir.WithStmt:
		return c.with(s)
	case *ir.AssignIntStmt:
		return c.set(s.Target, s.Value)
	case *ir.AssignVarStmt:
		return c.assign(s)
	case *ir.AssignVarOnceStmt:
		return c.assignOnce(s)
	case *ir.ResetLocalStmt:
		target := c.slot(s.Target)
		return func(_ *run, l []Value) int {
			l[target] = nil
			return next
		}
	case *ir.MakeNullStmt:
		return c.set(s.Target, Null{})
	case *ir.MakeNumberIntStmt:
		return c.set(s.Target, s.Value)
	case *ir.MakeNumberRefStmt:
		return c.set(s.Target, ParseNumber(c.textOf(s.Index)))
	case *ir.MakeArrayStmt:
		return c.make(s.Target, func() Value { return &Array{} })
	case *ir.MakeObjectStmt:
		return c.make(s.Target, func() Value { return &Object{} })
	case *ir.MakeSetStmt:
		return c.make(s.Target, func() Value { return &Set{} })
	case *ir.ArrayAppendStmt:
		return c.compileGrowth(s, s.Array, []ir.Operand{s.Value}, newArrayOf, func(into, item, _ Value) bool {
			a, ok := into.(*Array)
			if ok {
				a.items = append(a.items, item)
			}
			return ok
		})
	case *ir.SetAddStmt:
		return c.compileGrowth(s, s.Set, []ir.Operand{s.Value}, newSetOf, func(into, item, _ Value) bool {
			set, ok := into.(*Set)
			if ok {
				set.add(item)
			}
			return ok
		})
	case *ir.ObjectInsertStmt:
		return c.compileGrowth(s, s.Object, []ir.Operand{s.Key, s.Value}, newObjectOf, func(into, key, value Value) bool {
			o, ok := into.(*Object)
			if ok {
				o.insert(key, value)
			}
			return ok
		})
	case *ir.ObjectInsertOnceStmt:
		return c.insertOnce(s)
	case *ir.ObjectMergeStmt:
		a, b, target := c.ofLocal(s.A), c.ofLocal(s.B), c.slot(s.Target)
		return func(r *run, l []Value) int {
			x, xOK := a.read(r, l).(*Object)
			y, yOK := b.read(r, l).(*Object)
			if !xOK || !yOK {
				r.fail(&topdown.Error{Code: topdown.ConflictErr, Message: "data and rules are not both objects"})
				return stop
			}
			l[target] = merged(x, y)
			return next
		}
	case *ir.EqualStmt:
		return c.equal(s.A, s.B, true)
	case *ir.NotEqualStmt:
		return c.equal(s.A, s.B, false)
	case *ir.IsArrayStmt:
		return c.isKind(s.Source, kindArray)
	case *ir.IsObjectStmt:
		return c.isKind(s.Source, kindObject)
	case *ir.IsSetStmt:
		return c.isKind(s.Source, kindSet)
	case *ir.IsDefinedStmt:
		source := c.ofLocal(s.Source)
		return func(r *run, l []Value) int {
			if source.read(r, l) == nil {
				return undefined
			}
			return next
		}
	case *ir.IsUndefinedStmt:
		source := c.ofLocal(s.Source)
		return func(r *run, l []Value) int {
			if source.read(r, l) != nil {
				return undefined
			}
			return next
		}
	}
	c.fail("a statement that is not known: %T", s)
	return nil
}

func (c *compiler) isKind(o ir.Operand, kind int) step {
	source := c.of(o)
	return func(r *run, l []Value) int {
		if kindOf(source.read(r, l)) != kind {
			return undefined
		}
		return next
	}
}

func (c *compiler) equal(a, b ir.Operand, wanted bool) step {
	x, y := c.of(a), c.of(b)
	if x.constant() {
		x, y = y, x
	}
	switch value := y.value.(type) {
	case bool:
		return func(r *run, l []Value) int {
			if found, ok := x.read(r, l).(bool); (ok && found == value) != wanted {
				return undefined
			}
			return next
		}
	case string:
		return func(r *run, l []Value) int {
			if found, ok := x.read(r, l).(string); (ok && found == value) != wanted {
				return undefined
			}
			return next
		}
	}
	return func(r *run, l []Value) int {
		if Equal(x.read(r, l), y.read(r, l)) != wanted {
			return undefined
		}
		return next
	}
}

func (c *compiler) dot(s *ir.DotStmt) step {
	source, key, target := c.of(s.Source), c.of(s.Key), c.slot(s.Target)
	if name, ok := key.value.(string); ok {
		return func(r *run, l []Value) int {
			var value Value
			switch v := source.read(r, l).(type) {
			case *Object:
				value = v.Get(name)
			case *Set:
				value = child(v, name)
			}
			if value == nil {
				return undefined
			}
			l[target] = value
			return next
		}
	}
	return func(r *run, l []Value) int {
		value := child(source.read(r, l), key.read(r, l))
		if value == nil {
			return undefined
		}
		l[target] = value
		return next
	}
}

func (c *compiler) scan(s *ir.ScanStmt) step {
	source, key, value := c.ofLocal(s.Source), c.slot(s.Key), c.slot(s.Value)
	// An index that is never read is not made.
	counted := c.told(func() int { return number(c.region.get(s.Key).reads > 0) }) > 0
	body := c.block(s.Block, 2)
	once := func(r *run, l []Value, k, v Value) int {
		if !r.tick() {
			return stop
		}
		l[key], l[value] = k, v
		return body(r, l)
	}
	// The body leaves one block to come to the next element, and two to leave the scan.
	const leave = 2
	after := func(out int) int {
		if out == stop {
			return stop
		}
		return out - leave
	}
	return func(r *run, l []Value) int {
		switch v := source.read(r, l).(type) {
		case *Array:
			var index Value
			for i, item := range v.items {
				if counted {
					index = int64(i)
				}
				if out := once(r, l, index, item); out >= leave {
					return after(out)
				}
			}
		case *Set:
			for _, item := range v.items {
				if out := once(r, l, item, item); out >= leave {
					return after(out)
				}
			}
		case *Object:
			for i, k := range v.keys {
				if out := once(r, l, k, v.values[i]); out >= leave {
					return after(out)
				}
			}
		}
		return next
	}
}

// closed compiles a block that is not to be left before its end: that would mean something else.
func (c *compiler) closed(b *ir.Block) step {
	exits := c.exits
	c.exits = nil
	defer func() { c.exits = exits }()
	return c.block(b, 1)
}

func (c *compiler) not(s *ir.NotStmt) step {
	body := c.closed(s.Block)
	return func(r *run, l []Value) int {
		switch out := body(r, l); out {
		case next:
			return undefined
		case undefined:
			return next
		default:
			return outOf(out)
		}
	}
}

func (c *compiler) assign(s *ir.AssignVarStmt) step {
	source := c.of(s.Source)
	if c.fixed(s.Target) {
		if source.constant() {
			c.about(s.Target).constant = source.value
			return nil
		}
		if c.told(func() int { return number(c.changes(s.Source)) }) == 0 {
			c.about(s.Target).same = s.Source
			return nil
		}
	}
	target := c.slot(s.Target)
	out := c.after(s.Target, source)
	return func(r *run, l []Value) int {
		l[target] = source.read(r, l)
		return out
	}
}

// after is where to go on when a local is set.
func (c *compiler) after(l ir.Local, source operand) int {
	if at, ok := c.exits[l]; ok && source.constant() {
		return c.depth - at
	}
	return next
}

func (c *compiler) assignOnce(s *ir.AssignVarOnceStmt) step {
	source, target := c.of(s.Source), c.slot(s.Target)
	out := c.after(s.Target, source)
	at := placeOf(s.Location)
	return func(r *run, l []Value) int {
		value := source.read(r, l)
		if old := l[target]; old != nil && !Equal(old, value) {
			r.fail(&topdown.Error{
				Code: topdown.ConflictErr, Location: r.program.location(at), Message: "a rule or function produced conflicting values",
			})
			return stop
		}
		l[target] = value
		return out
	}
}

func (c *compiler) insertOnce(s *ir.ObjectInsertOnceStmt) step {
	key, value, target := c.of(s.Key), c.of(s.Value), c.slot(s.Object)
	at := placeOf(s.Location)
	return func(r *run, l []Value) int {
		object, ok := l[target].(*Object)
		if !ok {
			return undefined
		}
		k, v := key.read(r, l), value.read(r, l)
		if old := object.lookup(k); old != nil && !Equal(old, v) {
			r.fail(&topdown.Error{Code: topdown.ConflictErr, Location: r.program.location(at), Message: "object keys must be unique"})
			return stop
		}
		object.insert(k, v)
		return next
	}
}
