package main

import (
	"path/filepath"

	"github.com/headroom-dev/headroom/tools/release/artifact"
)

// digests says under which digests the release will be in a registry.
func (r *release) digests() error {
	all, err := artifact.All(r.out, r.described(), filepath.Join(r.work, "image"))
	if err != nil {
		return err
	}
	r.add(artifact.Digests, artifact.List(all))
	return nil
}
