package plan

import "github.com/open-policy-agent/opa/v1/ir"

// with evaluates a block with another input or data.
func (c *compiler) with(s *ir.WithStmt) step {
	if s.Local != ir.Input && s.Local != ir.Data {
		c.fail("a with of what is neither input nor data")
		return nil
	}
	var path []string
	for _, index := range s.Path {
		path = append(path, c.textOf(index))
	}
	value, local := c.of(s.Value), s.Local // the statement is overwritten by one within the block
	body := c.closed(s.Block)
	return func(r *run, l []Value) int {
		before := r.world
		input, data := before.input, before.data
		if local == ir.Input {
			input = upserted(input, path, value.read(r, l))
		} else {
			data = upserted(data, path, value.read(r, l))
		}
		r.enter(input, data)
		out := body(r, l)
		r.world = before
		return out
	}
}

// upserted is a document with another value at a path, made as far as it is not there.
func upserted(document Value, path []string, value Value) Value {
	if len(path) == 0 {
		return value
	}
	object, ok := document.(*Object)
	if !ok {
		object = &Object{}
	}
	return object.With(path[0], upserted(object.Get(path[0]), path[1:], value))
}
