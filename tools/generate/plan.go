package main

import (
	"context"

	"github.com/headroom-dev/headroom/policies/engine"
	"github.com/headroom-dev/headroom/policies/plan"
	"github.com/headroom-dev/headroom/tests/harness/planner"
)

// policyPlan makes the plan of the policies. What cannot be evaluated in it is an error here.
func policyPlan() (generated, error) {
	header, err := engine.PlanHeader()
	if err != nil {
		return generated{}, err
	}
	modules, rules, err := engine.Plannable()
	if err != nil {
		return generated{}, err
	}
	policy, err := planner.Plan(context.Background(), modules, rules...)
	if err != nil {
		return generated{}, err
	}
	image, err := plan.Encode(policy)
	return generated{"policies/policies.plan", append([]byte(header), image...)}, err
}
