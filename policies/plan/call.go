package plan

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/ir"
	"github.com/open-policy-agent/opa/v1/topdown"
)

func (c *compiler) call(s *ir.CallStmt) step {
	if c.callee < len(c.program.functions) {
		return c.callFunction(c.program.at(c.callee), s)
	}
	name, at := s.Func, placeOf(s.Location)
	if !c.reading {
		if builtin := ast.BuiltinMap[name]; builtin == nil || topdown.GetBuiltin(name) == nil || needsMore(builtin) {
			c.fail("a function that is not known: %s", name)
			return nil
		}
	}
	operands, target := c.ofAll(s.Args), c.slot(s.Result)
	n, searches := natives[name], strings.HasPrefix(name, "regex.")
	switch {
	case n.one != nil && len(operands) == 1:
		a, f := operands[0], n.one
		return func(r *run, l []Value) int {
			x := a.read(r, l)
			value, ok := f(x)
			if !ok {
				value = r.foreign(name, at, x)
			}
			return answer(r, l, target, value)
		}
	case n.two != nil && len(operands) == 2:
		a, b, f := operands[0], operands[1], n.two
		return func(r *run, l []Value) int {
			x, y := a.read(r, l), b.read(r, l)
			if searches && r.ended(x, y) {
				return stop
			}
			value, ok := f(x, y)
			if !ok {
				value = r.foreign(name, at, x, y)
			}
			return answer(r, l, target, value)
		}
	case n.three != nil && len(operands) == 3:
		a, b, d, f := operands[0], operands[1], operands[2], n.three
		return func(r *run, l []Value) int {
			x, y, z := a.read(r, l), b.read(r, l), d.read(r, l)
			if searches && r.ended(x, y) {
				return stop
			}
			value, ok := f(x, y, z)
			if !ok {
				value = r.foreign(name, at, x, y, z)
			}
			return answer(r, l, target, value)
		}
	}
	operands = slices.Clone(operands)
	return func(r *run, l []Value) int {
		values := make([]Value, len(operands))
		for i, o := range operands {
			values[i] = o.read(r, l)
		}
		return answer(r, l, target, r.foreign(name, at, values...))
	}
}

func (c *compiler) callFunction(f *function, s *ir.CallStmt) step {
	if len(s.Args) < globals {
		c.fail("a call of %s without input and data", s.Func)
		return nil
	}
	operands, target := c.ofAll(s.Args[globals:]), c.slot(s.Result)
	if len(operands) == 0 && f.arity > 0 {
		// A reference to all rules of a name, in any package: functions do not count.
		return func(*run, []Value) int { return undefined }
	}
	if len(operands) != f.arity {
		c.fail("a call of %s with %d arguments", s.Func, len(operands))
		return nil
	}
	switch f.arity {
	case 0:
		return func(r *run, l []Value) int { return answer(r, l, target, r.fact(f)) }
	case 1:
		a := operands[0]
		return func(r *run, l []Value) int {
			arguments := [...]Value{a.read(r, l)}
			return answer(r, l, target, r.ask(f, arguments[:]))
		}
	case 2:
		a, b := operands[0], operands[1]
		return func(r *run, l []Value) int {
			arguments := [...]Value{a.read(r, l), b.read(r, l)}
			return answer(r, l, target, r.ask(f, arguments[:]))
		}
	}
	const usual = 6
	operands = slices.Clone(operands)
	return func(r *run, l []Value) int {
		var few [usual]Value // no garbage
		arguments := few[:0]
		for _, o := range operands {
			arguments = append(arguments, o.read(r, l))
		}
		return answer(r, l, target, r.ask(f, arguments))
	}
}

// answer sets a local to what a call gave, if it gave something.
func answer(r *run, l []Value, target int, value Value) int {
	switch {
	case value != nil:
		l[target] = value
		return next
	case r.err != nil:
		return stop
	}
	return undefined
}

// callByPath calls the function whose path the operands are.
func (c *compiler) callByPath(s *ir.CallDynamicStmt) step {
	operands, target := slices.Clone(c.ofAll(s.Path)), c.slot(s.Result)
	// Where there is such a function and it is undefined, so is the whole reference: it stands four blocks
	// inside (see OPA's planRefData).
	const reference = 4
	if c.depth < reference {
		c.fail("a call by path in %d blocks", c.depth)
	}
	return func(r *run, l []Value) int {
		path := make([]string, len(operands))
		for i, o := range operands {
			part, ok := o.read(r, l).(string)
			if !ok {
				return undefined
			}
			path[i] = part
		}
		f := r.program.named(nameOf(path))
		if f == nil || f.arity != 0 {
			return undefined
		}
		value := r.fact(f)
		switch {
		case r.err != nil:
			return stop
		case value == nil:
			return reference
		}
		l[target] = value
		return next
	}
}

// needsMore says whether a built-in asks for what no evaluation here has: the network, a seed, the
// environment, printing. The time is what it may ask for.
func needsMore(b *ast.Builtin) bool {
	return b.Nondeterministic && b.Name != ast.NowNanos.Name || b.Name == ast.InternalPrint.Name
}
