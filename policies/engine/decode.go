package engine

import (
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/policies/plan"
)

// decode reads data.headroom.main.result without a detour over JSON, which would cost as
// much as several rules. A part that is missing is empty; one of another shape is an error.
func decode(ctx context.Context, answer plan.Value) (Result, error) {
	d := decoder{ctx: ctx}
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
type decoder struct {
	ctx context.Context
	err error
}

func (d *decoder) finding(o *plan.Object) Finding {
	plan.Turn(d.ctx)
	f := Finding{
		Rule:      d.text(o, "rule"),
		Slug:      d.text(o, "slug"),
		Severity:  d.text(o, "severity"),
		Harm:      d.text(o, "harm"),
		Certain:   d.flag(o, "certain"),
		Bound:     d.flag(o, "bound"),
		Unclassed: d.flag(o, "unclassed"),
		Group:     d.text(o, "group"),
		Class:     d.text(o, "class"),
		Resource:  d.resource(o),
		Container: d.text(o, "container"),
		Path:      d.pointer(o),
		Message:   d.text(o, "message"),
		Why:       d.text(o, "why"),
		Expected:  d.text(o, "expected"),
		Price:     d.text(o, "price"),
		Fixable:   d.flag(o, "fixable"),
		Changes:   d.changes(o),
	}
	if figures := o.Get("figures"); figures != nil {
		f.Figures, _ = d.json(figures).(map[string]any)
	}
	if size := o.Get("size"); size != nil {
		if s := d.object(size); s.Len() > 0 {
			f.Size = &Size{Value: d.number(s, "value"), Unit: d.text(s, "unit")}
		}
	}
	if suppressed := o.Get("suppressed"); suppressed != nil {
		s := d.object(suppressed)
		f.Suppressed = &Suppression{Reason: d.text(s, "reason"), Until: d.text(s, "until"), Source: d.text(s, "source")}
	}
	return f
}

func (d *decoder) skip(o *plan.Object) Skip {
	return Skip{Resource: d.resource(o), What: d.text(o, "what"), Reason: d.text(o, "reason")}
}

func (d *decoder) judged(o *plan.Object) Object {
	return Object{
		Resource:   d.resource(o),
		Path:       d.pointer(o),
		Judged:     d.flag(o, "judged"),
		Containers: each(d, o, "containers", d.container),
	}
}

func (d *decoder) container(o *plan.Object) Container {
	return Container{
		Name:     d.text(o, "name"),
		Role:     d.text(o, "role"),
		Path:     d.pointer(o),
		Class:    d.text(o, "class"),
		Evidence: d.text(o, "evidence"),
		Runtime:  d.text(o, "runtime"),
		Runs:     d.text(o, "runtime_text"),
		Shown:    d.text(o, "runtime_evidence"),
		Image:    d.text(o, "image"),
	}
}

func (d *decoder) resource(o *plan.Object) Resource {
	r := d.object(o.Get("resource"))
	return Resource{
		APIVersion: d.text(r, "apiVersion"),
		Kind:       d.text(r, "kind"),
		Namespace:  d.text(r, "namespace"),
		Name:       d.text(r, "name"),
	}
}

// each reads a list of objects.
func each[T any](d *decoder, o *plan.Object, name string, read func(*plan.Object) T) []T {
	list := d.array(o, name)
	out := make([]T, 0, list.Len())
	for i := range list.Len() {
		out = append(out, read(d.object(list.At(i))))
	}
	return out
}

func (d *decoder) pointer(o *plan.Object) string { return Pointer(d.steps(o, "path")) }

func (d *decoder) object(v plan.Value) *plan.Object {
	if o, ok := v.(*plan.Object); ok {
		return o
	}
	d.fail("an object", v)
	return plan.NewObject()
}

func (d *decoder) array(o *plan.Object, name string) *plan.Array {
	v := o.Get(name)
	if v == nil {
		return plan.NewArray()
	}
	list, ok := v.(*plan.Array)
	if !ok {
		d.fail(name, v)
		return plan.NewArray()
	}
	return list
}

func (d *decoder) text(o *plan.Object, name string) string {
	v := o.Get(name)
	if v == nil {
		return ""
	}
	text, ok := v.(string)
	if !ok {
		d.fail(name, v)
	}
	return text
}

func (d *decoder) flag(o *plan.Object, name string) bool {
	v := o.Get(name)
	if v == nil {
		return false
	}
	set, ok := v.(bool)
	if !ok {
		d.fail(name, v)
	}
	return set
}

func (d *decoder) json(v plan.Value) any {
	value, err := plan.ToGo(v)
	if err != nil && d.err == nil {
		d.err = err
	}
	return value
}

func (d *decoder) fail(wanted string, got plan.Value) {
	switch {
	case d.err != nil:
	case got == nil:
		d.err = fmt.Errorf("%s cannot be missing", wanted)
	default:
		d.err = fmt.Errorf("%s cannot be %v", wanted, plan.ToAST(got))
	}
}
