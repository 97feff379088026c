package plan

import (
	"context"
	"fmt"
)

// What is the same in every decision is worked out when the image is made, and stands there as a value. Examples are
// patterns made of parts, tables, and what is known of flags.

// constant is the value of a rule as an image has it; false where it depends on more, or has numbers that are no int64.
func (w *imageWriter) constant(p *Program, name string) (string, bool) {
	f := p.named(name)
	if f.arity > 0 || f.level != onNothing {
		return "", false
	}
	r := p.run(context.Background(), p.With(nil), nil)
	defer r.release()
	value := r.fact(f)
	c := codec{named: w.place, numbers: map[string]int{}}
	c.value(&value)
	return string(c.written), r.err == nil && c.err == nil
}

// stored is the value that the image has of a function.
func (f *function) stored() (Value, error) {
	const usual = 8 // bytes of a value that is not shared
	c := codec{reading: true, rest: f.constant, program: f.program, shared: make([]Value, 0, len(f.constant)/usual)}
	var value Value
	c.value(&value)
	if c.err == nil && c.rest != "" {
		c.fail("%d bytes too many", len(c.rest))
	}
	if c.err != nil {
		return nil, fmt.Errorf("read %s: %w", f.name, c.err)
	}
	return value, nil
}

// kindShared is a string, array, object or set that the constant has before: its number among those stands for it. Tables
// have the same words and rows many times.
const kindShared = kindSet + 1

// value is a value: its kind, and what it has.
func (c *codec) value(v *Value) {
	kind, n, text := 0, 0, ""
	if !c.reading {
		kind = kindOf(*v)
		if kind >= kindString && c.numbers != nil {
			alone := codec{named: c.named} // nothing is shared in it
			alone.value(v)
			text = string(alone.written)
			var known bool
			if n, known = c.numbers[text]; known {
				kind = kindShared
			}
		}
	}
	c.int(&kind)
	c.valueOf(kind, n, v)
	switch {
	case kind < kindString || kind == kindShared:
	case c.reading:
		c.shared = append(c.shared, *v)
	case c.numbers != nil:
		c.numbers[text] = len(c.numbers)
	}
}

func (c *codec) valueOf(kind, n int, v *Value) {
	switch kind {
	case kindShared:
		c.int(&n)
		if !c.reading {
			return
		}
		if n >= len(c.shared) {
			c.fail("a value that it does not have before: %d", n)
			return
		}
		*v = c.shared[n]
	case kindUndefined:
	case kindNull:
		*v = Null{}
	case kindBool:
		truth := 0
		if yes, _ := (*v).(bool); yes {
			truth = 1
		}
		c.int(&truth)
		*v = truth == 1
	case kindNumber:
		c.whole(v)
	case kindString:
		s, _ := (*v).(string)
		c.name(&s)
		*v = s
	case kindArray:
		a, _ := (*v).(*Array)
		if c.reading {
			a = &Array{}
		}
		list(c, &a.items, c.value)
		*v = a
	case kindSet:
		s, _ := (*v).(*Set)
		if c.reading {
			s = &Set{}
		}
		list(c, &s.items, c.value)
		*v = s
	case kindObject:
		o, _ := (*v).(*Object)
		if c.reading {
			o = &Object{}
		}
		list(c, &o.keys, c.value)
		list(c, &o.values, c.value)
		*v = o
		if len(o.keys) != len(o.values) {
			c.fail("%d keys with %d values", len(o.keys), len(o.values))
		}
	default:
		c.fail("a value that is not known: %d", kind)
	}
}

// whole is an int64, with its sign in the lowest bit.
func (c *codec) whole(v *Value) {
	i, ok := (*v).(int64)
	const most = 1 << 60
	if !c.reading && (!ok || i > most || i < -most) {
		c.fail("a number that is large, or not whole")
		return
	}
	n := int(i)<<1 ^ int(i>>63)
	c.int(&n)
	*v = int64(n>>1) ^ -int64(n&1)
}
