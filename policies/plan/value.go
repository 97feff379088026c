// Package plan evaluates OPA's plan of policies: what its compiler makes of them for the target plan. Each
// statement becomes a closure, and package topdown's evaluator is its judge.
package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Value is a value of Rego: Null, bool, int64, *Number, string, *Array, *Object or *Set; nil is
// undefined. A value never changes once it is made, so that it can be shared, also by goroutines.
// Only a literal or a comprehension that is being built grows, and nothing else refers to it by then.
type Value any

// Null is JSON's null.
type Null struct{}

// Array is a list of values.
type Array struct{ items []Value }

// Set has its members in order, each once.
type Set struct{ items []Value }

// Object has its keys in order, each once. Objects made by the same literal share them.
type Object struct{ keys, values []Value }

// NewArray makes an array of its elements.
func NewArray(items ...Value) *Array { return &Array{items} }

// NewObject makes an object of pairs of a name and a value; of two with the same name the later counts.
func NewObject(pairs ...Pair) *Object {
	o := newObject(len(pairs))
	for _, p := range pairs {
		o.insert(p.Key, p.Value)
	}
	return o
}

// Pair is an entry of an Object.
type Pair struct {
	Key   string
	Value Value
}

func newObject(capacity int) *Object {
	return &Object{make([]Value, 0, capacity), make([]Value, 0, capacity)}
}

func newSet(items ...Value) *Set {
	s := &Set{make([]Value, 0, len(items))}
	for _, item := range items {
		s.add(item)
	}
	return s
}

// Len is the number of elements.
func (a *Array) Len() int { return len(a.items) }

// At is the element at an index that there is.
func (a *Array) At(i int) Value { return a.items[i] }

// Len is the number of entries.
func (o *Object) Len() int { return len(o.keys) }

// Get gives the value of a field, nil without one.
func (o *Object) Get(name string) Value {
	const few = 8
	if len(o.keys) <= few {
		for i, key := range o.keys {
			if s, ok := key.(string); ok && s == name {
				return o.values[i]
			}
		}
		return nil
	}
	if i, ok := slices.BinarySearchFunc(o.keys, name, compareToString); ok {
		return o.values[i]
	}
	return nil
}

func compareToString(key Value, name string) int {
	if s, ok := key.(string); ok {
		return strings.Compare(s, name)
	}
	return kindOf(key) - kindString
}

// With is the object with one more field, or another value of it.
func (o *Object) With(name string, value Value) *Object {
	more := o.clone()
	more.insert(name, value)
	return more
}

// Without is the object without a field.
func (o *Object) Without(name string) *Object {
	i, ok := slices.BinarySearchFunc(o.keys, name, compareToString)
	if !ok {
		return o
	}
	less := o.clone()
	less.keys, less.values = slices.Delete(less.keys, i, i+1), slices.Delete(less.values, i, i+1)
	return less
}

func (o *Object) clone() *Object { return &Object{slices.Clone(o.keys), slices.Clone(o.values)} }

// lookup gives the value of a key of any kind.
func (o *Object) lookup(key Value) Value {
	if name, ok := key.(string); ok {
		return o.Get(name)
	}
	if i, ok := slices.BinarySearchFunc(o.keys, key, Compare); ok {
		return o.values[i]
	}
	return nil
}

// insert sets the value of a key. The key that was there first stays: 1 and 1.0 are the same.
func (o *Object) insert(key, value Value) {
	n := len(o.keys)
	if n == 0 || Compare(o.keys[n-1], key) < 0 {
		o.keys, o.values = append(o.keys, key), append(o.values, value)
		return
	}
	i, ok := slices.BinarySearchFunc(o.keys, key, Compare)
	if ok {
		o.values[i] = value
		return
	}
	o.keys, o.values = slices.Insert(o.keys, i, key), slices.Insert(o.values, i, value)
}

func (s *Set) add(item Value) {
	n := len(s.items)
	if n == 0 || Compare(s.items[n-1], item) < 0 {
		s.items = append(s.items, item)
		return
	}
	if i, ok := slices.BinarySearchFunc(s.items, item, Compare); !ok {
		s.items = slices.Insert(s.items, i, item)
	}
}

func (s *Set) has(item Value) bool {
	_, ok := slices.BinarySearchFunc(s.items, item, Compare)
	return ok
}

// The kinds of values, in the order in which ast.Compare puts them.
const (
	kindUndefined = iota
	kindNull
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
	kindSet
)

func kindOf(v Value) int {
	switch v.(type) {
	case nil:
		return kindUndefined
	case Null:
		return kindNull
	case bool:
		return kindBool
	case int64, *Number:
		return kindNumber
	case string:
		return kindString
	case *Array:
		return kindArray
	case *Object:
		return kindObject
	case *Set:
		return kindSet
	default:
		panic(fmt.Sprintf("a %T is no value", v))
	}
}

// Compare puts values in order, as ast.Compare does.
func Compare(a, b Value) int {
	switch a := a.(type) {
	case string:
		if b, ok := b.(string); ok {
			return strings.Compare(a, b)
		}
	case int64:
		switch b := b.(type) {
		case int64:
			return cmp.Compare(a, b)
		case *Number:
			return compareNumbers(a, b)
		}
	case *Number:
		if kindOf(b) == kindNumber {
			return compareNumbers(a, b)
		}
	case *Array:
		if b, ok := b.(*Array); ok {
			return slices.CompareFunc(a.items, b.items, Compare)
		}
	case *Object:
		if b, ok := b.(*Object); ok {
			return compareObjects(a, b)
		}
	case *Set:
		if b, ok := b.(*Set); ok {
			return slices.CompareFunc(a.items, b.items, Compare)
		}
	case bool:
		if b, ok := b.(bool); ok {
			switch {
			case a == b:
				return 0
			case b:
				return -1
			}
			return 1
		}
	}
	return kindOf(a) - kindOf(b)
}

func compareObjects(a, b *Object) int {
	if a == b {
		return 0
	}
	for i := range min(len(a.keys), len(b.keys)) {
		if c := Compare(a.keys[i], b.keys[i]); c != 0 {
			return c
		}
		if c := Compare(a.values[i], b.values[i]); c != 0 {
			return c
		}
	}
	return len(a.keys) - len(b.keys)
}

// Equal says whether values are the same, as ast.ValueEqual does.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case string:
		b, ok := b.(string)
		return ok && a == b
	case bool:
		b, ok := b.(bool)
		return ok && a == b
	case *Array:
		b, ok := b.(*Array)
		return ok && (a == b || slices.EqualFunc(a.items, b.items, Equal))
	case *Object:
		b, ok := b.(*Object)
		return ok && (a == b || slices.EqualFunc(a.keys, b.keys, Equal) && slices.EqualFunc(a.values, b.values, Equal))
	case *Set:
		b, ok := b.(*Set)
		return ok && (a == b || slices.EqualFunc(a.items, b.items, Equal))
	default:
		return Compare(a, b) == 0
	}
}

// child is what a reference finds below a value: nil where there is nothing.
func child(v, key Value) Value {
	switch v := v.(type) {
	case *Object:
		return v.lookup(key)
	case *Array:
		i, ok := key.(int64)
		if !ok {
			i, ok = wholeOf(key)
		}
		if ok && i >= 0 && i < int64(len(v.items)) {
			return v.items[i]
		}
	case *Set:
		if v.has(key) {
			return key
		}
	}
	return nil
}
