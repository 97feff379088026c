package plan

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"sync/atomic"

	"github.com/open-policy-agent/opa/v1/ir"
)

// An image is a plan in bytes: a checksum, the table of strings, and the functions, each of which is read
// when it is first called.

// Format is the number of the image's format: it changes when the bytes get another meaning.
const Format = 4

func checksum(image string) uint32 {
	return crc32.Checksum([]byte(image), crc32.MakeTable(crc32.Castagnoli))
}

const checksumSize = 4

// Encode writes a plan of OPA's compiler as an image. What a Program could not evaluate is an error.
func Encode(policy *ir.Policy) ([]byte, error) {
	w := imageWriter{policy: policy, places: map[string]int{}}
	calls := map[string]*summary{}
	for _, f := range policy.Funcs.Funcs {
		if err := w.function(f); err != nil {
			return nil, fmt.Errorf("write %s: %w", f.Name, err)
		}
		calls[f.Name] = summarize(f)
	}
	again := askedAgain(calls)
	for i := range w.encoded {
		entry := &w.encoded[i]
		entry.level = levelOf(entry.name, calls)
		entry.known = again[entry.name]
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
	for i := range w.encoded {
		entry := &w.encoded[i]
		if value, ok := w.constant(program, entry.name); ok {
			entry.constant, entry.body = value, ""
		}
	}
	return w.image()
}

func (w *imageWriter) image() ([]byte, error) {
	c := codec{}
	list(&c, &w.strings, c.text)
	n := len(w.encoded)
	c.int(&n)
	for i := range w.encoded {
		w.encoded[i].fields(&c)
	}
	return append(binary.BigEndian.AppendUint32(nil, checksum(string(c.written))), c.written...), c.err
}

type imageWriter struct {
	policy  *ir.Policy
	strings []string
	places  map[string]int
	encoded []encodedFunction
}

// encodedFunction is a function as it stands in an image.
type encodedFunction struct {
	name  string
	path  []string
	arity int // without input and data
	level level
	known bool // worth remembering
	// constant is its value where it is always the same, and then there is no body.
	constant, body string
}

func (e *encodedFunction) fields(c *codec) {
	c.text(&e.name)
	list(c, &e.path, c.text)
	c.int(&e.arity)
	level := int(e.level)
	c.int(&level)
	e.level = levelFrom(level)
	known := 0
	if e.known {
		known = 1
	}
	c.int(&known)
	e.known = known == 1
	c.text(&e.constant)
	c.text(&e.body)
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

func (w *imageWriter) function(f *ir.Func) error {
	c := codec{named: w.place, place: func(index int, file bool) int {
		if file {
			return w.place(w.policy.Static.Files[index].Value)
		}
		return w.place(w.policy.Static.Strings[index].Value)
	}}
	c.function(f)
	if c.err != nil {
		return c.err
	}
	e := encodedFunction{name: f.Name, path: f.Path, arity: len(f.Params) - globals, body: string(c.written)}
	if e.arity < 0 {
		return errors.New("it does not take input and data")
	}
	w.encoded = append(w.encoded, e)
	return nil
}

func (c *codec) function(f *ir.Func) {
	list(c, &f.Params, c.local)
	c.local(&f.Return)
	list(c, &f.Blocks, c.block)
}

// Open reads an image. It is shared by all that the program hands out, and read again whenever a
// function is first called.
func Open(image string) (*Program, error) {
	if len(image) < checksumSize || binary.BigEndian.Uint32([]byte(image[:checksumSize])) != checksum(image[checksumSize:]) {
		return nil, errors.New("it is damaged: its checksum is not that of its bytes")
	}
	c := codec{reading: true, rest: image[checksumSize:]}
	p := &Program{functions: map[string]*function{}, paths: map[string]*function{}}
	list(&c, &p.strings, c.text)
	var n int
	c.int(&n)
	for range n {
		var e encodedFunction
		e.fields(&c)
		if c.err != nil {
			break
		}
		f := &function{program: p, name: e.name, arity: e.arity, level: e.level, known: e.known, constant: e.constant, body: e.body, id: -1}
		if f.arity == 0 {
			f.id = p.facts
			p.facts++
		}
		p.functions[e.name] = f
		p.paths[strings.Join(e.path, "\x00")] = f
	}
	if c.err == nil && c.rest != "" {
		c.fail("%d bytes too many", len(c.rest))
	}
	p.constants = make([]atomic.Pointer[fact], p.facts)
	return p, c.err
}

// decode reads a function's statements.
func (f *function) decode() (*ir.Func, error) {
	c := codec{reading: true, rest: f.body, table: f.program.strings}
	decoded := &ir.Func{Name: f.name}
	c.function(decoded)
	return decoded, c.err
}

// compileAll makes every function ready, and gives the first error.
func (p *Program) compileAll() error {
	for _, f := range p.functions {
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
