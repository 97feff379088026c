package engine

import (
	"context"
	"fmt"
	"sync"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// Context is what stands beside an object in its namespace, as the policies want to see
// it: lists of raw objects by the names of data.headroom.workload.context_kinds. A list
// is converted once, however many objects are judged against it.
type Context struct {
	// Namespace stands in for an object that names none (admission requests know it).
	Namespace string
	lists     ast.Object
}

// NewContext converts the lists.
func NewContext(namespace string, lists map[string][]map[string]any) (*Context, error) {
	c := &Context{Namespace: namespace, lists: ast.NewObject()}
	for name, objects := range lists {
		value, err := ast.InterfaceToValue(objects)
		if err != nil {
			return nil, fmt.Errorf("read the %s beside the object: %w", name, err)
		}
		c.lists.Insert(ast.StringTerm(name), ast.NewTerm(value))
	}
	return c, nil
}

var (
	reviewVersion   = ast.StringTerm("headroom.dev/v1alpha1")
	reviewKind      = ast.StringTerm("Review")
	keyAPIVersion   = ast.StringTerm("apiVersion")
	keyKind         = ast.StringTerm("kind")
	keyObject       = ast.StringTerm("object")
	keyNamespace    = ast.StringTerm("namespace")
	keyContext      = ast.StringTerm("context")
	keyPrefix       = ast.StringTerm("prefix")
	emptyPathPrefix = ast.ArrayTerm()
)

// review wraps an object with its context; without a context the object is input as it
// stands, which spares a copy.
func review(object map[string]any, around *Context) (ast.Value, error) {
	value, err := ast.InterfaceToValue(object)
	if err != nil {
		return nil, fmt.Errorf("read the object: %w", err)
	}
	if around == nil {
		return value, nil
	}
	return ast.NewObject(
		[2]*ast.Term{keyAPIVersion, reviewVersion},
		[2]*ast.Term{keyKind, reviewKind},
		[2]*ast.Term{keyObject, ast.NewTerm(value)},
		[2]*ast.Term{keyNamespace, ast.StringTerm(around.Namespace)},
		[2]*ast.Term{keyPrefix, emptyPathPrefix},
		[2]*ast.Term{keyContext, ast.NewTerm(around.lists)},
	), nil
}

// kindCache remembers what the policies say of a kind.
type kindCache struct {
	mu    sync.RWMutex
	known map[[2]string]kindFacts
}

type kindFacts struct {
	inert bool
	list  string
}

// Inert says that no rule looks at objects of this kind, so that they need not be judged.
func (e *Engine) Inert(ctx context.Context, apiVersion, kind string) (bool, error) {
	facts, err := e.kindFacts(ctx, apiVersion, kind)
	return facts.inert, err
}

// ContextList names the list of a Context that objects of this kind belong to; "" for a
// kind that says nothing about its neighbours.
func (e *Engine) ContextList(ctx context.Context, apiVersion, kind string) (string, error) {
	facts, err := e.kindFacts(ctx, apiVersion, kind)
	return facts.list, err
}

// maxKinds bounds the cache: input may name any number of kinds.
const maxKinds = 1024

func (e *Engine) kindFacts(ctx context.Context, apiVersion, kind string) (kindFacts, error) {
	key := [2]string{apiVersion, kind}
	e.kinds.mu.RLock()
	facts, ok := e.kinds.known[key]
	e.kinds.mu.RUnlock()
	if ok {
		return facts, nil
	}
	input := ast.NewObject(
		[2]*ast.Term{keyAPIVersion, ast.StringTerm(apiVersion)},
		[2]*ast.Term{keyKind, ast.StringTerm(kind)},
	)
	answer, err := e.inert.Eval(ctx, rego.EvalParsedInput(input))
	if err != nil {
		return kindFacts{}, fmt.Errorf("ask the policies about %s: %w", kind, err)
	}
	if len(answer) != 1 {
		return kindFacts{}, errUndefined
	}
	facts.inert, _ = answer[0].Bindings["inert"].(bool)
	facts.list, _ = answer[0].Bindings["kind"].(string)
	e.kinds.mu.Lock()
	defer e.kinds.mu.Unlock()
	if e.kinds.known == nil || len(e.kinds.known) >= maxKinds {
		e.kinds.known = map[[2]string]kindFacts{}
	}
	e.kinds.known[key] = facts
	return facts, nil
}
