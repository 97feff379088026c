package lint

import (
	"context"

	"github.com/headroom-dev/headroom/internal/render/report"
	"github.com/headroom-dev/headroom/policies/engine"
)

// Images are the images of all containers that would be judged, each by itself, and what could not be read. It also
// gives the options to judge them with after that, as standard input can be read only once.
func Images(ctx context.Context, e *engine.Engine, o Options) (
	map[string]string, Options, []report.Problem, error,
) {
	if err := o.Source.Buffer(ctx, o.Paths); err != nil {
		return nil, o, nil, err
	}
	quiet := o
	quiet.Progress, quiet.Preview, quiet.Digests = nil, Preview{}, false
	found, err := Run(ctx, e, quiet)
	if err != nil {
		return nil, o, nil, err
	}
	images := map[string]string{}
	for i := range found.Workloads {
		for j := range found.Workloads[i].Containers {
			if image := found.Workloads[i].Containers[j].Image; image != "" {
				images[image] = image
			}
		}
	}
	return images, o, found.Problems, nil
}
