package plan

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/open-policy-agent/opa/v1/ir"
)

// codec writes statements in a few bytes each, or reads them. Numbers are unsigned varints, strings and files are
// places in one table.
type codec struct {
	reading bool
	written []byte
	rest    string
	// place gives the place of a policy's string or file in the table, which takes the place of both while
	// reading.
	place func(index int, file bool) int
	// named gives the place of the name of a function, and program has the strings while reading.
	named   func(name string) int
	program *Program
	callee  int // place of the last name
	// made are statements that were read, one of each kind: the next one of the kind takes its place.
	made []ir.Stmt
	// shared are the strings, arrays, objects and sets of a constant that were read, and numbers the places of those that
	// were written, by their text.
	shared  []Value
	numbers map[string]int
	err     error
}

// statements are the statements of a plan that there are, each by its number in the bytes.
var statements = []ir.Stmt{
	&ir.ReturnLocalStmt{}, &ir.CallStmt{}, &ir.CallDynamicStmt{}, &ir.BlockStmt{}, &ir.BreakStmt{}, &ir.DotStmt{},
	&ir.LenStmt{}, &ir.ScanStmt{}, &ir.NotStmt{}, &ir.AssignIntStmt{}, &ir.AssignVarStmt{}, &ir.AssignVarOnceStmt{},
	&ir.ResetLocalStmt{}, &ir.MakeNullStmt{}, &ir.MakeNumberIntStmt{}, &ir.MakeNumberRefStmt{}, &ir.MakeArrayStmt{},
	&ir.MakeObjectStmt{}, &ir.MakeSetStmt{}, &ir.EqualStmt{}, &ir.NotEqualStmt{}, &ir.IsArrayStmt{},
	&ir.IsObjectStmt{}, &ir.IsSetStmt{}, &ir.IsDefinedStmt{}, &ir.IsUndefinedStmt{}, &ir.ArrayAppendStmt{},
	&ir.ObjectInsertStmt{}, &ir.ObjectInsertOnceStmt{}, &ir.ObjectMergeStmt{}, &ir.SetAddStmt{}, &ir.WithStmt{},
}

var statementNumbers = func() map[reflect.Type]int {
	numbers := map[reflect.Type]int{}
	for i, s := range statements {
		numbers[reflect.TypeOf(s)] = i
	}
	return numbers
}()

// stmt handles a statement without the blocks in it, which come behind it (see compiler).
func (c *codec) stmt(s *ir.Stmt) {
	var number int
	if !c.reading {
		var known bool
		if number, known = statementNumbers[reflect.TypeOf(*s)]; !known {
			c.fail("a statement that is not known: %T", *s)
			return
		}
	}
	c.int(&number)
	if c.reading {
		if number >= len(statements) {
			c.fail("a statement that is not known: %d", number)
			*s = &ir.BreakStmt{}
			return
		}
		if c.made == nil {
			c.made = make([]ir.Stmt, len(statements))
		}
		if c.made[number] == nil {
			c.made[number], _ = reflect.New(reflect.TypeOf(statements[number]).Elem()).Interface().(ir.Stmt)
		}
		*s = c.made[number]
	}
	fields(*s, c)
}

func (*codec) block(**ir.Block)                  {}
func (*codec) blocks(*[]*ir.Block)               {}
func (c *codec) operands(operands *[]ir.Operand) { list(c, operands, c.operand) }
func (c *codec) strings(indices *[]int)          { list(c, indices, c.string) }

// list handles the number of elements, and each of them.
func list[T any](c *codec, elements *[]T, each func(*T)) {
	n := len(*elements)
	c.int(&n)
	if c.reading {
		if n > len(c.rest) { // an element has a byte at least
			c.fail("a list of %d elements, of which the end is missing", n)
			return
		}
		*elements = slices.Grow((*elements)[:0], n)[:n]
	}
	for i := range *elements {
		each(&(*elements)[i])
	}
}

func (c *codec) reads(l *ir.Local)   { c.local(l) }
func (c *codec) sets(l *ir.Local)    { c.local(l) }
func (c *codec) changes(l *ir.Local) { c.local(l) }
func (c *codec) grows(l *ir.Local)   { c.local(l) }

func (c *codec) local(l *ir.Local) {
	n := int(*l)
	c.int(&n)
	*l = ir.Local(n)
}

// operand has its kind in the two low bits: a local, a string, false or true.
func (c *codec) operand(o *ir.Operand) {
	const local, text, no, yes, bits, mask = 0, 1, 2, 3, 2, 3
	var n int
	if !c.reading {
		switch v := o.Value.(type) {
		case ir.Local:
			n = int(v)<<bits | local
		case ir.StringIndex:
			n = c.place(int(v), false)<<bits | text
		case ir.Bool:
			n = no + number(bool(v))
		default:
			c.fail("an operand that is not known: %T", v)
		}
	}
	c.int(&n)
	if !c.reading {
		return
	}
	switch n & mask {
	case local:
		o.Value = ir.Local(n >> bits)
	case text:
		o.Value = ir.StringIndex(n >> bits)
	default:
		o.Value = ir.Bool(n&mask == yes)
	}
}

// location is where an error comes from.
func (c *codec) location(l *ir.Location) {
	file := l.File
	if !c.reading {
		file = c.place(file, true)
	}
	c.int(&file)
	c.int(&l.Row)
	if c.reading {
		l.File = file
	}
}

// string is a string by its place.
func (c *codec) string(index *int) {
	n := *index
	if !c.reading {
		n = c.place(n, false)
	}
	c.int(&n)
	if c.reading {
		*index = n
	}
}

// name is the name of a function, by its place.
func (c *codec) name(s *string) {
	if !c.reading {
		c.callee = c.named(*s)
	}
	c.int(&c.callee)
	if !c.reading {
		return
	}
	if c.callee >= c.program.texts.len() {
		c.fail("a name that it does not list: %d", c.callee)
		return
	}
	*s = c.program.texts.at(c.callee)
}

// text is a string that stands in the bytes.
func (c *codec) text(s *string) {
	n := len(*s)
	c.int(&n)
	if !c.reading {
		c.written = append(c.written, *s...)
		return
	}
	if n > len(c.rest) {
		c.fail("a text of %d bytes, of which the end is missing", n)
		return
	}
	*s, c.rest = c.rest[:n], c.rest[n:]
}

func (c *codec) depth(of *uint32) {
	n := int(*of)
	c.int(&n)
	if n < 0 || n > math.MaxUint32 {
		c.fail("a break out of %d blocks", n)
		return
	}
	*of = uint32(n)
}

func (c *codec) int64(v *int64) {
	n := int(*v)
	c.int(&n)
	*v = int64(n)
}

func (c *codec) int(n *int) {
	if !c.reading {
		if *n < 0 {
			c.fail("a negative number: %d", *n)
			return
		}
		c.written = binary.AppendUvarint(c.written, uint64(*n))
		return
	}
	*n = 0
	const most = 63
	for shift := 0; shift < most; shift += 7 {
		if c.rest == "" {
			break
		}
		b := c.rest[0]
		c.rest = c.rest[1:]
		*n |= int(b&0x7f) << shift
		if b < 0x80 {
			return
		}
	}
	c.fail("a number that does not end")
}

// fail keeps the first error; what is read after it is empty.
func (c *codec) fail(format string, arguments ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("the plan has "+format, arguments...)
	}
	c.rest = ""
}
