package engine

import (
	"fmt"
	"strings"

	"github.com/go-openapi/jsonpointer"

	"github.com/headroom-dev/headroom/policies/plan"
)

// Kinds of changes that a rule can ask for.
const (
	changeSet      = "set"       // a field gets a value
	changeRemove   = "remove"    // a field goes
	changeJVMFlags = "jvm-flags" // flags go behind java, or in front of JAVA_TOOL_OPTIONS
	changeEnv      = "env"       // a variable that is not there is added
)

// Change is one step of a fix, as a rule decided it.
type Change struct {
	Kind  string
	Path  []any // keys and indexes from the object: to the field, or to the container
	Name  string
	Value string
	Flags []string
	// Behind is where java stands in the container, [command or args, index], if flags go behind it: -1 is in front of all.
	Behind []any
}

// Within says whether the change is made below a path of keys.
func (c Change) Within(path []string) bool {
	if len(c.Path) < len(path) {
		return false
	}
	for i, key := range path {
		if c.Path[i] != any(key) {
			return false
		}
	}
	return true
}

// changes reads what a finding's rule would do about it; nil for most findings.
func (d *decoder) changes(o *plan.Object) []Change {
	list := each(d, o, "fix", d.change)
	if len(list) == 0 {
		return nil
	}
	return list
}

func (d *decoder) change(o *plan.Object) Change {
	c := Change{Kind: d.text(o, "change"), Name: d.text(o, "name"), Value: d.text(o, "value")}
	place := "path"
	if c.Kind == changeJVMFlags || c.Kind == changeEnv {
		place = "container"
	}
	c.Path = d.steps(o, place)
	if flags := d.texts(o, "flags"); len(flags) > 0 {
		c.Flags = flags
	}
	c.Behind = d.steps(o, "behind")
	if c.Kind != changeSet && c.Kind != changeRemove && c.Kind != changeJVMFlags && c.Kind != changeEnv {
		d.fail("a change", c.Kind)
	}
	return c
}

func (d *decoder) steps(o *plan.Object, name string) []any {
	var path []any
	list := d.array(o, name)
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

// Pointer writes keys and indexes as a JSON pointer (RFC 6901).
func Pointer(path []any) string {
	var b strings.Builder
	for _, step := range path {
		b.WriteByte('/')
		b.WriteString(jsonpointer.Escape(fmt.Sprint(step)))
	}
	return b.String()
}
