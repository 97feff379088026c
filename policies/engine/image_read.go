package engine

import (
	"encoding/json"

	"github.com/open-policy-agent/opa/v1/ast"
)

// imageReader reads what imageWriter wrote. Once something does not fit, all that follows
// is empty.
type imageReader struct {
	rest    string
	damaged bool
	terms   []ast.Term // never grows beyond its capacity: rules point into it
	file    string
}

func readImage(image []byte) (map[string]*ast.Module, error) {
	r := imageReader{rest: string(image)}
	n := r.count()
	r.terms = make([]ast.Term, 0, n)
	for range n {
		r.terms = append(r.terms, ast.Term{Value: r.value()})
	}
	modules := map[string]*ast.Module{}
	for range r.count() {
		r.file = r.text()
		module := &ast.Module{Package: &ast.Package{Path: r.list()}}
		module.Rules = make([]*ast.Rule, r.count())
		for i := range module.Rules {
			module.Rules[i] = r.rule(module)
		}
		modules[r.file] = module
	}
	if r.damaged || r.rest != "" {
		return nil, errImage
	}
	return modules, nil
}

func (r *imageReader) rule(module *ast.Module) *ast.Rule {
	head := &ast.Head{
		Name:      ast.Var(r.text()),
		Reference: r.list(),
		Args:      r.list(),
		Key:       r.optional(),
		Value:     r.optional(),
		Assign:    r.flag(),
	}
	rule := &ast.Rule{Module: module, Head: head, Default: r.flag()}
	rule.Location = r.location()
	head.Location = rule.Location
	rule.Body = r.body()
	if r.flag() {
		rule.Else = r.rule(module)
	}
	return rule
}

func (r *imageReader) body() ast.Body {
	body := make(ast.Body, r.count())
	exprs := make([]ast.Expr, len(body))
	for i := range body {
		expr := &exprs[i]
		expr.Index = i
		expr.Negated = r.flag()
		expr.Generated = r.flag()
		expr.Location = r.location()
		for range r.count() {
			expr.With = append(expr.With, &ast.With{Target: r.term(), Value: r.term(), Location: expr.Location})
		}
		switch r.byte() {
		case exprTerm:
			expr.Terms = r.term()
		case exprCall:
			expr.Terms = r.list()
		case exprEvery:
			expr.Terms = &ast.Every{
				Key: r.optional(), Value: r.term(), Domain: r.term(), Body: r.body(), Location: expr.Location,
			}
		default:
			r.damaged = true
		}
		body[i] = expr
	}
	return body
}

func (r *imageReader) value() ast.Value {
	switch r.byte() {
	case kindNull:
		return ast.NullValue
	case kindFalse:
		return ast.Boolean(false)
	case kindTrue:
		return ast.Boolean(true)
	case kindNumber:
		return ast.Number(json.Number(r.text()))
	case kindString:
		return ast.String(r.text())
	case kindVar:
		return ast.Var(r.text())
	case kindRef:
		return ast.Ref(r.list())
	case kindCall:
		return ast.Call(r.list())
	case kindArray:
		return ast.NewArray(r.list()...)
	case kindSet:
		return ast.NewSet(r.list()...)
	case kindObject:
		terms := r.list()
		pairs := make([][2]*ast.Term, len(terms)/2)
		for i := range pairs {
			pairs[i] = [2]*ast.Term{terms[2*i], terms[2*i+1]}
		}
		return ast.NewObject(pairs...)
	case kindArrayComprehension:
		return &ast.ArrayComprehension{Term: r.term(), Body: r.body()}
	case kindSetComprehension:
		return &ast.SetComprehension{Term: r.term(), Body: r.body()}
	case kindObjectComprehension:
		return &ast.ObjectComprehension{Key: r.term(), Value: r.term(), Body: r.body()}
	default:
		r.damaged = true
		return ast.NullValue
	}
}

// place gives a term that has been read already.
func (r *imageReader) place(n int) *ast.Term {
	if n >= len(r.terms) {
		r.damaged = true
		return ast.NullTerm()
	}
	return &r.terms[n]
}

func (r *imageReader) term() *ast.Term { return r.place(r.uvarint()) }

func (r *imageReader) optional() *ast.Term {
	n := r.uvarint()
	if n == 0 {
		return nil
	}
	return r.place(n - 1)
}

func (r *imageReader) list() []*ast.Term {
	n := r.count()
	if n == 0 {
		return nil
	}
	list := make([]*ast.Term, n)
	for i := range list {
		list[i] = r.term()
	}
	return list
}

func (r *imageReader) location() *ast.Location {
	row := r.uvarint()
	if row == 0 {
		return nil
	}
	return ast.NewLocation(nil, r.file, row, 1)
}

func (r *imageReader) text() string {
	n := r.count()
	text := r.rest[:n]
	r.rest = r.rest[n:]
	return text
}

func (r *imageReader) flag() bool { return r.byte() != 0 }

func (r *imageReader) byte() byte {
	if r.rest == "" {
		r.damaged = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// count is a number of things that follow, of at least a byte each.
func (r *imageReader) count() int {
	n := r.uvarint()
	if n > len(r.rest) {
		r.damaged = true
		return 0
	}
	return n
}

func (r *imageReader) uvarint() int {
	n := 0
	const bits = 56 // no number of ours is as large
	for shift := 0; shift < bits; shift += 7 {
		b := r.byte()
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.damaged = true
	return 0
}
