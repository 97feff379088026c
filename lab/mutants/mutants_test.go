package main

import (
	"go/parser"
	"go/printer"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

const policy = `package a

limit := 10

allow if {
	input.n >= limit
	not input.blocked
	input.a + 1 == 2
}
`

func TestEditsOfRego(t *testing.T) {
	count := len(edits(ast.MustParseModule(policy)))
	var changes []string
	for n := range count {
		m := ast.MustParseModule(policy)
		before := m.String()
		e := edits(m)[n]
		e.make()
		if m.String() == before {
			t.Errorf("%s changes nothing", e.change)
		}
		changes = append(changes, e.change)
	}
	for _, wanted := range []string{
		"10 → 11", "gte → gt in `input.n >= limit`", "without not: `not input.blocked`",
		"equal → neq in `input.a + 1 == 2`", "plus → minus in `input.a + 1`", "deleted `not input.blocked`",
	} {
		if !slices.Contains(changes, wanted) {
			t.Errorf("no %q among %q", wanted, changes)
		}
	}
}

func TestEditsOfGo(t *testing.T) {
	const code = `package a

func f(n int, ok bool) int {
	if !ok {
		n = n + 2
	}
	return n
}
`
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "a.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := &goFile{set, tree}
	list := f.all()
	var changes []string
	for _, e := range list {
		changes = append(changes, e.change)
	}
	for _, wanted := range []string{"without !: `!ok`", "+ → - in `n + 2`", "2 → 3", "deleted `n = n + 2`"} {
		if !slices.Contains(changes, wanted) {
			t.Errorf("no %q among %q", wanted, changes)
		}
	}
	list[slices.Index(changes, "without !: `!ok`")].make()
	var out strings.Builder
	if err := printer.Fprint(&out, set, tree); err != nil || !strings.Contains(out.String(), "if ok {") {
		t.Errorf("%v %s", err, out.String())
	}
}
