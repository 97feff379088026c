package engines

import (
	"context"
	"fmt"

	"github.com/headroom-dev/headroom/tests/conformance/cases"
	"github.com/headroom-dev/headroom/tests/gatekeeper"
)

// Gator runs Gatekeeper's command line with what `headroom policies gatekeeper` writes.
func Gator(binary, dir string) Engine {
	return Engine{Name: "gator", Judge: func(ctx context.Context, corpus []cases.Case) (*Answer, error) {
		findings, err := gatekeeper.Run(ctx, binary, dir, nil)
		if err != nil {
			return nil, err
		}
		answer, byID := newAnswer(), index(corpus)
		for _, f := range findings {
			if err := answer.add(byID, f.Resource, f.Rule, f.Container); err != nil {
				return nil, fmt.Errorf("gator: %w", err)
			}
		}
		return answer, nil
	}}
}
