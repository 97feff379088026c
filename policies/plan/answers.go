package plan

import "strings"

// answers are those of calls with one, two and three arguments: most of what a decision keeps, and so no larger than it
// must be. Arrays, objects and sets are the same when they are one.
type answers struct {
	one   map[question[[1]Value]]Value
	two   map[question[[2]Value]]Value
	three map[question[[3]Value]]Value
}

type question[A comparable] struct {
	function  *function
	arguments A
}

// empty forgets the answers, and gives back the room for them if it is large.
func (a *answers) empty() {
	emptied(&a.one)
	emptied(&a.two)
	emptied(&a.three)
}

func emptied[K comparable](known *map[K]Value) {
	const large = 2048 // answers; 20 containers with a JVM each have as many
	if len(*known) > large {
		*known = nil
	}
	clear(*known)
}

// unknowable stands for an answer that is undefined; nil means that there is no answer yet.
type unknowable struct{}

func remembered(v Value) Value {
	if v == nil {
		return unknowable{}
	}
	return v
}

func recalled(v Value) Value {
	if _, no := v.(unknowable); no {
		return nil
	}
	return v
}

// ask is call for functions that are remembered.
func (r *run) ask(f *function, arguments []Value) Value {
	// Where a rule is replaced for a while, copies of a function are called, which have another prefix.
	if r.tell != nil && strings.HasSuffix(f.name, r.listened) {
		r.tell(arguments[0])
	}
	if !f.known {
		return r.call(f, arguments)
	}
	known := &r.world.known
	switch len(arguments) {
	case 1:
		return recall(r, &known.one, question[[1]Value]{f, [1]Value(arguments)}, arguments)
	case 2:
		return recall(r, &known.two, question[[2]Value]{f, [2]Value(arguments)}, arguments)
	case 3:
		return recall(r, &known.three, question[[3]Value]{f, [3]Value(arguments)}, arguments)
	}
	return r.call(f, arguments)
}

func recall[A comparable](r *run, known *map[question[A]]Value, q question[A], arguments []Value) Value {
	if value, ok := (*known)[q]; ok {
		return recalled(value)
	}
	value := r.call(q.function, arguments)
	if r.err == nil {
		if *known == nil {
			*known = map[question[A]]Value{}
		}
		(*known)[q] = remembered(value)
	}
	return value
}
