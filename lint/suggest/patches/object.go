package patches

import (
	"strings"

	"github.com/headroom-dev/headroom/lint/suggest/tree"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Object is an object, and what kustomize shall make of it.
type Object struct {
	ID    string
	From  map[string]any // as the patch meets it
	To    map[string]any
	Wants map[string]tree.Change
	// Names are what the object may be called where the patch meets it, the likely one
	// first; namespaces alike.
	Names []string
}

// forms are the ways to write the patch of an object, the better ones first. The first
// ones name the object alone, the later ones its namespace too.
func (p Object) forms() []map[string]any {
	var list []map[string]any
	for _, withNamespace := range []bool{false, true} {
		namespace := ""
		if withNamespace {
			if namespace = engine.ResourceOf(p.From).Namespace; namespace == "" {
				continue
			}
		}
		for _, name := range p.Names {
			if text, ok := p.merging(name, namespace); ok {
				list = append(list, map[string]any{"target": targeted(p.From, name, namespace), "patch": text})
			}
		}
		for _, name := range p.Names {
			if text, ok := p.stepping(); ok {
				list = append(list, map[string]any{"target": targeted(p.From, name, namespace), "patch": text})
			}
		}
	}
	return list
}

func (p Object) merging(name, namespace string) (string, bool) {
	patch, ok := merge(p.From, p.Wants, name, namespace)
	if !ok {
		return "", false
	}
	text, err := tree.YAML(listed(patch))
	return string(text), err == nil
}

func (p Object) stepping() (string, bool) {
	var list []any
	for _, op := range steps6902(p.From, p.To) {
		list = append(list, op.fields())
	}
	text, err := tree.YAML(list)
	return string(text), err == nil
}

// targeted is how kustomize finds an object.
func targeted(object map[string]any, name, namespace string) map[string]any {
	apiVersion := engine.ResourceOf(object).APIVersion
	group, version, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group, version = "", apiVersion
	}
	target := map[string]any{"version": version, "kind": object["kind"], "name": name}
	if group != "" {
		target["group"] = group
	}
	if namespace != "" {
		target["namespace"] = namespace
	}
	return target
}

// Whole is an object with all that has to change in it; false where that is nothing.
func Whole(w *tree.Output, before, after map[string]any) (Object, bool) {
	wants := tree.Changes(tree.Leaves(before), tree.Leaves(after))
	p := Object{ID: w.Find(before), From: before, To: after, Wants: wants}
	if object, ok := w.Objects[p.ID]; ok {
		p.From = object.Object
	}
	p.Names = []string{engine.ResourceOf(p.From).Name}
	return p, len(wants) > 0
}
