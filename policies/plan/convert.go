package plan

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"
)

// FromGo reads a value as encoding/json shapes it, with numbers as json.Number or float64. What is
// no JSON is an error, as is a number that is too large for OPA.
func FromGo(x any) (Value, error) {
	switch x := x.(type) {
	case nil:
		return Null{}, nil
	case bool, string, int64:
		return x, nil
	case []any:
		return fromList(x)
	case []map[string]any:
		return fromList(x)
	case map[string]any:
		o := newObject(len(x))
		names := make([]string, 0, len(x))
		for name := range x {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, key := range names {
			value, err := FromGo(x[key])
			if err != nil {
				return nil, err
			}
			o.keys, o.values = append(o.keys, key), append(o.values, value)
		}
		return o, nil
	default:
		value, err := ast.InterfaceToValue(x)
		if err != nil {
			return nil, err
		}
		return FromAST(value), nil
	}
}

func fromList[T any](list []T) (Value, error) {
	items := make([]Value, len(list))
	for i, element := range list {
		value, err := FromGo(element)
		if err != nil {
			return nil, err
		}
		items[i] = value
	}
	return &Array{items}, nil
}

// FromAST reads a value of OPA's.
func FromAST(v ast.Value) Value {
	switch v := v.(type) {
	case ast.Boolean:
		return bool(v)
	case ast.Number:
		return ParseNumber(string(v))
	case ast.String:
		return string(v)
	case *ast.Array:
		items := make([]Value, 0, v.Len())
		v.Foreach(func(t *ast.Term) { items = append(items, FromAST(t.Value)) })
		return &Array{items}
	case ast.Object:
		o := newObject(v.Len())
		v.Foreach(func(key, value *ast.Term) { o.insert(FromAST(key.Value), FromAST(value.Value)) })
		return o
	case ast.Set:
		s := newSet()
		for _, t := range v.Slice() {
			s.add(FromAST(t.Value))
		}
		return s
	default:
		return Null{}
	}
}

// ToAST gives a value as OPA has it.
func ToAST(v Value) ast.Value {
	switch v := v.(type) {
	case bool:
		return ast.Boolean(v)
	case int64, *Number:
		return ast.Number(textOf(v))
	case string:
		return ast.String(v)
	case *Array:
		return ast.NewArray(terms(v.items)...)
	case *Object:
		pairs := make([][2]*ast.Term, len(v.keys))
		for i := range pairs {
			pairs[i] = [2]*ast.Term{term(v.keys[i]), term(v.values[i])}
		}
		return ast.NewObject(pairs...)
	case *Set:
		return ast.NewSet(terms(v.items)...)
	default:
		return ast.NullValue
	}
}

func term(v Value) *ast.Term { return ast.NewTerm(ToAST(v)) }

func terms(values []Value) []*ast.Term {
	list := make([]*ast.Term, len(values))
	for i, v := range values {
		list[i] = term(v)
	}
	return list
}

// ToGo gives a value as encoding/json shapes it, numbers as float64. A set is a list, in order.
func ToGo(v Value) (any, error) {
	switch v := v.(type) {
	case nil, Null:
		return nil, nil
	case int64:
		return float64(v), nil
	case *Number:
		f, _ := Float(v)
		return f, nil
	case *Array:
		return toList(v.items)
	case *Set:
		return toList(v.items)
	case *Object:
		object := make(map[string]any, len(v.keys))
		for i, key := range v.keys {
			name, ok := key.(string)
			if !ok {
				return nil, fmt.Errorf("the key %v is no text", ToAST(key))
			}
			value, err := ToGo(v.values[i])
			if err != nil {
				return nil, err
			}
			object[name] = value
		}
		return object, nil
	default:
		return v, nil
	}
}

func toList(items []Value) (any, error) {
	list := make([]any, len(items))
	for i, item := range items {
		value, err := ToGo(item)
		if err != nil {
			return nil, err
		}
		list[i] = value
	}
	return list, nil
}

// Float is a number as a float64, the nearest to its text; false if v is no number or too large.
func Float(v Value) (float64, bool) {
	if i, ok := v.(int64); ok {
		return float64(i), true
	}
	f, err := json.Number(textOf(v)).Float64()
	return f, err == nil
}
