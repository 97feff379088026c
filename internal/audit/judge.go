package audit

import "github.com/headroom-dev/headroom/policies/engine"

// Review is what is judged of a manifest that lives in a cluster, with what stands around it and what was measured of its
// containers; either may be nil.
func Review(
	manifest map[string]any, around *engine.Context, measured map[string]engine.Measured,
) engine.Review {
	if around == nil {
		// It is judged as one object, whatever it looks like: a live object is no list and no request.
		around = &engine.Context{}
	}
	return engine.Review{Manifest: manifest, Around: around, Measured: measured}
}
