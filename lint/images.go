package lint

import (
	"context"

	"github.com/headroom-dev/headroom/policies/engine"
)

// Images are the images of all containers that would be judged, each by itself, and the options to judge them with after
// that: standard input is read once.
func Images(ctx context.Context, e *engine.Engine, o Options) (map[string]string, Options, error) {
	if err := bufferStdin(&o); err != nil {
		return nil, o, err
	}
	quiet := o
	quiet.Progress, quiet.Preview, quiet.Digests = nil, Preview{}, false
	report, err := Run(ctx, e, quiet)
	if err != nil {
		return nil, o, err
	}
	images := map[string]string{}
	for i := range report.Workloads {
		for j := range report.Workloads[i].Containers {
			if image := report.Workloads[i].Containers[j].Image; image != "" {
				images[image] = image
			}
		}
	}
	o.Source = rewound(o.Source)
	return images, o, nil
}
