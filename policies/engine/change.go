package engine

import (
	"fmt"
	"reflect"
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
	Kind  string   `rego:"change"`
	Path  []any    `rego:"path,pointer"` // keys and indexes from the object: to the field, or to the container
	Name  string   `rego:"name"`
	Value string   `rego:"value"`
	Flags []string `rego:"flags"`
	// Behind is where java stands in the container, [command or args, index], if flags go behind it: -1 is in front of all.
	Behind []any `rego:"behind,pointer"`
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

// decode reads a change: the policies name a container in the place of a field where it is the container that is changed.
func (c *Change) decode(d *decoder, o *plan.Object) {
	d.fields(reflect.ValueOf(c).Elem(), o)
	switch c.Kind {
	case changeSet, changeRemove:
	case changeJVMFlags, changeEnv:
		c.Path = d.steps(o.Get("container"), "container")
	default:
		d.fail("a change", c.Kind)
	}
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
