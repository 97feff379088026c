package engine

import (
	"encoding/json"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

// decode reads data.headroom.main.result without a detour over JSON, which would cost as
// much as several rules. A part that is missing is empty; one of another shape is an error.
func decode(answer *ast.Term) (Result, error) {
	var d decoder
	o := d.object(answer)
	result := Result{
		Findings: each(&d, o, "findings", d.finding),
		Exempted: each(&d, o, "exempted", d.finding),
		Skipped:  each(&d, o, "skipped", d.skip),
		Objects:  whole(each(&d, o, "objects", d.judged)),
	}
	return result, d.err
}

// whole puts the Pods of an object that describes several under one entry.
func whole(pods []Object) []Object {
	var objects []Object
	for _, pod := range pods {
		last := len(objects) - 1
		if last >= 0 && objects[last].Path == pod.Path && objects[last].Resource == pod.Resource {
			objects[last].Containers = append(objects[last].Containers, pod.Containers...)
			continue
		}
		objects = append(objects, pod)
	}
	return objects
}

// decoder keeps the first error, and reads on as if all were empty.
type decoder struct{ err error }

func (d *decoder) finding(o ast.Object) Finding {
	f := Finding{
		Rule:      d.text(o, "rule"),
		Slug:      d.text(o, "slug"),
		Severity:  d.text(o, "severity"),
		Harm:      d.text(o, "harm"),
		Certain:   d.flag(o, "certain"),
		Group:     d.text(o, "group"),
		Class:     d.text(o, "class"),
		Resource:  d.resource(o),
		Container: d.text(o, "container"),
		Path:      d.pointer(o),
		Message:   d.text(o, "message"),
		Why:       d.text(o, "why"),
		Expected:  d.text(o, "expected"),
		Fixable:   d.flag(o, "fixable"),
		Changes:   d.changes(o),
	}
	if figures := o.Get(ast.StringTerm("figures")); figures != nil {
		f.Figures, _ = plain(d.json(figures)).(map[string]any)
	}
	if size := o.Get(ast.StringTerm("size")); size != nil {
		if s := d.object(size); s.Len() > 0 {
			f.Size = &Size{Value: d.number(s, "value"), Unit: d.text(s, "unit")}
		}
	}
	if suppressed := o.Get(ast.StringTerm("suppressed")); suppressed != nil {
		s := d.object(suppressed)
		f.Suppressed = &Suppression{Reason: d.text(s, "reason"), Until: d.text(s, "until"), Source: d.text(s, "source")}
	}
	return f
}

func (d *decoder) skip(o ast.Object) Skip {
	return Skip{Resource: d.resource(o), What: d.text(o, "what"), Reason: d.text(o, "reason")}
}

func (d *decoder) judged(o ast.Object) Object {
	return Object{
		Resource:   d.resource(o),
		Path:       d.pointer(o),
		Judged:     d.flag(o, "judged"),
		Containers: each(d, o, "containers", d.container),
	}
}

func (d *decoder) container(o ast.Object) Container {
	return Container{
		Name:     d.text(o, "name"),
		Role:     d.text(o, "role"),
		Path:     d.pointer(o),
		Class:    d.text(o, "class"),
		Evidence: d.text(o, "evidence"),
		Runtime:  d.text(o, "runtime"),
		Runs:     d.text(o, "runtime_text"),
	}
}

func (d *decoder) resource(o ast.Object) Resource {
	r := d.object(o.Get(ast.StringTerm("resource")))
	return Resource{
		APIVersion: d.text(r, "apiVersion"),
		Kind:       d.text(r, "kind"),
		Namespace:  d.text(r, "namespace"),
		Name:       d.text(r, "name"),
	}
}

// each reads a list of objects.
func each[T any](d *decoder, o ast.Object, name string, read func(ast.Object) T) []T {
	list := d.array(o, name)
	out := make([]T, 0, list.Len())
	list.Foreach(func(element *ast.Term) { out = append(out, read(d.object(element))) })
	return out
}

func (d *decoder) pointer(o ast.Object) string { return Pointer(d.steps(o, "path")) }

func (d *decoder) object(term *ast.Term) ast.Object {
	if term != nil {
		if o, ok := term.Value.(ast.Object); ok {
			return o
		}
	}
	d.fail("an object", term)
	return ast.NewObject()
}

func (d *decoder) array(o ast.Object, name string) *ast.Array {
	term := o.Get(ast.StringTerm(name))
	if term == nil {
		return ast.NewArray()
	}
	list, ok := term.Value.(*ast.Array)
	if !ok {
		d.fail(name, term)
		return ast.NewArray()
	}
	return list
}

func (d *decoder) text(o ast.Object, name string) string {
	term := o.Get(ast.StringTerm(name))
	if term == nil {
		return ""
	}
	text, ok := term.Value.(ast.String)
	if !ok {
		d.fail(name, term)
	}
	return string(text)
}

func (d *decoder) flag(o ast.Object, name string) bool {
	term := o.Get(ast.StringTerm(name))
	if term == nil {
		return false
	}
	set, ok := term.Value.(ast.Boolean)
	if !ok {
		d.fail(name, term)
	}
	return bool(set)
}

func (d *decoder) json(term *ast.Term) any {
	value, err := ast.JSON(term.Value)
	if err != nil && d.err == nil {
		d.err = err
	}
	return value
}

func (d *decoder) fail(wanted string, got any) {
	if d.err == nil {
		d.err = fmt.Errorf("%s cannot be %v", wanted, got)
	}
}

// plain gives figures as encoding/json would: numbers are float64.
func plain(value any) any {
	switch v := value.(type) {
	case json.Number:
		f, _ := v.Float64() // OPA has checked that it is a number
		return f
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	}
	return value
}
