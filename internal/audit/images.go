package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/headroom-dev/headroom/internal/audit/cluster"
)

// RunningImages are the images of the Pods that o speaks of, by the names in their specs. Each has the repository and
// the digest that the youngest Pod's node reported, or the same name if no node has a digest that a registry knows.
func RunningImages(ctx context.Context, o Options) (map[string]string, error) {
	reader, err := cluster.New(cluster.Options{Config: o.Config, PageSize: o.PageSize, Selector: o.Selector})
	if err != nil {
		return nil, err
	}
	namespaces := o.Namespaces
	if o.All {
		namespaces = []string{""}
	}
	runs, since := map[string]string{}, map[string]time.Time{}
	for _, namespace := range namespaces {
		err := reader.Each(ctx, cluster.Pods, namespace, func(pod *cluster.Object) error {
			if o.All && slices.Contains(o.Exclude, pod.Namespace) {
				return nil
			}
			for image, digest := range podImages(pod) {
				if runs[image] == "" {
					runs[image] = image
				}
				if digest != "" && !pod.Created.Before(since[image]) {
					runs[image], since[image] = digest, pod.Created
				}
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("list the Pods: %w", err)
		}
	}
	return runs, nil
}

// podImages are the images that a Pod's spec names, with repository and digest, "" where the node does not say.
func podImages(pod *cluster.Object) map[string]string {
	digests := map[string]string{}
	for _, status := range pod.Statuses {
		// docker-pullable:// is the dockershim's prefix. A text without a repository is the node's own ID of the image.
		reference := strings.TrimPrefix(status.ImageID, "docker-pullable://")
		if repository, _, ok := strings.Cut(reference, "@sha256:"); ok && repository != "" {
			digests[status.Name] = reference
		}
	}
	found := map[string]string{}
	spec, _ := pod.Manifest["spec"].(map[string]any)
	for _, list := range []string{"initContainers", "containers"} {
		containers, _ := spec[list].([]any)
		for _, raw := range containers {
			container, _ := raw.(map[string]any)
			name, _ := container["name"].(string)
			image, _ := container["image"].(string)
			if image != "" {
				found[image] = digests[name]
			}
		}
	}
	return found
}
