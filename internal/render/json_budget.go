package render

import "github.com/headroom-dev/headroom/policies/engine"

// Memory, as programs get it from an audit and from an explanation.
type (
	// JSONMemory is what a container asks for and uses.
	JSONMemory struct {
		Request int64 `json:"requestBytes"`
		Limit   int64 `json:"limitBytes"`
		Peak    int64 `json:"peakBytes"`
	}
	// JSONBudget is the memory budget of a JVM (M1).
	JSONBudget struct {
		Limit    float64    `json:"limitMiB"`
		Total    float64    `json:"totalMiB"`
		Left     float64    `json:"leftMiB"`
		Headroom float64    `json:"headroom"`
		Complete bool       `json:"complete"`
		Terms    []jsonTerm `json:"terms"`
	}
	jsonTerm struct {
		Name    string  `json:"name"`
		MiB     float64 `json:"mib"`
		Source  string  `json:"source"`
		Assumed bool    `json:"assumed"`
	}
)

// BudgetJSON is nil where there is no budget.
func BudgetJSON(b *engine.Budget) *JSONBudget {
	if b == nil {
		return nil
	}
	out := &JSONBudget{b.LimitMiB, b.TotalMiB, b.LeftMiB, b.Headroom, b.Complete, []jsonTerm{}}
	for _, t := range b.Terms {
		out.Terms = append(out.Terms, jsonTerm(t))
	}
	return out
}
