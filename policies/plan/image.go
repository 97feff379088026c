package plan

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/ir"
)

// An image is a plan in bytes: a checksum, how many functions have no arguments, the tables of the strings, of the
// functions and of the patterns. The strings begin with the names of the functions. A function is read when it is first
// called.

// Format is the number of the image's format: it changes when the bytes get another meaning.
const Format = 7

func checksum(image string) uint32 {
	sums, part := crc32.New(crc32.MakeTable(crc32.Castagnoli)), make([]byte, 1<<15) // all of it would be a copy
	for image != "" {
		n := copy(part, image)
		_, _ = sums.Write(part[:n])
		image = image[n:]
	}
	return sums.Sum32()
}

// numberSize is the size of numbers that are found by their place, in bytes.
const numberSize = 4

func numberAt(s string, i int) int {
	s = s[i*numberSize : (i+1)*numberSize]
	return int(s[0])<<24 | int(s[1])<<16 | int(s[2])<<8 | int(s[3])
}

func appendNumber(to []byte, n int) []byte { return binary.BigEndian.AppendUint32(to, uint32(n)) } //nolint:gosec // an image has some MB

// table is a list of texts. Each is found without a look at those before it.
type table struct{ ends, texts string }

func (t table) len() int { return len(t.ends) / numberSize }

func (t table) at(i int) string {
	start := 0
	if i > 0 {
		start = numberAt(t.ends, i-1)
	}
	return t.texts[start:numberAt(t.ends, i)]
}

func appendTable(to []byte, texts []string) []byte {
	to = appendNumber(to, len(texts))
	end := 0
	for _, text := range texts {
		end += len(text)
		to = appendNumber(to, end)
	}
	return append(to, strings.Join(texts, "")...)
}

// cutTable gives the table that some bytes begin with, and the rest of them.
func cutTable(image string) (t table, rest string, err error) {
	size := 0
	if len(image) >= numberSize {
		size = (1 + numberAt(image, 0)) * numberSize
	}
	if size < numberSize || size > len(image) {
		return table{}, "", errors.New("a table ends before its end")
	}
	t.ends, t.texts = image[numberSize:size], image[size:]
	if n := t.len(); n > 0 {
		if end := numberAt(t.ends, n-1); end <= len(t.texts) {
			t.texts, rest = t.texts[:end], t.texts[end:]
			return t, rest, nil
		}
		return table{}, "", errors.New("a table ends before its end")
	}
	return table{}, t.texts, nil
}

// Encode writes a plan of OPA's compiler as an image. What a Program could not evaluate is an error.
func Encode(policy *ir.Policy) ([]byte, error) {
	w := imageWriter{places: map[string]int{}}
	functions := slices.Clone(policy.Funcs.Funcs)
	slices.SortFunc(functions, func(a, b *ir.Func) int { return cmp.Compare(a.Name, b.Name) })
	w.program = &Program{policy: policy, functions: make([]atomic.Pointer[function], len(functions))}
	calls := map[string]*summary{}
	for _, f := range functions {
		if err := w.add(f); err != nil {
			return nil, fmt.Errorf("write %s: %w", f.Name, err)
		}
		calls[f.Name] = summarize(f)
	}
	again := askedAgain(calls)
	for i, f := range functions {
		if err := w.write(i, f); err != nil {
			return nil, fmt.Errorf("write %s: %w", f.Name, err)
		}
		w.encoded[i].level, w.encoded[i].known = levelOf(f.Name, calls), again[f.Name]
	}
	// Read again, so that what cannot be evaluated fails here and not when it is first called.
	image, err := w.image()
	if err != nil {
		return nil, err
	}
	program, err := Open(string(image))
	if err != nil {
		return nil, err
	}
	if err := program.compileAll(); err != nil {
		return nil, err
	}
	for i, f := range functions {
		if value, ok := w.constant(program, f.Name); ok {
			w.encoded[i].constant, w.encoded[i].body = value, ""
		}
	}
	return w.image()
}

type imageWriter struct {
	program *Program // that is written
	strings []string
	places  map[string]int
	encoded []encodedFunction
	facts   int
}

// encodedFunction is a function as it stands in an image.
type encodedFunction struct {
	arity int // without input and data
	fact  int // place among those without arguments
	level level
	known bool // worth remembering
	// constant is its value where it is always the same, and then there is no body.
	constant, body string
}

func (e *encodedFunction) fields(c *codec) {
	c.int(&e.arity)
	c.int(&e.fact)
	level, known := int(e.level), number(e.known)
	c.int(&level)
	e.level = levelFrom(level)
	c.int(&known)
	e.known = known == 1
	c.text(&e.constant)
	c.text(&e.body)
}

func (w *imageWriter) image() ([]byte, error) {
	functions := make([]string, len(w.encoded))
	for i := range w.encoded {
		c := codec{}
		w.encoded[i].fields(&c)
		if c.err != nil {
			return nil, c.err
		}
		functions[i] = string(c.written)
	}
	body := appendTable(appendTable(appendNumber(nil, w.facts), w.strings), functions)
	body = appendTable(body, listPatterns(w.strings))
	return append(appendNumber(nil, int(checksum(string(body)))), body...), nil
}

func (w *imageWriter) place(s string) int {
	n, ok := w.places[s]
	if !ok {
		n = len(w.strings)
		w.places[s] = n
		w.strings = append(w.strings, s)
	}
	return n
}

// add gives a function its place.
func (w *imageWriter) add(f *ir.Func) error {
	e := encodedFunction{arity: len(f.Params) - globals}
	switch {
	case e.arity < 0:
		return errors.New("it does not take input and data")
	case e.arity == 0 && nameOf(f.Path) != f.Name:
		return fmt.Errorf("it cannot be found by its path, %q", f.Path)
	case e.arity == 0:
		e.fact = w.facts
		w.facts++
	}
	place := w.place(f.Name)
	if place != len(w.encoded) {
		return errors.New("there are two of the name")
	}
	w.encoded = append(w.encoded, e)
	w.program.functions[place].Store(&function{program: w.program, name: f.Name, arity: e.arity})
	return nil
}

// nameOf is the name of a function with that path, as OPA's planner makes it.
func nameOf(path []string) string {
	if len(path) == 0 {
		return ""
	}
	name := path[0] + ".data"
	for _, part := range path[1:] {
		if ast.IsVarCompatibleString(part) {
			name += "." + part
		} else {
			name += "[" + strconv.Quote(part) + "]"
		}
	}
	return name
}

func (w *imageWriter) write(i int, f *ir.Func) error {
	policy := w.program.policy
	c := compiler{described: newDescriber(), codec: codec{
		program: w.program, named: w.place,
		place: func(index int, file bool) int {
			if file {
				return w.place(policy.Static.Files[index].Value)
			}
			return w.place(policy.Static.Strings[index].Value)
		},
	}}
	c.function(w.program.functions[i].Load(), f)
	w.encoded[i].body = string(c.written)
	return c.err
}

// Open reads an image. It is shared by all that the program hands out, and read again whenever a
// function is first called.
func Open(image string) (*Program, error) {
	if len(image) < 2*numberSize || numberAt(image, 0) != int(checksum(image[numberSize:])) {
		return nil, errors.New("it is damaged: its checksum is not that of its bytes")
	}
	p := &Program{facts: numberAt(image, 1)}
	var err error
	rest := image[2*numberSize:]
	if p.texts, rest, err = cutTable(rest); err == nil {
		p.encoded, rest, err = cutTable(rest)
	}
	listed := patterns{texts: p.texts}
	if err == nil {
		listed.entries, rest, err = cutTable(rest)
	}
	if err == nil && (rest != "" || p.encoded.len() > p.texts.len()) {
		err = errors.New("it has other functions than names")
	}
	p.functions = make([]atomic.Pointer[function], p.encoded.len())
	p.constants = make([]atomic.Pointer[fact], p.facts)
	if err == nil {
		expressions.Lock()
		expressions.listed = listed
		expressions.Unlock()
	}
	return p, err
}

// at is a function by its place.
func (p *Program) at(i int) *function {
	if f := p.functions[i].Load(); f != nil {
		return f
	}
	c := codec{reading: true, rest: p.encoded.at(i)}
	var e encodedFunction
	e.fields(&c)
	f := &function{
		program: p, name: p.texts.at(i), arity: e.arity, level: e.level, known: e.known, constant: e.constant, body: e.body,
		id: e.fact, err: c.err,
	}
	p.functions[i].CompareAndSwap(nil, f)
	return p.functions[i].Load()
}

// named is a function by its name; nil without one.
func (p *Program) named(name string) *function {
	i, ok := sort.Find(len(p.functions), func(i int) int { return cmp.Compare(name, p.texts.at(i)) })
	if !ok {
		return nil
	}
	return p.at(i)
}

// compileAll makes every function ready, and gives the first error.
func (p *Program) compileAll() error {
	for i := range p.functions {
		f := p.at(i)
		if f.constant != "" {
			continue
		}
		if err := f.ready(); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}

// level is what the value of a function depends on, beside its arguments.
type level int

const (
	onNothing level = iota // it is the same in every decision
	onData                 // the configuration and the clock as data
	onInput                // or what differs from call to call, as the time does
)

func levelFrom(n int) level { return min(level(n), onInput) }
