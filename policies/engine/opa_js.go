package engine

import (
	"context"
	"errors"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/headroom-dev/headroom/policies"
	"github.com/headroom-dev/headroom/policies/plan"
)

// noOPA stands for OPA's own evaluator in a browser, where it would make the program a third larger.
type noOPA struct{}

var errNoOPA = errors.New("the plan in the program is of other policies: make generate writes it anew")

func (noOPA) eval(context.Context, string, plan.Value) (plan.Value, error) { return nil, errNoOPA }

func opaFrom(func() (*ast.Compiler, error)) func(plan.Value) evaluator {
	return func(plan.Value) evaluator { return noOPA{} }
}

func compiledPolicies() (*ast.Compiler, error) { return nil, errNoOPA }

func (e *Engine) expression(context.Context, string) (any, error) { return nil, errNoOPA }

// planImage is the plan as it was built in. To compare it with the policies takes a browser half a second, and there is
// no OPA to go on with: the tests of a build do it.
func planImage() (string, error) {
	_, image, _ := strings.Cut(policies.Plan, "\n")
	return image, nil
}
