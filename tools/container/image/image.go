// Package image makes headroom's container image without a container engine. The Dockerfile
// makes the same image with one; tests/integration/image keeps the two in step.
package image

import (
	"fmt"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// What the image holds, and how it starts. There is no shell, no package manager and no CA
// certificate: the webhook speaks to the API server only, with the certificate authority of
// its service account.
const (
	// User and group as numbers: the kubelet cannot tell that a name is not root, so
	// runAsNonRoot would refuse it. 65532 is what distroless images use.
	User        = "65532:65532"
	BinaryPath  = "headroom"
	LicensePath = "LICENSE"
)

// Entrypoint is the command that arguments are added to.
var Entrypoint = []string{"/" + BinaryPath}

// Repository is where released images are.
const Repository = "ghcr.io/headroom-dev/headroom"

// Release says which build an image is.
type Release struct {
	Version  string    // what `headroom version` prints
	Revision string    // the commit
	Created  time.Time // the commit's time, so that building again makes the same image
}

// Labels describe the image to registries and to people, in the names that OCI gave them.
func (r Release) Labels() map[string]string {
	const prefix = "org.opencontainers.image."
	const home = "https://github.com/headroom-dev/headroom"
	return map[string]string{
		prefix + "title":         "headroom",
		prefix + "description":   "CPU and memory headroom for Kubernetes workloads",
		prefix + "source":        home,
		prefix + "url":           home,
		prefix + "documentation": home + "/blob/main/docs/webhook.md",
		prefix + "licenses":      "Apache-2.0",
		prefix + "version":       r.Version,
		prefix + "revision":      r.Revision,
		prefix + "created":       r.Created.UTC().Format(time.RFC3339),
	}
}

// New is the image of one platform.
func New(platform v1.Platform, files []File, release Release) (v1.Image, error) {
	layer, err := newLayer(files, release.Created)
	if err != nil {
		return nil, fmt.Errorf("make layer for %s: %w", platform, err)
	}
	created := v1.Time{Time: release.Created.UTC()}
	bare := mutate.MediaType(mutate.ConfigMediaType(empty.Image, types.OCIConfigJSON), types.OCIManifestSchema1)
	base, err := mutate.ConfigFile(bare, &v1.ConfigFile{
		OS: platform.OS, Architecture: platform.Architecture, Variant: platform.Variant,
		Created: created,
		RootFS:  v1.RootFS{Type: "layers", DiffIDs: []v1.Hash{}},
		Config: v1.Config{
			User: User, Entrypoint: Entrypoint, WorkingDir: "/",
			Labels: release.Labels(),
		},
	})
	if err != nil {
		return nil, fmt.Errorf("configure image for %s: %w", platform, err)
	}
	return mutate.Append(base, mutate.Addendum{
		Layer: layer,
		History: v1.History{
			Created: created, CreatedBy: "tools/container",
			Comment: strings.Join(paths(files), " "),
		},
	})
}

// Variant is the image of one platform.
type Variant struct {
	Platform v1.Platform
	Image    v1.Image
}

// Index joins the images of all platforms under one digest.
func Index(variants []Variant, release Release) (v1.ImageIndex, error) {
	index := v1.ImageIndex(empty.Index)
	for _, v := range variants {
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: v.Image, Descriptor: v1.Descriptor{Platform: &v.Platform},
		})
	}
	// Registries show what the index says of itself, not what its images say.
	annotated, ok := mutate.Annotations(index, release.Labels()).(v1.ImageIndex)
	if !ok {
		return nil, fmt.Errorf("annotate index: %T is no index", index)
	}
	return annotated, nil
}
