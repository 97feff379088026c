package plan

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/ir"
	"github.com/open-policy-agent/opa/v1/topdown"
	"github.com/open-policy-agent/opa/v1/topdown/builtins"
)

// Program is what an image says, ready to be evaluated. It is safe for concurrent use.
type Program struct {
	texts     table                      // the names of functions, in order, and behind them all other strings
	encoded   table                      // the functions, in the order of their names
	policy    *ir.Policy                 // that an image is being made of; nil in one that was read
	functions []atomic.Pointer[function] // those that were asked for
	facts     int                        // how many functions have no arguments
	constants []atomic.Pointer[fact]
	runs      sync.Pool // of *run, empty
}

// fact is the value of a function without arguments, nil where it is undefined.
type fact struct{ value Value }

// function is a function of the plan. It is compiled when it is first called: a decision needs a
// third of them.
type function struct {
	program *Program
	name    string
	arity   int // without input and data
	level   level
	known   bool // to be remembered for the rest of the decision, by its arguments
	id      int  // place among the facts; -1 for a function with arguments
	body    string
	// constant is its value, as the image has it; empty where it is to be worked out.
	constant string

	once   sync.Once
	err    error
	code   step
	size   int // locals that a call needs
	params []int
	result int
}

func (f *function) ready() error {
	f.once.Do(func() {
		if f.err == nil {
			f.err = f.compile()
		}
	})
	return f.err
}

// Data is a program with the data that it works on. It is safe for concurrent use.
type Data struct {
	program *Program
	data    Value
	facts   []atomic.Pointer[fact] // of what depends on the data, and not on an input
}

// With gives the program its data document.
func (p *Program) With(data Value) *Data {
	return &Data{program: p, data: data, facts: make([]atomic.Pointer[fact], p.facts)}
}

// Has says whether there is a rule of this name, "data.a.b", without arguments.
func (d *Data) Has(rule string) bool {
	f := d.program.named(prefix + rule)
	return f != nil && f.arity == 0
}

// prefix begins the names of functions that nothing is replaced in.
const prefix = "g0."

// ErrNoRule is that a program has no such rule.
var ErrNoRule = errors.New("the plan has no such rule")

// Eval evaluates a rule without arguments, "data.a.b", for an input: nil is undefined. A built-in that
// fails is an error, as is a conflict; both are a *topdown.Error, as is the end of the context.
func (d *Data) Eval(ctx context.Context, rule string, input Value) (Value, error) {
	f := d.program.named(prefix + rule)
	if f == nil || f.arity != 0 {
		return nil, ErrNoRule
	}
	r := d.program.run(ctx, d, input)
	value, err := r.fact(f), r.err
	// After a panic it is left to the garbage collector.
	r.release()
	return value, err
}

// run is one evaluation.
type run struct {
	program *Program
	ctx     context.Context
	done    <-chan struct{}
	ticks   uint
	turn    func()
	longest int // bytes of a text that is searched; 0 without a bound
	err     error
	stack   []Value   // locals of the functions that are being called
	spare   [][]Value // more room for them, unused
	world   *world
	worlds  []*world // all that there were
	// What OPA's built-ins are told; nil until one is asked.
	builtins *topdown.BuiltinContext
	released func() bool
	// tell is called with the argument of each call of the function listened; nil without a listener.
	listened string
	tell     func(argument Value)
}

func (p *Program) run(ctx context.Context, from *Data, input Value) *run {
	r, ok := p.runs.Get().(*run)
	if !ok {
		r = &run{program: p, worlds: []*world{{facts: make([]Value, p.facts)}}}
		r.stack = newStack(0)
	}
	r.ctx, r.done = ctx, ctx.Done()
	r.turn, _ = ctx.Value(turnKey{}).(func())
	r.longest, _ = ctx.Value(longestKey{}).(int)
	if l, ok := ctx.Value(listenKey{}).(listener); ok {
		r.listened, r.tell = "."+l.function, l.tell
		if p.named(prefix+l.function) == nil {
			r.fail(ErrNoRule)
		}
	}
	r.world = r.worlds[0]
	r.world.input, r.world.data, r.world.shared = input, from.data, from.facts
	return r
}

// release empties the run for another evaluation. It must not keep an input, nor what a large one needed.
func (r *run) release() {
	if r.released != nil {
		r.released()
	}
	first := r.worlds[0]
	first.known.empty()
	clear(first.facts)
	clear(r.stack[:cap(r.stack)])
	for _, s := range r.spare {
		clear(s[:cap(s)])
	}
	*first = world{facts: first.facts, known: first.known}
	*r = run{program: r.program, worlds: []*world{first}, stack: r.stack, spare: r.spare}
	r.program.runs.Put(r)
}

// world is an input and data, with what is known of them. A `with` makes another.
type world struct {
	input, data Value
	shared      []atomic.Pointer[fact] // of the data; nil where the data is not that of the program
	facts       []Value                // of functions without arguments; nil for what is not known yet
	known       answers
}

// step does what a statement does, with the locals of its function. Its answer says where to go on.
type step func(r *run, locals []Value) int

// Answers of a step: next, or out of so many blocks as a positive number says. Undefined leaves the block.
const (
	next      = 0
	undefined = 1
	stop      = 1 << 30 // return from the function, also after an error
)

// tick checks at the start and now and then whether the context has ended or others need the processor.
func (r *run) tick() bool {
	const often = 16
	if r.ticks++; r.ticks%often != 1 || r.done == nil {
		return true
	}
	return r.look()
}

// ended says whether the context has ended, before a long text is searched: nothing interrupts that.
func (r *run) ended(texts ...Value) bool {
	const long = 8 << 10
	for _, text := range texts {
		s, ok := text.(string)
		switch {
		case !ok || len(s) <= long:
		case r.longest > 0 && len(s) > r.longest:
			r.fail(ErrLongText)
			return true
		case r.done != nil && !r.look():
			return true
		}
	}
	return false
}

// look checks whether the context has ended, which is an error then.
func (r *run) look() bool {
	if r.turn != nil {
		r.turn()
	}
	select {
	case <-r.done:
		r.fail(&topdown.Error{Code: topdown.CancelErr, Message: "caller cancelled query execution"})
		return false
	default:
		return true
	}
}

func (r *run) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// fact is the value of a function without arguments, worked out once as far as its level allows.
func (r *run) fact(f *function) Value {
	shared := r.program.constants
	switch {
	case f.level == onData && r.world.shared != nil:
		shared = r.world.shared
	case f.level != onNothing:
		w := r.world
		if known := w.facts[f.id]; known != nil {
			return recalled(known)
		}
		value := r.call(f, nil)
		if r.err == nil {
			w.facts[f.id] = remembered(value)
		}
		return value
	}
	if known := shared[f.id].Load(); known != nil {
		return known.value
	}
	value := r.workedOut(f)
	if r.err == nil && !shared[f.id].CompareAndSwap(nil, &fact{value}) {
		value = shared[f.id].Load().value // one value for all, as identity is what calls are remembered by
	}
	return value
}

func (r *run) workedOut(f *function) Value {
	if f.constant == "" {
		return r.call(f, nil)
	}
	value, err := f.stored()
	if err != nil {
		r.fail(err)
	}
	return value
}

// call calls a function. It is undefined after an error.
func (r *run) call(f *function, arguments []Value) Value {
	if err := f.ready(); err != nil {
		r.fail(err)
	}
	if r.err != nil || !r.tick() {
		return nil
	}
	before := r.stack
	full := cap(before)-len(before) < f.size
	if full {
		r.stack = r.more(f.size)
	}
	base := len(r.stack)
	r.stack = r.stack[:base+f.size]
	locals := r.stack[base : base+f.size : base+f.size]
	clear(locals)
	for i, slot := range f.params {
		locals[slot] = arguments[i]
	}
	f.code(r, locals)
	value := locals[f.result]
	if full {
		r.spare = append(r.spare, r.stack[:0])
	}
	r.stack = before
	if r.err != nil {
		return nil
	}
	return value
}

func newStack(least int) []Value {
	const usual = 2048
	return make([]Value, 0, max(usual, least))
}

// more is room for so many locals, beside the stack that is full.
func (r *run) more(size int) []Value {
	if last := len(r.spare) - 1; last >= 0 && cap(r.spare[last]) >= size {
		stack := r.spare[last]
		r.spare = r.spare[:last]
		return stack
	}
	return newStack(size)
}

// enter goes over to another input and data, and back to one that was there before: what is known of it
// stays known.
func (r *run) enter(input, data Value) {
	for _, w := range r.worlds {
		if w.input == input && w.data == data {
			r.world = w
			return
		}
	}
	w := &world{input: input, data: data, facts: make([]Value, r.program.facts)}
	if data == r.world.data {
		w.shared = r.world.shared
	}
	r.world = w
	r.worlds = append(r.worlds, w)
}

// foreign asks OPA's own built-in. Of a relation, which has any number of results, it gives an array.
func (r *run) foreign(name string, at place, operands ...Value) Value {
	if r.builtins == nil {
		cancel := topdown.NewCancel()
		r.released = context.AfterFunc(r.ctx, cancel.Cancel)
		r.builtins = &topdown.BuiltinContext{
			Context: r.ctx, Cancel: cancel, Cache: builtins.Cache{},
			Time: ast.NumberTerm(json.Number(strconv.FormatInt(time.Now().UnixNano(), 10))),
		}
	}
	c := *r.builtins
	c.Location = r.program.location(at)
	var results []Value
	if err := topdown.GetBuiltin(name)(c, terms(operands), func(t *ast.Term) error {
		results = append(results, FromAST(t.Value))
		return nil
	}); err != nil {
		var halt topdown.Halt
		if errors.As(err, &halt) {
			err = halt.Err
		}
		r.fail(err)
		return nil
	}
	switch {
	case ast.BuiltinMap[name].Relation:
		return &Array{results}
	case len(results) == 0:
		return nil
	}
	return results[0]
}
