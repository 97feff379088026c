package engine

import (
	"github.com/headroom-dev/headroom/policies/plan"
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
		switch list.Key {
		case ownersList:
		case quotasList:
			admitted.lists = append(admitted.lists, plan.Pair{Key: quotasList, Value: withoutStatus(list.Value)})
		default:
			admitted.lists = append(admitted.lists, list)
		}
	}
	values := make([]plan.Value, 0, len(owners))
	for _, o := range owners {
		annotations := make([]plan.Pair, 0, len(o.Annotations))
		for key, value := range o.Annotations {
			annotations = append(annotations, plan.Pair{Key: key, Value: value})
		}
		values = append(values, plan.NewObject(
			plan.Pair{Key: "kind", Value: o.Kind},
			plan.Pair{Key: "annotations", Value: plan.NewObject(annotations...)},
		))
	}
	admitted.lists = append(admitted.lists, plan.Pair{Key: ownersList, Value: plan.NewArray(values...)})
	return admitted
}

// list gives the lists, none where nothing is known.
func (c *Context) list() []plan.Pair {
	if c == nil {
		return nil
	}
	return c.lists
}

func withoutStatus(list plan.Value) plan.Value {
	objects, ok := list.(*plan.Array)
	if !ok {
		return list
	}
	kept := make([]plan.Value, objects.Len())
	for i := range kept {
		kept[i] = objects.At(i)
		if object, ok := kept[i].(*plan.Object); ok {
			kept[i] = object.Without("status")
		}
	}
	return plan.NewArray(kept...)
}

// Listed gives the objects of one list back, as JSON shapes them.
func (c *Context) Listed(name string) []map[string]any {
	for _, list := range c.list() {
		if list.Key != name {
			continue
		}
		value, err := plan.ToGo(list.Value)
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
