package engine

import (
	"encoding/binary"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Kinds of term in an image.
const (
	kindNull = iota
	kindFalse
	kindTrue
	kindNumber
	kindString
	kindVar
	kindRef
	kindCall
	kindArray
	kindSet
	kindObject
	kindArrayComprehension
	kindSetComprehension
	kindObjectComprehension
)

// Kinds of expression in an image.
const (
	exprTerm = iota
	exprCall
	exprEvery
)

// imageWriter collects the terms. The first error stays.
type imageWriter struct {
	terms [][]byte
	known map[string]uint64 // place of a term, by its bytes
	err   error
}

func writeImage(header []byte, files []string, modules map[string]*ast.Module) ([]byte, error) {
	w := imageWriter{known: map[string]uint64{}}
	body := binary.AppendUvarint(nil, uint64(len(files)))
	for _, file := range files {
		module := modules[file]
		body = text(body, file)
		body = w.list(body, module.Package.Path)
		body = binary.AppendUvarint(body, uint64(len(module.Rules)))
		for _, rule := range module.Rules {
			body = w.rule(body, rule)
		}
	}
	image := binary.AppendUvarint(header, uint64(len(w.terms)))
	for _, term := range w.terms {
		image = append(image, term...)
	}
	return append(image, body...), w.err
}

func (w *imageWriter) rule(b []byte, rule *ast.Rule) []byte {
	head := rule.Head
	b = text(b, string(head.Name))
	b = w.list(b, head.Reference)
	b = w.list(b, head.Args)
	b = w.optional(b, head.Key)
	b = w.optional(b, head.Value)
	b = flag(flag(b, head.Assign), rule.Default)
	b = w.body(location(b, rule.Location), rule.Body)
	b = flag(b, rule.Else != nil)
	if rule.Else != nil {
		b = w.rule(b, rule.Else)
	}
	return b
}

func (w *imageWriter) body(b []byte, body ast.Body) []byte {
	b = binary.AppendUvarint(b, uint64(len(body)))
	for _, expr := range body {
		b = flag(flag(b, expr.Negated), expr.Generated)
		b = location(b, expr.Location)
		b = binary.AppendUvarint(b, uint64(len(expr.With)))
		for _, with := range expr.With {
			b = w.ref(w.ref(b, with.Target), with.Value)
		}
		switch terms := expr.Terms.(type) {
		case *ast.Term:
			b = w.ref(append(b, exprTerm), terms)
		case []*ast.Term:
			b = w.list(append(b, exprCall), terms)
		case *ast.Every:
			b = w.optional(append(b, exprEvery), terms.Key)
			b = w.ref(w.ref(b, terms.Value), terms.Domain)
			b = w.body(b, terms.Body)
		default:
			w.fail(terms)
		}
	}
	return b
}

// add writes a term, after those that it is made of, and gives its place.
func (w *imageWriter) add(term *ast.Term) uint64 {
	b := w.term(term)
	place, ok := w.known[string(b)]
	if !ok {
		place = uint64(len(w.terms))
		w.known[string(b)] = place
		w.terms = append(w.terms, b)
	}
	return place
}

func (w *imageWriter) term(term *ast.Term) []byte {
	switch v := term.Value.(type) {
	case ast.Null:
		return []byte{kindNull}
	case ast.Boolean:
		if v {
			return []byte{kindTrue}
		}
		return []byte{kindFalse}
	case ast.Number:
		return text([]byte{kindNumber}, string(v))
	case ast.String:
		return text([]byte{kindString}, string(v))
	case ast.Var:
		return text([]byte{kindVar}, string(v))
	case ast.Ref:
		return w.list([]byte{kindRef}, v)
	case ast.Call:
		return w.list([]byte{kindCall}, v)
	case *ast.Array:
		terms := make([]*ast.Term, v.Len())
		for i := range terms {
			terms[i] = v.Elem(i)
		}
		return w.list([]byte{kindArray}, terms)
	case ast.Set:
		return w.list([]byte{kindSet}, v.Slice())
	case ast.Object:
		var terms []*ast.Term
		v.Foreach(func(key, value *ast.Term) { terms = append(terms, key, value) })
		return w.list([]byte{kindObject}, terms)
	case *ast.ArrayComprehension:
		return w.body(w.ref([]byte{kindArrayComprehension}, v.Term), v.Body)
	case *ast.SetComprehension:
		return w.body(w.ref([]byte{kindSetComprehension}, v.Term), v.Body)
	case *ast.ObjectComprehension:
		return w.body(w.ref(w.ref([]byte{kindObjectComprehension}, v.Key), v.Value), v.Body)
	default:
		w.fail(v)
		return nil
	}
}

func (w *imageWriter) ref(b []byte, term *ast.Term) []byte {
	return binary.AppendUvarint(b, w.add(term))
}

// optional writes 0 for no term, and places from 1.
func (w *imageWriter) optional(b []byte, term *ast.Term) []byte {
	if term == nil {
		return append(b, 0)
	}
	return binary.AppendUvarint(b, w.add(term)+1)
}

func (w *imageWriter) list(b []byte, terms []*ast.Term) []byte {
	b = binary.AppendUvarint(b, uint64(len(terms)))
	for _, term := range terms {
		b = w.ref(b, term)
	}
	return b
}

func (w *imageWriter) fail(part any) {
	if w.err == nil {
		w.err = fmt.Errorf("write policy image: a compiled policy holds a %T", part)
	}
}

func text(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func flag(b []byte, set bool) []byte {
	if set {
		return append(b, 1)
	}
	return append(b, 0)
}

// location keeps the row alone: it is for the message of a built-in that fails.
func location(b []byte, l *ast.Location) []byte {
	if l == nil {
		return append(b, 0)
	}
	return binary.AppendUvarint(b, uint64(max(l.Row, 0)))
}
