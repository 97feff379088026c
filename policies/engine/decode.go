package engine

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"

	"github.com/headroom-dev/headroom/policies/plan"
)

func decode(ctx context.Context, answer plan.Value) (Result, error) {
	result, err := read[Result](ctx, answer)
	result.Objects = whole(result.Objects)
	return result, err
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

// read reads an answer of the policies. A field's tag says what the policies call it: rego:"gc_threads". What they call
// by a path of keys and indexes is rego:"path,pointer": a JSON pointer, or steps in a field of type []any. A text, a truth
// and a list may be missing, and are empty then; a pointer is nil for what is missing, null or has no fields. All
// else has to be there.
func read[T any](ctx context.Context, answer plan.Value) (T, error) {
	var into T
	d := decoder{ctx: ctx}
	d.value(reflect.ValueOf(&into).Elem(), answer, "an answer")
	return into, d.err
}

// answered is read for an answer, or for the error in its place; what names it.
func answered[T any](ctx context.Context, what string, answer plan.Value, err error) (T, error) {
	var none T
	if err != nil {
		return none, fmt.Errorf("evaluate %s: %w", what, err)
	}
	found, err := read[T](ctx, answer)
	if err != nil {
		return none, fmt.Errorf("read %s: %w", what, err)
	}
	return found, nil
}

// decoder keeps the first error, and reads on as if all were empty.
type decoder struct {
	ctx context.Context
	err error
}

// custom is what reads itself.
type custom interface {
	decode(d *decoder, o *plan.Object)
}

// member is a field of a struct that the policies know.
type member struct {
	index   int
	name    string
	pointer bool
}

var members sync.Map // by reflect.Type

func membersOf(t reflect.Type) []member {
	if known, ok := members.Load(t); ok {
		return known.([]member)
	}
	var list []member
	for i := range t.NumField() {
		if tag, tagged := t.Field(i).Tag.Lookup("rego"); tagged {
			name, option, _ := strings.Cut(tag, ",")
			list = append(list, member{i, name, option == "pointer"})
		}
	}
	members.Store(t, list)
	return list
}

// fields reads an object into a struct.
func (d *decoder) fields(into reflect.Value, o *plan.Object) {
	for _, f := range membersOf(into.Type()) {
		to, v := into.Field(f.index), o.Get(f.name)
		switch {
		case !f.pointer:
			d.value(to, v, f.name)
		case to.Kind() == reflect.String:
			to.SetString(Pointer(d.steps(v, f.name)))
		default:
			to.Set(reflect.ValueOf(d.steps(v, f.name)))
		}
	}
}

func (d *decoder) value(into reflect.Value, v plan.Value, name string) {
	switch into.Kind() {
	case reflect.String:
		text, ok := v.(string)
		if !ok && v != nil {
			d.fail(name, v)
		}
		into.SetString(text)
	case reflect.Bool:
		set, ok := v.(bool)
		if !ok && v != nil {
			d.fail(name, v)
		}
		into.SetBool(set)
	case reflect.Float64:
		into.SetFloat(d.number(v, name))
	case reflect.Int, reflect.Int64:
		into.SetInt(nearest(d.number(v, name)))
	case reflect.Slice:
		d.list(into, v, name)
	case reflect.Map:
		d.table(into, v, name)
	case reflect.Pointer:
		if o, ok := v.(*plan.Object); v != nil && v != (plan.Null{}) && (!ok || o.Len() > 0) {
			into.Set(reflect.New(into.Type().Elem()))
			d.value(into.Elem(), v, name)
		}
	case reflect.Struct:
		d.object(into, v)
	default:
		panic("the policies' answers have no " + into.Type().String())
	}
}

func (d *decoder) object(into reflect.Value, v plan.Value) {
	o, ok := v.(*plan.Object)
	if !ok {
		d.fail("an object", v)
		o = plan.NewObject()
	}
	if own, ok := into.Addr().Interface().(custom); ok {
		own.decode(d, o)
		return
	}
	d.fields(into, o)
}

func (d *decoder) list(into reflect.Value, v plan.Value, name string) {
	if v == nil {
		return
	}
	items := d.array(v, name)
	into.Set(reflect.MakeSlice(into.Type(), items.Len(), items.Len()))
	for i := range items.Len() {
		plan.Turn(d.ctx)
		d.value(into.Index(i), items.At(i), name)
	}
}

// table reads an object whose fields have one type. It is nil for one that is missing or null.
func (d *decoder) table(into reflect.Value, v plan.Value, name string) {
	if v == nil || v == (plan.Null{}) {
		return
	}
	value, err := plan.ToGo(v)
	found, ok := value.(map[string]any)
	switch {
	case err != nil && d.err == nil:
		d.err = err
	case !ok:
		d.fail(name, v)
	}
	if into.Type() == reflect.TypeFor[map[string]any]() {
		into.Set(reflect.ValueOf(found))
		return
	}
	texts := make(map[string]string, len(found))
	for key, value := range found {
		text, ok := value.(string)
		if !ok {
			d.fail("a text", v)
		}
		texts[key] = text
	}
	into.Set(reflect.ValueOf(texts))
}

// steps are the keys and indexes of a path.
func (d *decoder) steps(v plan.Value, name string) []any {
	var path []any
	list := d.array(v, name)
	for i := range list.Len() {
		switch step := list.At(i).(type) {
		case string:
			path = append(path, step)
		case int64:
			path = append(path, int(step))
		default:
			d.fail(name, step)
		}
	}
	return path
}

func (d *decoder) array(v plan.Value, name string) *plan.Array {
	list, ok := v.(*plan.Array)
	if !ok {
		if v != nil {
			d.fail(name, v)
		}
		return plan.NewArray()
	}
	return list
}

func (d *decoder) number(v plan.Value, name string) float64 {
	f, ok := plan.Float(v)
	if !ok {
		d.fail(name, v)
		return 0
	}
	return f
}

// nearest is the whole number that is nearest, of those that an int64 holds.
func nearest(f float64) int64 {
	if f >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(max(f, math.MinInt64))
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
