package audit

import (
	"context"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Judge judges one manifest with what stands around it and what was measured of its
// containers; either may be nil.
func Judge(
	ctx context.Context, e *engine.Engine, manifest map[string]any,
	around *engine.Context, measured map[string]engine.Measured,
) (engine.Result, error) {
	return e.Evaluate(ctx, review(manifest, around, measured))
}

func review(manifest map[string]any, around *engine.Context, measured map[string]engine.Measured) engine.Review {
	if around == nil {
		// As one object, whatever it looks like: what is live is no list and no request.
		around = &engine.Context{}
	}
	return engine.Review{Manifest: manifest, Around: around, Measured: measured}
}
