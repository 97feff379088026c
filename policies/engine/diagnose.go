package engine

import (
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/policies/plan"
)

// The statuses of a Check.
const (
	StatusOK      = "ok"
	StatusWarning = "warning"
	StatusError   = "error"
	StatusUnknown = "unknown"
)

// Check is what one reading of a running container comes to.
type Check struct {
	Check   string `rego:"check" json:"check"`
	Status  string `rego:"status" json:"status"`
	Value   string `rego:"value" json:"value"`     // with its unit; "" where it is not known
	Healthy string `rego:"healthy" json:"healthy"` // what it should be, in words
	Message string `rego:"message" json:"message"`
	Fix     string `rego:"fix" json:"fix"`   // what would fix it, or make it known
	Fact    string `rego:"fact" json:"fact"` // where the threshold comes from
}

// Region is one term of a JVM's memory budget beside what it really takes, in MiB.
type Region struct {
	Name      string  `rego:"name" json:"name"`
	BudgetMiB float64 `rego:"budget_mib" json:"budget_mib"`
	UsedMiB   float64 `rego:"used_mib" json:"used_mib"` // -1 where it is not known
	Source    string  `rego:"source" json:"source"`     // of the budget's figure
}

// Diagnosis is the checklist of one container, in the order in which to read it.
type Diagnosis struct {
	Checks  []Check  `rego:"checks" json:"checks"`
	Regions []Region `rego:"regions" json:"regions"` // none for what is no JVM
	// Budget is the manifest's, to be given again as the input's "budget"; nil without one.
	Budget map[string]any `rego:"budget" json:"budget"`
}

// Diagnose judges what was read from a running container; the input is described in
// rego/headroom/diagnose/result.rego.
func (e *Engine) Diagnose(ctx context.Context, input map[string]any) (Diagnosis, error) {
	value, err := plan.FromGo(input)
	if err != nil {
		return Diagnosis{}, fmt.Errorf("read what was read: %w", err)
	}
	answer, err := e.policies.eval(ctx, "data.headroom.diagnose.result", value)
	return answered[Diagnosis](ctx, "the diagnosis", answer, err)
}
