package engine

import (
	"github.com/open-policy-agent/opa/v1/ast"
)

// Owner is what a Pod goes back to, as an admission webhook knows it.
type Owner struct {
	Kind        string
	Annotations map[string]string // those of headroom.dev and the domains below it
}

const (
	ownersList = "owners"
	quotasList = "resource_quotas"
)

// Admitted is the context as the webhook has it while the object of these owners, nearest
// first, is created: it sees no ConfigMap, and of ResourceQuotas only what they allow.
func (c *Context) Admitted(namespace string, owners []Owner) *Context {
	admitted := &Context{Namespace: namespace}
	for _, list := range c.list() {
		switch name, _ := list[0].Value.(ast.String); string(name) {
		case ownersList:
		case quotasList:
			admitted.lists = append(admitted.lists, [2]*ast.Term{list[0], withoutStatus(list[1])})
		default:
			admitted.lists = append(admitted.lists, list)
		}
	}
	terms := make([]*ast.Term, 0, len(owners))
	for _, o := range owners {
		annotations := ast.NewObject()
		for key, value := range o.Annotations {
			annotations.Insert(ast.StringTerm(key), ast.StringTerm(value))
		}
		terms = append(terms, ast.ObjectTerm(
			[2]*ast.Term{ast.StringTerm("kind"), ast.StringTerm(o.Kind)},
			[2]*ast.Term{ast.StringTerm("annotations"), ast.NewTerm(annotations)},
		))
	}
	admitted.lists = append(admitted.lists, [2]*ast.Term{ast.StringTerm(ownersList), ast.ArrayTerm(terms...)})
	return admitted
}

// list gives the lists, none where nothing is known.
func (c *Context) list() [][2]*ast.Term {
	if c == nil {
		return nil
	}
	return c.lists
}

var statusKey = ast.StringTerm("status")

func withoutStatus(list *ast.Term) *ast.Term {
	objects, ok := list.Value.(*ast.Array)
	if !ok {
		return list
	}
	kept := make([]*ast.Term, 0, objects.Len())
	objects.Foreach(func(term *ast.Term) {
		if object, ok := term.Value.(ast.Object); ok {
			term = ast.NewTerm(object.Diff(ast.NewObject([2]*ast.Term{statusKey, ast.NullTerm()})))
		}
		kept = append(kept, term)
	})
	return ast.ArrayTerm(kept...)
}

// Listed gives the objects of one list back, as JSON shapes them.
func (c *Context) Listed(name string) []map[string]any {
	for _, list := range c.list() {
		if given, _ := list[0].Value.(ast.String); string(given) != name {
			continue
		}
		value, err := ast.JSON(list[1].Value)
		if err != nil {
			return nil
		}
		entries, _ := value.([]any)
		objects := make([]map[string]any, 0, len(entries))
		for _, entry := range entries {
			if object, ok := entry.(map[string]any); ok {
				objects = append(objects, object)
			}
		}
		return objects
	}
	return nil
}
