package explain

import (
	"context"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Change is one changed value of --what-if.
type Change struct {
	Key, Value string
}

// WhatIf is a container as it would be.
type WhatIf struct {
	Done     []string // what was changed and where, in words
	Then     *engine.Explanation
	Gained   []engine.Finding // verdicts that it would have and has not
	Lost     []engine.Finding
	Timeline *Timeline
}

func (r *runner) whatIf(_ context.Context, _ engine.Review, _ *Workload, _ *answer) error {
	return nil
}
