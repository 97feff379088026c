package policies_test

import (
	"regexp"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

var snakeCase = regexp.MustCompile(`^_?[a-z][a-z0-9_]*$`)

// TestStyle holds what a Rego linter would say that opa check does not: names are in snake_case,
// and no print is left behind.
func TestStyle(t *testing.T) {
	for file, module := range load(t) {
		ast.WalkRules(module, func(rule *ast.Rule) bool {
			if name := rule.Head.Ref()[0].Value.String(); !snakeCase.MatchString(name) {
				t.Errorf("%s:%d: %s is not in snake_case", file, rule.Location.Row, name)
			}
			return false
		})
		ast.WalkExprs(module, func(expr *ast.Expr) bool {
			if expr.IsCall() && expr.Operator().String() == ast.Print.Name {
				t.Errorf("%s:%d: print is left behind", file, expr.Location.Row)
			}
			return false
		})
	}
}
